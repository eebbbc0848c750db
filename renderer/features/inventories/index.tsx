import { useBroker } from '../../stores/use-broker.tsx';
import { InventoriesPage } from './inventories-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { placeOf, wholeNameOf } from './profile-place.ts';

/** The inventories and their profiles, or one profile. */
export function View({ name }: { name: string | null }) {
  const all = useBroker((state) => state.sections.inventories);
  const place = placeOf(name, (inventory) => Object.hasOwn(all, inventory));
  switch (place.kind) {
    case 'profile':
      return <ProfilePage key={wholeNameOf(place.profile)} profile={place.profile} />;
    case 'inventory':
    case 'settings':
      return <InventoriesPage key={place.inventory} inventory={place.inventory} />;
    case 'all':
      return <InventoriesPage inventory={null} />;
  }
}

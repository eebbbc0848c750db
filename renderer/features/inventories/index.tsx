import { addingName } from '../../navigation/route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { InventoriesPage } from './inventories-page.tsx';
import { AddInventory, InventorySettings } from './inventory-settings.tsx';
import { ProfilePage } from './profile-page.tsx';
import { placeOf, wholeNameOf } from './profile-place.ts';

/** The inventories and their profiles, one profile, or a form to add or change an inventory. */
export function View({ name }: { name: string | null }) {
  const all = useBroker((state) => state.sections.inventories);
  if (name === addingName) {
    return <AddInventory />;
  }
  const place = placeOf(name, (inventory) => Object.hasOwn(all, inventory));
  switch (place.kind) {
    case 'profile':
      return <ProfilePage key={wholeNameOf(place.profile)} profile={place.profile} />;
    case 'settings':
      return <InventorySettings key={place.inventory} name={place.inventory} />;
    case 'inventory':
      return <InventoriesPage key={place.inventory} inventory={place.inventory} />;
    case 'all':
      return <InventoriesPage inventory={null} />;
  }
}

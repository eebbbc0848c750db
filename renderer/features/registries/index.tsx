import { addingName } from '../../navigation/route.ts';
import { RegistriesPage } from './registries-page.tsx';
import { AddRegistry, RegistryPage } from './registry-page.tsx';

/** The registries, one of them, or a form to add one. */
export function View({ name }: { name: string | null }) {
  if (name === addingName) {
    return <AddRegistry />;
  }
  return name === null ? <RegistriesPage /> : <RegistryPage key={name} name={name} />;
}

import { addingName, importingName } from '../../navigation/route.ts';
import { ImportRegistries } from './import/import-page.tsx';
import { RegistriesPage } from './registries-page.tsx';
import { AddRegistry, RegistryPage } from './registry-page.tsx';

/** The registries, one of them, or a form to add one or to import some. */
export function View({ name }: { name: string | null }) {
  if (name === addingName) {
    return <AddRegistry />;
  }
  if (name === importingName) {
    return <ImportRegistries />;
  }
  return name === null ? <RegistriesPage /> : <RegistryPage key={name} name={name} />;
}

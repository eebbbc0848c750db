import type { RegistryStatus } from '../../../access/status.ts';
import { table } from '../table.ts';
import { heading, stateText } from './state-text.ts';

/** Registries with the images, account and state of each. */
export function registriesTable(registries: readonly RegistryStatus[], columns: number | null): string {
  return table(
    [
      heading('REGISTRY', 'IMAGES', 'ACCOUNT', 'STATE'),
      ...registries.map((each) => [
        each.name,
        each.matchImages.join(' '),
        each.account,
        stateText(each.state, each.pending),
      ]),
    ],
    columns,
  );
}

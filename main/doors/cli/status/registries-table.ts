import type { RegistryStatus } from '../../../access/status.ts';
import { table } from '../command.ts';
import { heading, stateText } from './state-text.ts';

/** Registries with the images, account and state of each. */
export function registriesTable(registries: readonly RegistryStatus[]): string {
  return table([
    heading('REGISTRY', 'IMAGES', 'ACCOUNT', 'STATE'),
    ...registries.map((each) => [
      each.name,
      each.matchImages.join(' '),
      each.account,
      stateText(each.state, each.pending),
    ]),
  ]);
}

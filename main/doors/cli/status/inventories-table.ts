import type { Status } from '../../../access/status.ts';
import type { ProfileCounts } from '../../../domain/inventory/profile-state.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InventoryFigures } from '../../../operations/inventories/inventory-figures.ts';
import { table } from '../command.ts';
import { inventoryKindText } from '../inventories/profile-text.ts';
import { heading } from './state-text.ts';

/** Inventories with the state of each, and how many of their profiles there are, are in use and pending approval. */
export function inventoriesTable(inventories: readonly InventoryFigures[], held: Status['held']): string {
  return table([
    heading('INVENTORY', 'PROFILES', 'IN USE', 'PENDING', 'STATE'),
    ...inventories.map(({ name, state, profiles }) => [
      name,
      String(total(profiles)),
      String(profiles.inUse),
      profiles.pending === 0 ? '0' : styled.yellow(String(profiles.pending)),
      stateTextOf(name, state, held),
    ]),
  ]);
}

function stateTextOf(name: string, state: InventoryFigures['state'], held: Status['held']): string {
  const change = held.find((each) => each.what === 'inventory' && each.name === name);
  if (change === undefined) {
    return inventoryKindText(state);
  }
  return change.served
    ? `${inventoryKindText(state)}, ${styled.yellow('change pending')}`
    : styled.yellow('pending approval');
}

/** What of inventories needs the user, a line each. */
export function inventoryNeeds(inventories: readonly InventoryFigures[]): string[] {
  return inventories.flatMap(({ name, state: { trouble }, profiles }) => [
    ...(trouble === null ? [] : [`lanyard doctor          ${name}: ${visibleText(trouble.text, 300)}`]),
    ...profileNeed(name, profiles.gone, 'no longer listed'),
    ...profileNeed(name, profiles.remade, 'no longer the same: the hub made them again'),
    ...profileNeed(name, profiles.refused, 'refused: other clusters have their names or servers'),
  ]);
}

/** An inventory in numbers, for programs. */
export function inventoryJson({ name, state, profiles, problems }: InventoryFigures): object {
  const { kind, lagMilliseconds, ...more } = state;
  const lagSeconds = lagMilliseconds === null ? null : Math.floor(lagMilliseconds / 1_000);
  return {
    name,
    state: kind,
    lagSeconds,
    ...more,
    profiles: { total: total(profiles), ...profiles },
    problems,
  };
}

/** Without those that are gone. */
function total({ gone: _, ...known }: ProfileCounts): number {
  return Object.values(known).reduce((sum, count) => sum + count, 0);
}

function profileNeed(inventory: string, count: number, what: string): string[] {
  const profiles = count === 1 ? 'one profile in use is' : `${count} profiles in use are`;
  return count === 0 ? [] : [`lanyard doctor          ${inventory}: ${profiles} ${what}`];
}

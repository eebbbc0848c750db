import type { Status } from '../../../access/status.ts';
import type { ProfileCounts } from '../../../domain/inventory/profile-state.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InventoryFigures } from '../../../operations/inventories/inventory-figures.ts';
import { inventoryKindText } from '../inventories/profile-text.ts';
import { table } from '../table.ts';
import { heading } from './state-text.ts';
import type { Need } from './status-needs.ts';

/** Inventories with the state of each, and how many of their profiles there are, are in use and pending approval. */
export function inventoriesTable(
  inventories: readonly InventoryFigures[],
  held: Status['held'],
  columns: number | null,
): string {
  return table(
    [
      heading('INVENTORY', 'PROFILES', 'IN USE', 'PENDING', 'STATE'),
      ...inventories.map(({ name, state, profiles }) => [
        name,
        String(total(profiles)),
        String(profiles.inUse),
        profiles.pending === 0 ? '0' : styled.yellow(String(profiles.pending)),
        stateTextOf(name, state, held),
      ]),
    ],
    columns,
  );
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

/** It is read, and nothing of it is pending approval. */
export function isFineInventory({ name, state, profiles }: InventoryFigures, held: Status['held']): boolean {
  const isPending = held.some((each) => each.what === 'inventory' && each.name === name);
  return state.kind === 'live' && profiles.pending === 0 && !isPending;
}

/** What of inventories needs the user. */
export function inventoryNeeds(inventories: readonly InventoryFigures[]): Need[] {
  return inventories.flatMap(({ name, state: { trouble }, profiles }) => [
    ...(trouble === null
      ? []
      : [{ text: `${name}: ${visibleText(trouble.text, 300)}`, command: 'lanyard doctor' }]),
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

function profileNeed(inventory: string, count: number, what: string): Need[] {
  const profiles = count === 1 ? 'one profile in use is' : `${count} profiles in use are`;
  return count === 0 ? [] : [{ text: `${inventory}: ${profiles} ${what}`, command: 'lanyard doctor' }];
}

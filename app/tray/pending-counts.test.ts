import { expect, test } from 'vitest';
import { pendingCountText } from '../../main/contract/pending-words.ts';
import { countTodos, needing } from '../../main/contract/ui/needs.ts';
import type { PendingChangeView } from '../../main/contract/ui/state.ts';
import { someCluster, stateWith } from '../../test/support/ui-state.ts';
import { countForUser } from '../life/needs-user.ts';
import { trayMenu } from './tray-menu.ts';
import { trayState } from './tray-state.ts';

/** A pending change of a new cluster; `inventory`: of a profile. */
interface Given {
  name: string;
  inventory?: string;
}

const changeOf = ({ name, inventory }: Given): PendingChangeView => ({
  what: 'cluster',
  name,
  change: 'new',
  served: false,
  ...(inventory !== undefined && { inventory }),
});
const clusterOf = ({ name, inventory }: Given) =>
  someCluster(name, {
    state: 'held',
    isPending: true,
    origin: inventory === undefined ? null : { inventory, namespace: 'n', name },
  });

/** One number at the navigation, in the list, the strip, the tray, its menu and at the app’s icon. */
test.each<[string, readonly Given[], number, string]>([
  ['one', [{ name: 'a' }], 1, '1 change needs your approval'],
  ['several', [{ name: 'a' }, { name: 'b' }, { name: 'c' }], 3, '3 changes need your approval'],
  [
    'the profiles of one inventory, decided at once',
    [
      { name: 'a', inventory: 'fleet' },
      { name: 'b', inventory: 'fleet' },
    ],
    1,
    '2 clusters of fleet need your approval',
  ],
  [
    'those beside another',
    [{ name: 'x' }, { name: 'a', inventory: 'fleet' }, { name: 'b', inventory: 'fleet' }],
    2,
    '2 changes need your approval',
  ],
])('pending clusters have one count everywhere: %s', (_, given, count, strip) => {
  const state = stateWith({ clusters: given.map(clusterOf), held: given.map(changeOf) });
  const todos = Object.values(state.clusters).map((of) => ({ of, health: 'need' as const }));
  expect(countTodos(todos, needing)).toBe(count);
  expect(pendingCountText(state.held)).toBe(strip);
  const changes = count === 1 ? '1 change' : `${count} changes`;
  expect(trayState(state, 0).toolTip).toBe(`Lanyard: ${changes} to approve`);
  expect(trayMenu(state, 0)).toContainEqual(expect.objectContaining({ label: `Approve ${changes}…` }));
  expect(countForUser(state)).toBe(count);
});

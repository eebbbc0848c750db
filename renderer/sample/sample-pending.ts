import type { PendingChangeView } from '../../main/contract/ui/state.ts';
import type { SampleWorld } from './sample-world.ts';

interface Waiting {
  lines: readonly string[];
  /** Runs when the change is approved. */
  confirm(): void;
}

function waitingIn(world: SampleWorld): Map<string, Waiting> {
  return world.memory('waiting', () => new Map());
}

const keyOf = ({ what, name }: Pick<PendingChangeView, 'what' | 'name'>) => `${what} ${name}`;

/** Adds a pending change. */
export function hold(
  world: SampleWorld,
  view: Omit<PendingChangeView, 'served'>,
  lines: readonly string[],
  confirm: () => void,
): void {
  world.set('held', keyOf(view), { ...view, served: view.change !== 'it is new' });
  waitingIn(world).set(keyOf(view), { lines, confirm });
}

/** Drops the pending change of an entry that was removed. */
export function letGo(world: SampleWorld, view: Pick<PendingChangeView, 'what' | 'name'>): void {
  waitingIn(world).delete(keyOf(view));
  if (world.get('held', keyOf(view)) !== null) {
    world.set('held', keyOf(view), null);
  }
}

/** The pending lines of an entry. Null: none. */
export function pendingLines(
  world: SampleWorld,
  view: Pick<PendingChangeView, 'what' | 'name'>,
): string[] | null {
  if (world.get('held', keyOf(view)) === null) {
    return null;
  }
  return [...(waitingIn(world).get(keyOf(view))?.lines ?? [`+ ${view.name}: …`])];
}

/** Approves all pending changes. */
export function confirmAll(world: SampleWorld): void {
  for (const held of world.list('held')) {
    const waiting = waitingIn(world).get(keyOf(held));
    letGo(world, held);
    if (waiting) {
      waiting.confirm();
    } else if (held.what === 'account') {
      world.patch('accounts', held.name, { state: 'loginNeeded', problem: null });
    } else if (held.what === 'cluster') {
      world.patch('clusters', held.name, { state: 'loginNeeded', problem: null });
    }
  }
}

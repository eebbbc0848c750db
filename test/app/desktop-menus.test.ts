import { describe, expect, it } from 'vitest';
import type { Action } from '../../app/actions.ts';
import { createLife } from '../../app/life/index.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { createStandIn } from '../support/electron/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type SomeState, someAccount, someQuestion, stateWith } from '../support/ui-state.ts';

/** What the system shows of the app besides tray and windows: dock menu, jump list, badge. */
function begin(platform: NodeJS.Platform, some: SomeState) {
  const standIn = createStandIn();
  const dock = platform === 'darwin' ? standIn.app.addDock() : null;
  const changed = createListeners<[UiState]>();
  let state = stateWith(some);
  const acts: Action[] = [];
  const clock = new ManualClock();
  createLife({
    electron: standIn.electron,
    platform,
    clock,
    page: { state: () => state, onChange: (listener) => changed.add(listener) },
    act: (action) => acts.push(action),
    only: { onStart: () => undefined },
    own: ['/opt/Lanyard/lanyard-desktop'],
  });
  const become = (next: SomeState) => {
    const before = state;
    state = stateWith(next);
    changed.tell(before);
  };
  return { standIn, dock, clock, acts, become };
}

const needing: SomeState = {
  accounts: [someAccount('corp'), someAccount('well', { state: 'ready' })],
  questions: [someQuestion('q'), someQuestion('over', { ended: { how: 'no', where: null } })],
};

describe('the dock', () => {
  it('has a menu that follows the state, and each line does what it says', () => {
    const { dock, acts, become } = begin('darwin', needing);
    const labels = () => dock?.menu?.template.map(({ label }) => label);
    expect(labels()).toEqual(['Open Lanyard', 'Log in to corp', 'Lock']);
    for (const item of dock?.menu?.template ?? []) {
      (item.click as () => void)();
    }
    expect(acts).toEqual([
      { kind: 'show', route: null },
      { kind: 'login', account: 'corp' },
      { kind: 'lock' },
    ]);
    become({ ...needing, lock: 'gate' });
    expect(labels()).toEqual(['Open Lanyard', 'Unlock…']);
  });

  it('shows its icon while a window is open, and hides it again though Electron ignores that at first', () => {
    const { standIn, dock, clock } = begin('darwin', {});
    expect(dock?.isVisible()).toBe(false);
    const window = new standIn.electron.BrowserWindow({ show: false });
    window.show();
    expect(dock?.isVisible()).toBe(true);
    if (dock) {
      dock.hasJustShown = true;
    }
    window.hide();
    expect(dock?.isVisible()).toBe(true);
    if (dock) {
      dock.hasJustShown = false;
    }
    clock.advance(1_200);
    expect(dock?.isVisible()).toBe(false);
    // One that is opened meanwhile keeps it.
    window.show();
    window.hide();
    window.show();
    clock.advance(1_200);
    expect(dock?.isVisible()).toBe(true);
  });
});

it.each(['darwin', 'linux'] as const)('the badge counts what only the user can do on %s', (platform) => {
  const { standIn, become } = begin(platform, needing);
  expect(standIn.app.badgeCount).toBe(2);
  // Locked, what is waited for is what it counts.
  become({ ...needing, lock: 'gate' });
  expect(standIn.app.badgeCount).toBe(1);
  become({});
  expect(standIn.app.badgeCount).toBe(0);
});

it('the jump list is only on Windows: each line starts the app again with arguments that it knows', () => {
  expect(begin('linux', {}).standIn.app.jumpList).toBeNull();
  const [tasks] = begin('win32', {}).standIn.app.jumpList ?? [];
  expect(tasks).toMatchObject({ type: 'tasks' });
  const items = tasks && 'items' in tasks ? (tasks.items ?? []) : [];
  expect(items.map(({ title, args }) => [title, args?.split(' ').at(-1)])).toEqual([
    ['Open Lanyard', '--show=#/clusters'],
    ['Accounts', '--show=#/accounts'],
    ['Lock', '--lock'],
  ]);
});

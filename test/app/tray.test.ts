import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../app/actions.ts';
import { createTray } from '../../app/tray/index.ts';
import { trayShapes } from '../../app/tray/tray-state.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { createStandIn, type StandInMenu, type StandInPicture } from '../support/electron/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { someCluster, someCredential, stateWith } from '../support/ui-state.ts';

const icons = join(import.meta.dirname, '..', '..', 'app', 'icons', 'tray');
const minute = 60_000;

/** The tray of a system, with a state that the test sets and what was clicked there. */
function open(platform: NodeJS.Platform, first: UiState = stateWith({})) {
  const standIn = createStandIn();
  const clock = new ManualClock(new Date(2027, 4, 12, 13, 49, 20).getTime());
  const changed = createListeners<[UiState]>();
  let state = first;
  const done: Action[] = [];
  const disposable = createTray({
    electron: standIn.electron,
    platform,
    clock,
    page: { state: () => state, onChange: (listener) => changed.add(listener) },
    act: (action) => void done.push(action),
    icons,
  });
  const [tray] = standIn.trays;
  if (!tray) {
    throw new Error('no tray');
  }
  return {
    standIn,
    tray,
    clock,
    done,
    dispose: () => disposable.dispose(),
    picture: () => {
      const { path, isTemplate } = tray.image as unknown as StandInPicture;
      return { name: path.slice(icons.length + 1), isTemplate };
    },
    set(next: UiState) {
      const before = state;
      state = next;
      changed.tell(before);
    },
  };
}

const labels = (menu: StandInMenu | null | undefined) => menu?.template.map(({ label }) => label ?? '--');
function find(
  menu: StandInMenu | null | undefined,
  ...path: string[]
): MenuItemConstructorOptions | undefined {
  const [label, ...rest] = path;
  const item = menu?.template.find((each) => each.label === label);
  return rest.length === 0
    ? (item as MenuItemConstructorOptions | undefined)
    : find({ template: (item?.submenu ?? []) as MenuItemConstructorOptions[] }, ...rest);
}
/** As a person's click; Electron's arguments are not used. */
function click(item: MenuItemConstructorOptions | undefined): void {
  const run = item?.click as (() => void) | undefined;
  expect(run).toBeDefined();
  run?.();
}

const login = stateWith({ clusters: [someCluster('prod', { state: 'loginNeeded' })] });
const contexts = (current: string) =>
  stateWith({ contexts: { current, contexts: ['a', 'b'].map((name) => ({ name, cluster: null })) } });

describe.each(['darwin', 'win32', 'linux'] as const)('on %s', (platform) => {
  it('shows the state of everything, and follows it', () => {
    const { tray, picture, set, dispose } = open(platform);
    expect([picture().name, tray.toolTip]).toEqual([expect.stringMatching(/^good/), 'Lanyard']);
    set(login);
    expect([picture().name, tray.toolTip]).toEqual([
      expect.stringMatching(/^need/),
      'Lanyard: 1 account needs a login',
    ]);
    dispose();
    expect(tray.isDestroyed).toBe(true);
  });

  it('has a picture of each state', () => {
    const { standIn } = open(platform);
    const pictures = trayShapes.flatMap((shape) =>
      ['Template.png', 'Template@2x.png', '-light.ico', '-dark.ico', '-panel.png', '-panel@2x.png'].map(
        (ending) => standIn.electron.nativeImage.createFromPath(join(icons, shape + ending)),
      ),
    );
    expect(pictures.filter((each) => each.isEmpty())).toEqual([]);
  });

  it('follows the clock: shows what expires soon without a message from the broker', () => {
    const { clock, picture } = open(
      platform,
      stateWith({
        clusters: [
          someCluster('c', {
            credential: someCredential(new Date(2027, 4, 12, 13, 49).getTime(), { renewsAt: null }),
            byHand: true,
          }),
        ],
      }),
    );
    expect(picture().name).toMatch(/^good/);
    for (let passed = 0; passed < 50; passed++) {
      clock.advance(minute);
    }
    expect(picture().name).toMatch(/^soon/);
  });

  it('leaves nothing behind', () => {
    const { clock, dispose, set, standIn, tray } = open(platform);
    dispose();
    const before = tray.image;
    set(login);
    standIn.theme.happen('updated');
    clock.advance(2 * minute);
    expect([clock.pending, tray.image]).toEqual([0, before]);
  });
});

describe('on macOS', () => {
  it('is a template, which the system colours', () => {
    expect(open('darwin').picture()).toEqual({ name: 'goodTemplate.png', isTemplate: true });
  });

  it.each(['click', 'right-click'])('a %s opens the menu for the state at that moment', (event) => {
    const { tray, set, done } = open('darwin');
    set(login);
    tray.happen(event);
    expect(labels(tray.poppedUp[0])?.slice(0, 2)).toEqual(['Needs attention', 'Log in to prod…']);
    expect(tray.menu).toBeNull();
    click(find(tray.poppedUp[0], 'Log in to prod…'));
    expect(done).toEqual([{ kind: 'login', account: 'corp' }]);
  });
});

describe('on Windows', () => {
  it('a left click opens the window, a right click the menu', () => {
    const { tray, done } = open('win32', login);
    tray.happen('click');
    expect([done, tray.poppedUp]).toEqual([[{ kind: 'show', route: null }], []]);
    tray.happen('right-click');
    expect(labels(tray.poppedUp[0])?.[1]).toBe('Log in to prod…');
    expect(tray.menu).toBeNull();
  });

  it('follows the taskbar’s theme, and not the app’s', () => {
    const { standIn, picture } = open('win32');
    standIn.theme.shouldUseDarkColors = true;
    standIn.theme.happen('updated');
    expect(picture().name).toBe('good-light.ico');
    standIn.theme.shouldUseDarkColorsForSystemIntegratedUI = true;
    standIn.theme.happen('updated');
    expect(picture().name).toBe('good-dark.ico');
  });
});

describe('on Linux', () => {
  it('the menu is prepared, and replaced only by a different one', () => {
    const { tray, set, clock } = open('linux', login);
    const first = tray.menu;
    expect(labels(first)?.[1]).toBe('Log in to prod…');
    set({ ...login });
    clock.advance(minute);
    expect(tray.menu).toBe(first);
    set(stateWith({}));
    expect(labels(tray.menu)).not.toContain('Log in to prod…');
  });

  it('counts the minutes left, while there is something to count', () => {
    const { tray, clock, set } = open('linux');
    const credential = someCredential(clock.now(), {
      expiresAt: clock.now() + 12.5 * minute,
      renewsAt: null,
    });
    set(stateWith({ clusters: [someCluster('c', { credential, byHand: true })] }));
    expect(labels(tray.menu)).toContain('c: expires in 12 min');
    clock.advance(minute);
    expect(labels(tray.menu)).toContain('c: expires in 11 min');
  });

  it('a click opens the window where the desktop sends it', () => {
    const { tray, done } = open('linux');
    tray.happen('click');
    tray.happen('right-click');
    expect([done, tray.poppedUp]).toEqual([[{ kind: 'show', route: null }], []]);
  });

  it('a context that was clicked and not changed isn’t shown as the current one', () => {
    const { tray, done, set } = open('linux', contexts('a'));
    const clicked = tray.menu;
    click(find(clicked, 'Switch context', 'b'));
    expect(done).toEqual([{ kind: 'useContext', context: 'b' }]);
    expect(tray.menu).not.toBe(clicked);
    expect(find(tray.menu, 'Switch context', 'a')?.checked).toBe(true);
    set(contexts('b'));
    expect(find(tray.menu, 'Switch context', 'b')?.checked).toBe(true);
  });
});

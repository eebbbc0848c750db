import { beforeEach, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import type { WindowKind } from '../../../consent/windows/window-kind.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { Desktop } from '../../../ports/desktop.ts';
import { createDesktopCalls } from './desktop-calls.ts';

let pausedUntil: number | null;
let paused: (number | null)[];
let opened: WindowKind[];
let hasDisplay: boolean;
let calls: ReturnType<typeof createDesktopCalls>;
const page = { signal: new AbortController().signal, progress: () => undefined };

beforeEach(() => {
  [pausedUntil, paused, opened, hasDisplay] = [null, [], [], true];
  calls = createDesktopCalls({
    desktop: {
      view: () => ({ notificationsPausedUntil: pausedUntil }),
      pauseNotifications: (milliseconds: number | null) => void paused.push(milliseconds),
    } as unknown as Desktop,
    windows: {
      async open(kind) {
        if (!hasDisplay) {
          throw new BrokerError('window.none', 'no window', { reason: 'notPermitted', hint: 'another' });
        }
        opened.push(kind);
      },
    },
  });
});
const pause = (minutes: number | null, isOwn?: true) =>
  calls['desktop.pauseNotifications']({ minutes }, { ...page, isOwn });

it('pauses for a page after a yes in the window, and not after a no', async () => {
  expect(await pause(60)).toEqual({ asks: true });
  await opened[0]?.refuse();
  expect(paused).toEqual([]);
  await opened[0]?.submit({ none: new Secret('') }, 'yes');
  expect(paused).toEqual([3_600_000]);
  expect(opened[0]?.content.heading).toBe('Pause notifications for 60 min?');
});

it('ends the window where the pause has changed since', async () => {
  await pause(60);
  expect(await opened[0]?.over()).toBeNull();
  pausedUntil = 1;
  expect(await opened[0]?.over()).toContain('changed');
});

it('pauses at once for the app itself, and ends a pause at once for a page', async () => {
  expect([await pause(30, true), await pause(null)]).toEqual([{ asks: false }, { asks: false }]);
  expect([paused, opened]).toEqual([[1_800_000, null], []]);
});

it('names another way where no window can be opened', async () => {
  hasDisplay = false;
  await expect(pause(60)).rejects.toMatchObject({ code: 'window.none', hint: 'use the menu of the tray' });
  expect(paused).toEqual([]);
});

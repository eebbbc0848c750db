import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn } from '../../test/support/electron/index.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { openDesktopFile } from '../notifications/desktop-file.ts';
import { createClosing } from './closing.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

/** An app, with the file that an earlier one of the same home left. */
async function app(hasTray: boolean, platform: NodeJS.Platform = 'linux') {
  const standIn = createStandIn();
  const file = await openDesktopFile({ file: join(folder, 'desktop.json'), log: silentLog });
  const quits: string[] = [];
  const close = createClosing({
    electron: standIn.electron,
    platform,
    hasTray: () => hasTray,
    file,
    quit: () => void quits.push('quit'),
  });
  return { standIn, file, quits, close };
}

describe('closing the window', () => {
  it.each([
    ['linux', 'the tray'],
    ['win32', 'the tray'],
    ['darwin', 'the menu bar'],
  ] as const)(
    'on %s, says once that it keeps running: not at the next close, nor in the next app',
    async (platform, place) => {
      const first = await app(true, platform);
      first.close();
      first.close();
      expect(first.standIn.notifications.map(({ options, isShown }) => [options.title, isShown])).toEqual([
        [`Lanyard is still running in ${place}`, true],
      ]);
      await first.file.settled();
      const second = await app(true, platform);
      second.close();
      expect(second.standIn.notifications).toEqual([]);
    },
  );

  it.each([
    [0, []],
    [1, ['quit']],
  ])('asks once where no tray is seen, and answer %i does what it says: %j', async (answer, expected) => {
    const { standIn, quits, close } = await app(false);
    standIn.answer = () => answer;
    close();
    close();
    await new Promise(setImmediate);
    expect([standIn.boxes.length, standIn.notifications, quits]).toEqual([1, [], expected]);
    expect(standIn.boxes[0]).toMatchObject({
      buttons: ['Keep running', 'Quit Lanyard'],
      defaultId: 0,
      cancelId: 0,
    });
  });

  it('closes all the same where it can’t be said', async () => {
    const { standIn, close } = await app(false);
    standIn.answer = () => Promise.reject(new Error('no display'));
    close();
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
  });
});

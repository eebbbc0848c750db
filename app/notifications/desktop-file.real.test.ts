import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../main/ports/log.ts';
import { chosenPoints, seedInTitle } from '../../test/support/long.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { openDesktopFile } from './desktop-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'desktop.json');
});

const open = () => openDesktopFile({ file, log: silentLog });
const things = { 'login corp': { since: 1, isTold: true, goneAt: null } };

describe('desktop.json', () => {
  it('keeps what it remembers, for its owner alone', async () => {
    const first = await open();
    first.update({ pausedUntil: 5 });
    first.update({ things });
    await first.settled();
    expect((await open()).current()).toEqual({
      version: 1,
      pausedUntil: 5,
      toldOfClosing: false,
      things,
    });

    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no JSON', '{"version":1'],
    ['another version', '{"version":2,"pausedUntil":null,"things":{}}'],
    ['another shape', '{"version":1,"pausedUntil":"x","things":[]}'],
    ['too much of it', 'x'.repeat(5 * 1024 * 1024)],
  ])('starts empty where it is %s', async (_, text) => {
    writeFileSync(file, text);
    expect((await open()).current()).toEqual({
      version: 1,
      pausedUntil: null,
      toldOfClosing: false,
      things: {},
    });
  });

  it('of an older app, which remembered less, is read', async () => {
    writeFileSync(file, '{"version":1,"pausedUntil":5,"things":{}}');
    expect((await open()).current()).toMatchObject({ pausedUntil: 5, toldOfClosing: false });
  });

  it('takes effect even if it can’t be written', async () => {
    rmSync(folder, { recursive: true });
    const opened = await open();
    opened.update({ pausedUntil: 7 });
    await opened.settled();
    expect(opened.current().pausedUntil).toBe(7);
  });

  it(`is complete after a kill at a step of a write: the old one, or the new one${seedInTitle}`, async () => {
    const killedAt = (at: number) =>
      spawnSync(process.execPath, [
        '--input-type=module',
        '-e',
        `import { killAt } from ${JSON.stringify(join(import.meta.dirname, '../../test/support/kill-at.ts'))};
         import { openDesktopFile } from ${JSON.stringify(join(import.meta.dirname, 'desktop-file.ts'))};
         const file = await openDesktopFile({ file: ${JSON.stringify(file)}, log: console });
         const count = await killAt(${at});
         file.update({ pausedUntil: 2 });
         await file.settled();
         process.stdout.write(String(count()));`,
      ]);
    const reset = async () => {
      const before = await open();
      before.update({ pausedUntil: 1 });
      await before.settled();
    };
    const pausedUntil = () => JSON.parse(readFileSync(file, 'utf8')).pausedUntil;
    await reset();
    const steps = Number(killedAt(0).stdout);
    expect(steps).toBeGreaterThan(3);
    expect(pausedUntil()).toBe(2);
    for (const at of chosenPoints(steps)) {
      await reset();
      expect(killedAt(at).signal, `at ${at}`).toBe('SIGKILL');
      expect([1, 2], `at ${at}`).toContain(pausedUntil());
    }
  });
});

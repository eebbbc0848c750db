import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../support/bundled.ts';
import { isLong } from '../support/long.ts';
import { canMount, ownMount, runScript } from '../support/own-mount.ts';

let program: string;
beforeAll(async () => {
  const made = await bundled('history-process');
  program = made.path;
  return () => made.dispose();
});
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ly-disk-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs a shell script with $RECORD, the command of a process that records into a history in $AT. */
function script(text: string, ...prefix: string[]) {
  const record = `${process.execPath} --disable-warning=ExperimentalWarning ${program} ${home}/history.db`;
  return runScript(text, { HOME: home, AT: home, RECORD: record }, ...prefix);
}

const mounts = await canMount();

describe('a history on a disk that takes no more', () => {
  it('tells a limit on file sizes, and keeps what it had', async () => {
    // Blocks of 512 bytes; Node ignores SIGXFSZ, so the write fails after a part of it.
    const [first, limited, after] = await script('$RECORD 50; (ulimit -f 400; $RECORD 100000); $RECORD 1');
    expect(first).toMatchObject({ recorded: 50, code: null });
    expect(limited).toMatchObject({
      code: expect.stringMatching(/^history\.(io|diskFull)$/),
      message: expect.stringContaining('without it nothing is issued'),
      hint: expect.stringContaining('ulimit -f'),
      problems: [expect.stringContaining('can’t be written')],
    });
    expect(limited.found).toBe(50 + limited.recorded);
    expect(after).toMatchObject({ code: null, found: 51 + limited.recorded, problems: [] });
    expect(readdirSync(home).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  // Whether a page is free when it is full depends on the size: to the last byte, and with some left.
  it.skipIf(!mounts).for([1200, 1204, 1208, 1212])(
    'tells a full disk of %i KiB, and keeps what it had',
    async (kibibytes) => {
      const [full, after] = await script(
        `mount -t tmpfs -o size=${kibibytes}k tmpfs "$AT"; $RECORD 100000; ls "$AT" | grep damaged >&2 || true; mount -o remount,size=4m tmpfs "$AT"; $RECORD 5`,
        ...ownMount,
      );
      expect(full).toMatchObject({ code: expect.stringMatching(/^history\.(io|diskFull)$/) });
      expect(full.recorded).toBeGreaterThan(10);
      expect(full.found).toBe(full.recorded);
      expect(after).toMatchObject({ recorded: 5, found: full.recorded + 5, code: null });
    },
  );

  it.skipIf(!mounts)('tells a read-only file system', async () => {
    const [first, second] = await script(
      'mount -t tmpfs tmpfs "$AT"; $RECORD 5; mount -o remount,ro tmpfs "$AT"; $RECORD 1',
      ...ownMount,
    );
    expect(first).toMatchObject({ code: null });
    expect(second).toMatchObject({ recorded: 0, code: 'history.readOnly' });
  });
});

it('what record returned for is there after a kill -9 at any moment (rule: everything-recorded)', async () => {
  for (let round = 0; round < (isLong ? 6 : 3); round++) {
    const child = fork(program, [join(home, 'history.db'), '100000'], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let returned = 0;
    const limit = 5 + round * 37;
    child.on('message', () => {
      returned += 1;
      if (returned === limit) {
        child.kill('SIGKILL');
      }
    });
    await once(child, 'close');
    const [after] = await script('$RECORD 0');
    expect(after.found).toBeGreaterThanOrEqual(returned);
    expect(after.problems).toEqual([]);
    rmSync(home, { recursive: true, force: true });
    home = mkdtempSync(join(tmpdir(), 'ly-disk-'));
  }
  expect(readdirSync(home)).toEqual([]);
});

import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { asOn } from '../../../test/support/as-on-windows.ts';
import { isLong } from '../../../test/support/long.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { modeOf, onWindows, withoutLinks, withoutModes } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import type { ProcessInfo } from '../../ports/peer-identity.ts';
import { tryLock } from './lock-file.ts';
import { ownLockText } from './lock-owner.ts';
import { freeStaleLocks } from './stale-locks.ts';
import { type LockedWrite, type WriteLockedDeps, writeLocked } from './write-locked.ts';

const mine = 'token: mine\n';
const next = 'exec: lanyard\n';

let folder: string;
let file: string;
let clock: ManualClock;
let running: Map<number, string>;

beforeEach(() => {
  folder = folderForTest();
  file = join(folder, 'config');
  writeFileSync(file, mine, { mode: 0o640 });
  clock = new ManualClock(Date.now());
  running = new Map([[100, 'ten']]);
});

function deps(pid = 100, host = 'here', namespace = 'pid:[1]'): WriteLockedDeps {
  const info = (of: number): ProcessInfo | null => {
    const startTime = running.get(of);
    return startTime === undefined
      ? null
      : ({ pid: of, startTime, pidNamespace: namespace } as unknown as ProcessInfo);
  };
  return { clock, host, processes: { ownPid: () => pid, process: info } };
}

function write(options: Partial<LockedWrite> = {}, by = deps()) {
  const signal = AbortSignal.timeout(30_000);
  return writeLocked({ file, expected: mine, text: next, mode: 0o600, signal, ...options }, by);
}

/** Lets the time of a waiting write pass. */
async function elapse<Value>(work: Promise<Value>): Promise<Value> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending > 0) {
      clock.advance(100);
    }
  }
  return ended;
}

const realClock = {
  now: () => Date.now(),
  boottime: () => performance.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

const read = () => readFileSync(file, 'utf8');

describe('a write', () => {
  test('takes the place of what is expected, keeps the mode, and leaves nothing else', async () => {
    expect(await write()).toEqual({ ok: true });
    expect([read(), readdirSync(folder)]).toEqual([next, ['config']]);
    if (!onWindows) {
      expect(modeOf(file)).toBe(0o640);
    }
  });

  test('makes a file that is expected not to be there', async () => {
    rmSync(file);
    expect(await write({ expected: null })).toEqual({ ok: true });
    expect([read(), modeOf(file)]).toEqual([next, 0o600]);
  });

  test.each([
    ['another text', 'token: other\n'],
    ['a longer one', `${mine}#`],
    ['nothing at all', null],
  ])('changes nothing where there is %s', async (_, content) => {
    if (content === null) {
      rmSync(file);
    } else {
      writeFileSync(file, content);
    }
    expect(await write()).toEqual({ ok: false, reason: 'changed' });
    expect(existsSync(file) ? read() : null).toBe(content);
    expect(readdirSync(folder)).toEqual(content === null ? [] : ['config']);
  });

  test('changes nothing where a file is that was expected not to be', async () => {
    expect(await write({ expected: null })).toEqual({ ok: false, reason: 'changed' });
    expect(read()).toBe(mine);
  });

  test('compares bytes, not what they decode to', async () => {
    writeFileSync(file, Buffer.from([0x61, 0xff]));
    expect(await write({ expected: 'a\ufffd' })).toEqual({ ok: false, reason: 'changed' });
    expect(await write({ expected: new Uint8Array([0x61, 0xff]) })).toEqual({ ok: true });
  });

  test.skipIf(withoutLinks)(
    'goes through links, which stay, and holds the lock of each name meanwhile',
    async () => {
      mkdirSync(join(folder, 'dotfiles'));
      const target = join(folder, 'dotfiles', 'kube');
      writeFileSync(target, mine);
      rmSync(file);
      symlinkSync('dotfiles/kube', join(folder, 'middle'));
      symlinkSync('middle', file);
      for (const name of [file, join(folder, 'middle'), target]) {
        writeFileSync(`${name}.lock`, '', { mode: 0 });
        expect(await elapse(write())).toMatchObject({ reason: 'locked', lockFile: `${name}.lock` });
        rmSync(`${name}.lock`);
      }
      expect(await write()).toEqual({ ok: true });
      expect([readFileSync(target, 'utf8'), readlinkSync(file)]).toEqual([next, 'middle']);
      expect(readdirSync(folder).sort()).toEqual(['config', 'dotfiles', 'middle']);
      expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['kube']);
    },
  );

  test('removes what a killed run left of its new content, also where it writes nothing', async () => {
    const left = join(folder, '.config.lanyard.tmp');
    writeFileSync(left, 'token: half');
    expect(await write({ expected: 'other' })).toMatchObject({ reason: 'changed' });
    expect(existsSync(left)).toBe(false);
    writeFileSync(left, 'token: half');
    expect(await write()).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['config']);
  });
});

describe('is refused', () => {
  test('for a folder, and for a file with several names', async () => {
    rmSync(file);
    mkdirSync(file);
    await expect(write()).rejects.toMatchObject({ code: 'kubeconfig.kind' });
    rmSync(file, { recursive: true });
    writeFileSync(file, mine);
    linkSync(file, join(folder, 'other'));
    await expect(write()).rejects.toMatchObject({ code: 'kubeconfig.kind' });
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe(mine);
    expect(readdirSync(folder).sort()).toEqual(['config', 'other']);
  });

  // On Windows Node tells no owner: what is another user’s, its access list protects.
  test.skipIf(onWindows)('for another user’s file', async () => {
    const uid = process.geteuid?.() ?? 0;
    vi.spyOn(process, 'geteuid').mockReturnValue(uid + 1);
    try {
      await expect(write()).rejects.toMatchObject({ code: 'kubeconfig.foreign', reason: 'notPermitted' });
    } finally {
      vi.restoreAllMocks();
    }
    expect(readdirSync(folder)).toEqual(['config']);
  });

  test.skipIf(process.geteuid?.() !== 0)('for one’s own file by way of another user’s link', async () => {
    symlinkSync(file, join(folder, 'link'));
    lchownSync(join(folder, 'link'), 12_345, 12_345);
    await expect(write({ file: join(folder, 'link') })).rejects.toMatchObject({
      code: 'kubeconfig.foreign',
      hint: expect.stringContaining('leads to'),
    });
    expect(readFileSync(file, 'utf8')).toBe(mine);
    lchownSync(join(folder, 'link'), 0, 0);
    expect(await write({ file: join(folder, 'link') })).toEqual({ ok: true });
  });

  test('where the folder is gone', async () => {
    await expect(write({ file: join(folder, 'gone', 'config') })).rejects.toMatchObject({
      code: 'file.write',
      hint: 'its folder is not there',
    });
  });

  test.skipIf(withoutLinks)('where links go in a circle', async () => {
    symlinkSync('loop', join(folder, 'loop'));
    await expect(write({ file: join(folder, 'loop') })).rejects.toMatchObject({ code: 'file.write' });
  });

  test.skipIf(withoutModes)('where the folder may not be written to', async () => {
    chmodSync(folder, 0o500);
    await expect(write()).rejects.toMatchObject({
      code: 'file.write',
      hint: 'you may not write into its folder',
    });
    chmodSync(folder, 0o700);
  });
});

describe('another program’s lock', () => {
  test('is waited for, with a message to the user', async () => {
    const lock = `${file}.lock`;
    writeFileSync(lock, '', { mode: 0 });
    const said: string[] = [];
    const writing = write({
      onWait: (sentence) => {
        said.push(sentence);
        rmSync(lock);
      },
    });
    expect(await elapse(writing)).toEqual({ ok: true });
    expect(said).toEqual([expect.stringContaining(lock)]);
    expect(read()).toBe(next);
  });

  test.each([
    ['fresh', 3_000, /^try again/],
    ['old', 5 * 3_600_000, /remove .*config\.lock$/],
  ])('that is %s and stays is told and left alone', async (_, age, hint) => {
    const lock = `${file}.lock`;
    writeFileSync(lock, '', { mode: 0 });
    const at = (clock.now() - age) / 1000;
    utimesSync(lock, at, at);
    const answer = await elapse(write());
    expect(answer).toMatchObject({
      ok: false,
      reason: 'locked',
      lockFile: lock,
      hint: expect.stringMatching(hint),
    });
    expect('ageMilliseconds' in answer && answer.ageMilliseconds).toBeGreaterThanOrEqual(age);
    expect([read(), lstatSync(lock).isFile()]).toEqual([mine, true]);
  });

  test.skipIf(withoutLinks)('that looks like ours is another program’s', async () => {
    symlinkSync('config', `${file}.lock`);
    expect(await elapse(write())).toMatchObject({ reason: 'locked' });
    expect(readlinkSync(`${file}.lock`)).toBe('config');
  });

  test('is not waited for longer than the caller wants', async () => {
    writeFileSync(`${file}.lock`, '', { mode: 0 });
    const stop = new AbortController();
    const writing = write({ signal: stop.signal, onWait: () => stop.abort(new Error('gone')) });
    await expect(writing).rejects.toThrow('gone');
    expect([read(), clock.pending]).toEqual([mine, 0]);
  });
});

/** A link; on Windows a file. */
describe.each<NodeJS.Platform>(withoutLinks ? ['win32'] : ['linux', 'win32'])(
  'a lock of Lanyard’s own on %s',
  (platform) => {
    const makeLock = (text: string, path: string) =>
      platform === 'win32' ? writeFileSync(path, text, { flag: 'wx' }) : symlinkSync(text, path);
    const lockText = (path: string) =>
      platform === 'win32' ? readFileSync(path, 'utf8') : readlinkSync(path);
    const leave = (by = deps(7)) => makeLock(ownLockText(by), `${file}.lock`);
    beforeEach(() => asOn(platform));

    test('is a link, which has its text from the start; on Windows, where a link takes a privilege, a file', async () => {
      const lock = await tryLock(`${file}.lock`, deps());
      expect(lstatSync(`${file}.lock`).isSymbolicLink()).toBe(platform !== 'win32');
      expect(lockText(`${file}.lock`)).toMatch(/^lanyard-lock:100:/);
      await ('release' in lock && lock.release());
      expect(readdirSync(folder)).toEqual(['config']);
    });

    test('that is no longer there is let go without another program’s that took its place', async () => {
      const lock = await tryLock(`${file}.lock`, deps());
      unlinkSync(`${file}.lock`);
      writeFileSync(`${file}.lock`, '', { mode: 0 });
      await ('release' in lock && lock.release());
      expect(readdirSync(folder).sort()).toEqual(['config', 'config.lock']);
    });

    test('that a killed process left is taken over', async () => {
      running.set(7, 'seven');
      leave();
      running.delete(7);
      expect(await write()).toEqual({ ok: true });
      expect([read(), readdirSync(folder)]).toEqual([next, ['config']]);
    });

    test('that a killed process left goes without a write, for kubectl never waits; others stay', async () => {
      running.set(7, 'seven');
      leave();
      const other = join(folder, 'other');
      writeFileSync(`${other}.lock`, '');
      expect(await freeStaleLocks([file, other, '/no/such/folder/file'], deps())).toEqual([]);
      running.delete(7);
      expect(await freeStaleLocks([file, other, '/no/such/folder/file'], deps())).toEqual([`${file}.lock`]);
      expect(readdirSync(folder).sort()).toEqual(['config', 'other.lock']);
    });

    test('is taken over when another process has its pid now', async () => {
      running.set(7, 'seven');
      leave();
      running.set(7, 'later');
      expect(await write()).toEqual({ ok: true });
    });

    test.each([
      ['a process that runs', () => deps(7)],
      ['another machine', () => deps(7, 'there')],
      ['another container', () => deps(7, 'here', 'pid:[2]')],
    ])('of %s is not', async (what, by) => {
      running.set(7, 'seven');
      leave(by());
      if (what !== 'a process that runs') {
        running.delete(7);
      }
      expect(await elapse(write())).toMatchObject({ reason: 'locked' });
      expect(read()).toBe(mine);
    });

    test('that was left while a left one was taken over is taken over as well', async () => {
      running.set(7, 'seven').set(8, 'eight');
      leave();
      running.delete(7);
      // What process 8 makes to remove it, and leaves.
      const { createHash } = await import('node:crypto');
      const guard = (path: string) =>
        `${path}.${createHash('sha256').update(lockText(path)).digest('hex').slice(0, 12)}`;
      makeLock(ownLockText(deps(8)), guard(`${file}.lock`));
      expect(await elapse(write())).toMatchObject({ reason: 'locked' });
      running.delete(8);
      expect(await write()).toEqual({ ok: true });
      expect(readdirSync(folder)).toEqual(['config']);
    });

    test('that another run took over between two looks is that one’s', async () => {
      running.set(7, 'seven');
      leave();
      running.delete(7);
      const lock = `${file}.lock`;
      const other = ownLockText(deps());
      const { process: info, ...processes } = deps().processes;
      const late = (pid: number) => {
        if (pid === 7 && lockText(lock) !== other) {
          unlinkSync(lock);
          makeLock(other, lock);
        }
        return info(pid);
      };
      const answer = await elapse(write({}, { ...deps(), processes: { ...processes, process: late } }));
      expect(answer).toMatchObject({ reason: 'locked' });
      expect([lockText(lock), readdirSync(folder).sort()]).toEqual([other, ['config', 'config.lock']]);
    });

    test('is taken over by one of many, and no two write at once', async () => {
      running.set(7, 'seven');
      leave();
      running.delete(7);
      let text = mine;
      for (let round = 0; round < (isLong ? 10 : 2); round++) {
        const texts = [1, 2, 3, 4].map((by) => `by ${by} in ${round}\n`);
        const answers = await Promise.all(
          texts.map((each) => write({ expected: text, text: each }, { ...deps(), clock: realClock })),
        );
        expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
        expect(answers.filter((answer) => !answer.ok && answer.reason === 'changed')).toHaveLength(3);
        text = read();
        running.set(7, 'seven');
        leave();
        running.delete(7);
      }
    });
  },
);

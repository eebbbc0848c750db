import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editKubeconfigText, type WriteLockedDeps, writeLocked } from '../../main/kubeconfig/edit/index.ts';
import { isHeld, tryLock } from '../../main/kubeconfig/edit/lock-file.ts';
import { createPeerIdentity, loadAddon } from '../../main/platform/native/addon.ts';
import { createSystemClock } from '../../main/platform/native/system-clock.ts';
import { changedValue, kubeconfigChanges } from '../support/kubeconfig-changes.ts';
import { hardExec, kubeconfigLayouts } from '../support/kubeconfig-layouts.ts';
import { findKubectls, type Kubectl, runKubectl } from '../support/kubectl.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { canMount, ownMount, runScript } from '../support/own-mount.ts';
import { run } from '../support/processes.ts';

/** A person's kubeconfig, edited in place, with real kubectls beside; and what a kill leaves of it. */
const { oldest, newest } = findKubectls();
const addon = loadAddon(fileURLToPath(new URL('../../dist/native/lanyard.node', import.meta.url)));
const program = fileURLToPath(new URL('../support/locked-write-process.ts', import.meta.url));
const deps: WriteLockedDeps = {
  clock: createSystemClock(addon),
  host: 'here',
  processes: createPeerIdentity(addon, process.pid),
};

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-edit-'));
  file = join(folder, 'config');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function view(kubectl: Kubectl, text: string): Promise<unknown> {
  writeFileSync(file, text);
  const { code, stdout, stderr } = await runKubectl(
    kubectl,
    file,
    ['config', 'view', '--raw', '-o', 'json'],
    {
      env: { HOME: folder },
    },
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe.each([
  ['oldest', oldest],
  ['newest', newest],
])(
  'the %s kubectl reads what was edited, and nothing but the changed entries differs (KEP-541/kubeconfig-unchanged)',
  (which, kubectl) => {
    // Each change alone is read by YAML 1.1 and 1.2 in edit-layouts.test.ts.
    const names = which === 'newest' && isLong ? Object.keys(kubeconfigChanges) : ['all of it'];
    const layouts = Object.entries(kubeconfigLayouts);
    const chosen =
      which === 'newest'
        ? layouts
        : chosenPoints(layouts.length, 4).flatMap((at) => layouts.slice(at - 1, at));
    let reference: Promise<object> | null = null;
    /** What this kubectl makes of the plugin that is written in. */
    const asRead = async () => {
      const own = { kind: 'Config', users: [{ name: 'x', user: { exec: hardExec } }] };
      const read = (await view(kubectl, JSON.stringify(own))) as { users: { user: { exec: object } }[] };
      const exec = read.users[0]?.user.exec ?? {};
      expect(exec).toMatchObject({ args: hardExec.args, env: hardExec.env });
      return exec;
    };
    for (const [layout, text] of chosen) {
      test(which === 'newest' ? layout : `${layout}${seedInTitle}`, async () => {
        reference ??= asRead();
        const exec = await reference;
        const before = await view(kubectl, text);
        for (const name of names) {
          const changes = kubeconfigChanges[name] ?? [];
          const edited = editKubeconfigText(text, changes);
          const after = await view(kubectl, edited.ok ? edited.text : edited.fault);
          expect(changedValue(after, []), name).toEqual(changedValue(before, changes, exec));
        }
      });
    }
  },
);

const old = kubeconfigLayouts['as kubectl writes'] ?? '';

describe('the lock is kubectl’s', () => {
  const setContext = (name: string, path = file) =>
    runKubectl(newest, path, ['config', 'set-context', name, '--cluster', 'one'], { env: { HOME: folder } });

  test('kubectl writes nothing while Lanyard has the lock, by whatever name it calls the file', async () => {
    mkdirSync(join(folder, 'dotfiles'));
    const target = join(folder, 'dotfiles', 'kube');
    writeFileSync(target, old);
    symlinkSync('dotfiles/kube', file);
    for (const path of [file, target]) {
      const lock = await tryLock(`${path}.lock`, deps);
      if (!isHeld(lock)) {
        throw new Error('nobody else has it');
      }
      const { code, stderr } = await setContext('new', path);
      expect([code, stderr]).toEqual([1, expect.stringContaining('file exists')]);
      await lock.release();
    }
    expect(readFileSync(target, 'utf8')).toBe(old);
    expect((await setContext('new')).code).toBe(0);
  });

  // kubectl reads the file before it locks it, and then removes users and contexts that it had not seen (client-go,
  // tools/clientcmd/config.go, ModifyConfig): what others write in between it takes away, whoever they are.
  test('both write the same file at once, and nothing that kubectl wrote is lost', async () => {
    writeFileSync(file, old, { mode: 0o600 });
    const rounds = isLong ? 12 : 4;
    const byKubectl = async () => {
      for (let round = 0; round < rounds; ) {
        const { code, stderr } = await setContext(`k${round}`);
        if (code === 0) {
          round += 1;
        } else {
          expect(stderr).toContain('file exists');
          await delay(20);
        }
      }
    };
    const byLanyard = async () => {
      for (let round = 0; round < rounds; ) {
        const text = readFileSync(file, 'utf8');
        // kubectl empties the file before it writes it, and this reads without the lock.
        const edited = editKubeconfigText(text, [
          { kind: 'addUser', user: `l${round}`, after: 'alice', exec: { ...hardExec, env: [] } },
        ]);
        const answer = edited.ok
          ? await writeLocked(
              { file, expected: text, text: edited.text, mode: 0o600, signal: AbortSignal.timeout(60_000) },
              deps,
            )
          : null;
        round += answer?.ok ? 1 : 0;
        await delay(20);
      }
    };
    await Promise.all([byKubectl(), byLanyard()]);
    const config = (await view(newest, readFileSync(file, 'utf8'))) as Record<string, { name: string }[]>;
    const contexts = config['contexts']?.map(({ name }) => name).filter((name) => name.startsWith('k'));
    expect(contexts).toHaveLength(rounds);
    expect(readdirSync(folder).filter((name) => name.startsWith('config') || name.endsWith('.tmp'))).toEqual([
      'config',
    ]);
  });
});

/** A kill before that operation; 0 is none. */
async function written(text: string, operation: number) {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'dotfiles'), { recursive: true });
  writeFileSync(join(folder, 'dotfiles', 'kube'), old, { mode: 0o640 });
  symlinkSync('dotfiles/kube', file);
  return run(process.execPath, [program, file, old, text, String(operation)]);
}

test(`kill -9 before a file operation: the file is the old or the new one, whole, and the next run goes on${seedInTitle}`, async () => {
  const text = `${old}# new\n`;
  const undisturbed = await written(text, 0);
  expect(undisturbed, undisturbed.stderr).toMatchObject({ code: 0 });
  const { ok, operations } = JSON.parse(undisturbed.stdout);
  expect(ok).toBe(true);
  expect(operations).toBeGreaterThan(20);
  const outcomes = new Set<string>();
  for (const operation of chosenPoints(operations)) {
    const ended = await written(text, operation);
    expect(ended.signal, ended.stderr).toBe('SIGKILL');
    const now = readFileSync(file, 'utf8');
    expect([old, text], `operation ${operation}`).toContain(now);
    outcomes.add(now === old ? 'old' : 'new');
    const write = { file, expected: now, text: `${now}# later\n`, mode: 0o600 };
    const later = await writeLocked({ ...write, signal: AbortSignal.timeout(30_000) }, deps);
    expect(later, `operation ${operation}`).toEqual({ ok: true });
    expect(readFileSync(join(folder, 'dotfiles', 'kube'), 'utf8')).toBe(`${now}# later\n`);
    expect([readdirSync(folder).sort(), readdirSync(join(folder, 'dotfiles'))]).toEqual([
      ['config', 'dotfiles'],
      ['kube'],
    ]);
  }
  if (isLong) {
    expect([...outcomes].sort()).toEqual(['new', 'old']);
  }
}, 600_000);

describe('a file system that takes no more', () => {
  const script = `
    mount -t tmpfs -o size=64k,mode=700 tmpfs "$FOLDER"
    printf '%s' old > "$FOLDER/config"
    PREPARE
    "$NODE" "$PROGRAM" "$FOLDER/config" old "$TEXT"
    test "$(cat "$FOLDER/config")" = old
    test "$(ls -A "$FOLDER" | grep -v filler)" = config`;

  test.for([
    ['is full', 'head -c 50k /dev/zero > "$FOLDER/filler"', 'the disk is full: make room and try again'],
    ['is read-only', 'mount -o remount,ro tmpfs "$FOLDER"', 'the file system is read-only'],
  ] as const)('%s: the old one stays, and the user is told', async ([, prepare, hint], { skip }) => {
    skip(!(await canMount()), 'no mount of one’s own here');
    const env = { FOLDER: folder, NODE: process.execPath, PROGRAM: program, TEXT: 'x'.repeat(60_000) };
    const [answer] = await runScript(script.replace('PREPARE', prepare), env, ...ownMount);
    expect(answer).toMatchObject({ error: 'file.write', hint });
  });
});

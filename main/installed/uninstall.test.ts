import { existsSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { asOn } from '../../test/support/as-on-windows.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { FakeKeychain } from '../../test/support/vault-parts.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { EditedKubeconfig, UndoKubeconfigs } from '../ports/undo-kubeconfigs.ts';
import type { DockerConfigs } from './docker/docker-configs.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { place } from './place.ts';
import { type UninstallDeps, uninstall } from './uninstall.ts';
import { planUninstall } from './uninstall-plan.ts';

const vaultId = '0f8fad5b-d9cb-469f-a165-70867728950e';
let home: string;
let ledger: Ledger;
let keychain: FakeKeychain;
/** What happened, in order. */
let done: string[];
let edited: EditedKubeconfig[];

beforeEach(async () => {
  home = folderForTest();
  ledger = createLedger({ file: join(home, 'installed.json'), alone: (work) => work() });
  keychain = new FakeKeychain();
  await keychain.set('Lanyard', vaultId, 'key');
  await writeFile(join(home, 'vault'), 'sealed');
  await place(
    { kind: 'unit', path: join(home, 'out', 'unit'), content: Buffer.from('u') },
    { ledger, now: () => 1 },
  );
  done = [];
  edited = [];
  dockerFiles = [];
});

let dockerFiles: { file: string; changedSince: boolean }[];
const docker: Pick<DockerConfigs, 'list' | 'undo'> = {
  list: async () => dockerFiles,
  undo: async (file) => {
    if (file.startsWith('/other')) {
      throw new BrokerError('docker.foreign', 'it belongs to another user');
    }
    done.push(`undo ${file}, vault ${existsSync(join(home, 'vault'))}`);
    return { how: 'restored' };
  },
};

let withContexts: { file: string; clusters: number }[] = [];
const userContexts = {
  files: () => withContexts,
  takeOut: async (file: string | null) => {
    done.push(`contexts out of ${file}`);
    return file === '/stays' ? 'it is locked' : null;
  },
};
const kubeconfigs: UndoKubeconfigs = {
  list: async () => edited,
  difference: async () => '',
  undo: async (file) => {
    done.push(`undo ${file}, vault ${existsSync(join(home, 'vault'))}`);
    edited = edited.filter((each) => each.file !== file);
    return { ok: true };
  },
};

async function carryOut(more: Partial<UninstallDeps> = {}, withVault = true) {
  const planned = await planUninstall(
    { withVault, withConfig: false },
    { ledger, userContexts, kubeconfigs, docker, home, managed: join(home, 'kubeconfig') },
  );
  // The file here is no real vault, whose header would tell this.
  const plan = { ...planned, vaults: { files: planned.vaults.files, keychainIds: [vaultId] } };
  return uninstall(plan, {
    ledger,
    userContexts,
    kubeconfigs,
    docker,
    vault: { keychain, keychainService: 'Lanyard', close: async () => void done.push('vault closed') },
    forgetService: async () => void done.push('units read again'),
    now: () => 1,
    say: () => undefined,
    signal: new AbortController().signal,
    mayUndoChanged: async () => false,
    ...more,
  });
}

const kubeconfig = (file: string, changedSince = false): EditedKubeconfig => ({ file, at: 1, changedSince });

test('kubeconfigs are restored first, the vault goes last, and its key with it', async () => {
  edited = [kubeconfig('/a'), kubeconfig('/b')];
  expect(await carryOut()).toEqual({
    left: [],
    stillNamed: [],
    aside: [],
    failed: [],
    vaultRemoved: true,
  });
  expect(done).toEqual(['undo /a, vault true', 'undo /b, vault true', 'units read again', 'vault closed']);
  expect([existsSync(join(home, 'vault')), existsSync(join(home, 'out'))]).toEqual([false, false]);
  expect([...keychain.entries]).toEqual([]);
  expect(await ledger.entries()).toEqual([]);
});

test('contexts go from the user’s files first; the vault and the helper stay where they don’t', async () => {
  edited = [kubeconfig('/a')];
  withContexts = [
    { file: '/a', clusters: 2 },
    { file: '/stays', clusters: 1 },
  ];
  expect(await carryOut()).toMatchObject({
    left: [{ path: '/stays', why: 'it is locked' }],
    stillNamed: ['/stays'],
    vaultRemoved: false,
  });
  expect(done.slice(0, 3)).toEqual(['contexts out of /a', 'contexts out of /stays', 'undo /a, vault true']);
  withContexts = [];
});

test('KEP-541/kubeconfig-unchanged: a kubeconfig that was changed since is left without an answer, and the vault with its old content', async () => {
  edited = [kubeconfig('/changed', true), kubeconfig('/b')];
  const outcome = await carryOut();
  expect(outcome).toMatchObject({ stillNamed: ['/changed'], vaultRemoved: false });
  expect(outcome.left).toMatchObject([{ path: '/changed' }]);
  expect(done).toEqual(['undo /b, vault true', 'units read again']);
  expect(await readFile(join(home, 'vault'), 'utf8')).toBe('sealed');
  expect(keychain.entries.size).toBe(1);
});

test('the user may have a changed kubeconfig restored all the same', async () => {
  edited = [kubeconfig('/changed', true)];
  expect(await carryOut({ mayUndoChanged: async () => true })).toMatchObject({ stillNamed: [] });
  expect(done[0]).toContain('undo /changed');
});

test('what can’t be restored is left, and keeps the vault', async () => {
  edited = [kubeconfig('/a')];
  const undo = async () =>
    ({ ok: false, reason: 'internal', code: 'x', message: 'the disk is full' }) as const;
  expect(await carryOut({ kubeconfigs: { undo } })).toMatchObject({
    left: [{ path: '/a', why: 'the disk is full' }],
    stillNamed: ['/a'],
    vaultRemoved: false,
  });
});

test('without --with-vault the vault and its key stay', async () => {
  expect(await carryOut({}, false)).toMatchObject({ vaultRemoved: false });
  expect([existsSync(join(home, 'vault')), keychain.entries.size]).toEqual([true, 1]);
  expect(done).not.toContain('vault closed');
});

test('a key that the keychain kept is remembered without the vault, and goes the next time', async () => {
  keychain.failure = { ok: false, reason: 'locked', message: 'the keyring is locked' };
  keychain.delete = async () => keychain.failure ?? { ok: true };
  expect(await carryOut()).toMatchObject({ failed: [{ why: 'the keyring is locked' }] });
  expect(existsSync(join(home, 'vault'))).toBe(false);
  keychain.failure = null;
  const deleted: string[] = [];
  keychain.delete = async (service, name) => {
    deleted.push(`${service}/${name}`);
    return { ok: true };
  };
  await carryOut({}, false);
  expect(deleted).toEqual([`Lanyard/${vaultId}`]);
  expect(await ledger.entries()).toEqual([]);
});

test('of a managed kubeconfig only Lanyard’s entries go where others wrote into it', async () => {
  const path = join(home, 'kubeconfig');
  const theirs = '{name: theirs, user: {token: t}}';
  await writeFile(
    path,
    `apiVersion: v1\nkind: Config\nusers: [{name: "lanyard:a@b", user: {}}, ${theirs}]\n`,
  );
  await carryOut({}, false);
  const text = await readFile(path, 'utf8');
  expect([text.includes('theirs'), text.includes('lanyard:a@b')]).toEqual([true, false]);
  await writeFile(path, 'apiVersion: v1\nkind: Config\nusers: [{name: "lanyard:a@b", user: {}}]\n');
  await carryOut({}, false);
  expect(existsSync(path)).toBe(false);
  await writeFile(path, 'users: {');
  expect(await carryOut({}, false)).toMatchObject({ failed: [{ path }] });
  expect(await readFile(path, 'utf8')).toBe('users: {');
});

test('docker’s files are restored, too; one that stays keeps the vault with its old content', async () => {
  dockerFiles = [
    { file: '/home/a/.docker/config.json', changedSince: false },
    { file: '/other/config.json', changedSince: true },
  ];
  expect(await carryOut({})).toMatchObject({
    stillNamed: ['/other/config.json'],
    left: [{ path: '/other/config.json', why: 'it belongs to another user' }],
    vaultRemoved: false,
  });
  expect(done).toContain('undo /home/a/.docker/config.json, vault true');
  expect(existsSync(join(home, 'vault'))).toBe(true);
});

test('on Windows a program that runs, such as the one that asks, gets another name, and stays on the list by it', async () => {
  asOn('win32');
  const program = join(home, 'WindowsApps', 'lanyard.exe');
  const deps = { ledger, now: () => 1 };
  await place({ kind: 'file', path: program, content: Buffer.from('helper'), executable: true }, deps);
  const refused = () => Promise.reject(Object.assign(new Error('it runs'), { code: 'EPERM' }));
  const isProgram = (path: string) => path.includes('lanyard.exe');
  const files = {
    rename: async (from: string, to: string) => renameSync(from, to),
    unlink: async (path: string) => (isProgram(path) ? refused() : unlinkSync(path)),
  };
  const outcome = await carryOut({ files });
  expect(outcome).toMatchObject({
    failed: [],
    aside: [expect.stringMatching(/lanyard\.exe\.old-[0-9a-f]{8}$/)],
  });
  expect(readdirSync(join(home, 'WindowsApps')).map((name) => join(home, 'WindowsApps', name))).toEqual(
    outcome.aside,
  );
  const left = (await ledger.entries()).map(({ path }) => path);
  expect(left).toEqual(expect.arrayContaining([...outcome.aside]));
  expect(left).not.toContain(program);

  // While it runs on, the next time finds it as it is; once it has ended, it goes.
  expect(await carryOut({ files })).toMatchObject({ failed: [], aside: outcome.aside });
  expect(await carryOut()).toMatchObject({ failed: [], aside: [] });
  expect(existsSync(join(home, 'WindowsApps'))).toBe(false);
});

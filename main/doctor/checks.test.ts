import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { asOn } from '../../test/support/as-on-windows.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { config as configSchema } from '../contract/config/config.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import { resolvePaths } from '../domain/paths.ts';
import type { KeychainFound } from '../ports/keychain.ts';
import type { SlotKind, VaultState } from '../ports/vault.ts';
import { sharedAudiences } from './accounts/shared-audiences.ts';
import { brokerCheck } from './broker/broker-check.ts';
import { keychainCheck } from './broker/keychain-check.ts';
import { recordsCheck } from './broker/records-check.ts';
import { undoneCheck } from './broker/undone-check.ts';
import { observeVault } from './broker/vault-check.ts';
import type { Check } from './check.ts';
import { homeCheck } from './home/home-check.ts';
import { lockHolder } from './home/lock-holder.ts';
import { noBrokerCheck } from './home/no-broker-check.ts';

const signal = new AbortController().signal;
const run = async (check: Check) => check.run(signal);

test.each([
  ['0.1.0', 'ok'],
  [undefined, 'ok'],
  ['0.2.0', 'warning'],
] as const)('a broker 0.1.0 asked by a helper %s: %s', async (helperVersion, level) => {
  expect(await run(brokerCheck({ version: '0.1.0', pid: 1, helperVersion }))).toMatchObject([{ level }]);
});

test.each<[string, VaultState, string[]]>([
  ['open', { kind: 'open', slots: ['keychain', 'recoveryKey'], generation: 3 }, ['ok']],
  ['open by one way', { kind: 'open', slots: ['keychain'], generation: 3 }, ['ok', 'note']],
  ['locked', { kind: 'locked', how: 'passphrase', reason: 'x' }, ['warning']],
  ['not there', { kind: 'none', reason: 'x' }, ['problem']],
  ['broken', { kind: 'broken', code: 'x', reason: 'x', hint: 'lanyard vault restore' }, ['problem']],
])('a vault that is %s', (_, state, levels) => {
  const found = observeVault(state);
  expect(found.map(({ level }) => level)).toEqual(levels);
  expect(found.every(({ level, hint }) => level === 'ok' || hint !== null)).toBe(true);
});

const away: KeychainFound = { ok: false, reason: 'unavailable', message: 'no Secret Service' };
const shut: KeychainFound = { ok: false, reason: 'locked', message: 'the keychain is locked' };
test.each<[string, KeychainFound, SlotKind[] | null, string, string | null]>([
  ['answers', { ok: true, value: null }, ['keychain'], 'ok', null],
  ['is away, and opens the vault', away, ['keychain', 'passphrase'], 'problem', '--without-keychain'],
  ['is locked, and opens the vault', shut, ['keychain'], 'problem', 'lanyard unlock'],
  ['is away, and is not needed', away, ['passphrase'], 'ok', null],
  ['is away, and nobody knows whether it is needed', away, null, 'problem', '--without-keychain'],
])('a keychain that %s', async (_, answer, ways, level, hint) => {
  const asked: string[] = [];
  const get = async (_service: string, name: string) => {
    asked.push(name);
    return answer;
  };
  const [found] = await run(keychainCheck({ get }, () => ways));
  expect(found?.level).toBe(level);
  expect(found?.hint ?? '').toContain(hint ?? '');
  // Searching for a stored key would unlock the keychain, and so ask the user.
  expect(asked).toEqual(['lanyard-doctor']);
});

test('what does not go on record, and an endpoint that is not there, are said', async () => {
  expect(await run(recordsCheck({ history: [], metrics: null }))).toEqual([]);
  const found = await run(recordsCheck({ history: ['history.db can’t be written'], metrics: 'port taken' }));
  expect(found).toMatchObject([
    { check: 'history', level: 'warning' },
    { check: 'metrics', level: 'warning' },
  ]);
});

test('edits that other programs undid are warnings, each in its own group', async () => {
  const one = { what: 'docker', file: '/d', text: 'docker no longer asks Lanyard', command: 'c' } as const;
  const other = { ...one, what: 'kubeconfig', file: '/k' } as const;
  const undone = async () => [one, other];
  expect(await run(undoneCheck('docker', 'registries', undone))).toEqual([
    { check: 'docker.undone', level: 'warning', message: one.text, hint: 'c', subject: '/d' },
  ]);
  expect(await run(undoneCheck('kubeconfig', 'kubeconfigs', undone))).toMatchObject([{ subject: '/k' }]);
});

describe('servers that take the same token', () => {
  const issuer = 'https://id.example.com';
  const one = { oidc: { issuer, clientId: 'kubernetes' } };
  const at = (host: string, account: string, more: object = {}) => ({
    server: `https://${host}`,
    account,
    ...more,
  });
  test.each<[string, object, object, string[]]>([
    ['two servers of one account', { a: one }, { x: at('x', 'a'), y: at('y', 'a') }, ['a']],
    ['one server twice', { a: one }, { x: at('x', 'a'), y: at('x/', 'a'), z: at('X:443', 'a') }, []],
    [
      'audiences of their own',
      { a: one },
      { x: at('x', 'a', { audience: 'x' }), y: at('y', 'a', { audience: 'y' }) },
      [],
    ],
    [
      'one audience for two',
      { a: one },
      { x: at('x', 'a', { audience: 'z' }), y: at('y', 'a', { audience: 'z' }) },
      ['a'],
    ],
    ['two accounts of one client', { a: one, b: one }, { x: at('x', 'a'), y: at('y', 'b') }, ['a, b']],
    [
      'two clients',
      { a: one, b: { oidc: { issuer, clientId: 'other' } } },
      { x: at('x', 'a'), y: at('y', 'b') },
      [],
    ],
    ['a static token', { a: { staticToken: {} } }, { x: at('x', 'a'), y: at('y', 'a') }, ['a']],
    [
      'a certificate, whose key is not sent',
      { a: { clientCertificate: {} } },
      { x: at('x', 'a'), y: at('y', 'a') },
      [],
    ],
  ])('%s', (_, accounts, clusters, subjects) => {
    const parsed = configSchema.parse({ version: 1, accounts, clusters });
    const loaded = <T>(of: Record<string, T>) =>
      new Map(
        Object.entries(of).map(([name, config]) => [name, { name, config, certificateAuthorityPem: null }]),
      );
    const config = {
      accounts: loaded(parsed.accounts),
      clusters: loaded(parsed.clusters),
    } as unknown as LoadedConfig;
    const found = sharedAudiences(config);
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
    // What config.yaml would refuse is not advised.
    const advised = found.filter(({ hint }) => hint?.includes('audience')).map(({ subject }) => subject);
    expect(advised).toEqual('oidc' in Object.values(accounts)[0] ? subjects : []);
  });
});

describe.skipIf(process.platform === 'win32')('the home', () => {
  let home: string;
  beforeEach(() => {
    home = folderForTest();
  });
  const paths = () => resolvePaths({ LANYARD_HOME: home }, process.platform);
  const levels = async () =>
    (await run(homeCheck(paths(), null))).map(({ check, level }) => `${check} ${level}`);

  it('is private', async () => {
    expect(await levels()).toEqual(['home ok']);
  });

  it('is open to others', async () => {
    await chmod(home, 0o750);
    const [found] = await run(homeCheck(paths(), null));
    expect(found).toMatchObject({
      check: 'home',
      level: 'problem',
      hint: expect.stringContaining('chmod 700'),
    });
  });

  it('is told on Windows by access lists, those of the vault’s files, too', async () => {
    await writeFile(join(home, 'vault'), '');
    const open = new Set([home]);
    const access = { isOpen: (path: string) => open.has(path), close: () => undefined };
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(null as never);
    onTestFinished(() => getuid.mockRestore());
    const there = paths();
    asOn('win32');
    const look = async () =>
      (await run(homeCheck(there, access))).map(({ level, message }) => `${level} ${message}`);
    expect(await look()).toEqual([`problem the home ${home} is open to others`]);
    open.clear();
    open.add(join(home, 'vault'));
    expect(await look()).toEqual([
      `ok ${home} is private`,
      `warning ${join(home, 'vault')} is open to others`,
    ]);
  });

  it('is not there, and is not made', async () => {
    await rm(home, { recursive: true });
    expect(await levels()).toEqual(['home problem']);
    await expect(mkdir(home)).resolves.toBeUndefined();
  });

  it('holds a vault that others can read, and a socket that is none', async () => {
    await writeFile(join(home, 'vault'), '');
    await chmod(join(home, 'vault'), 0o644);
    await writeFile(join(home, 'lanyard.sock'), '');
    expect(await levels()).toEqual(['home ok', 'socket problem', 'home.files warning']);
  });
});

describe('who holds the lock of a home', () => {
  let folder: string;
  beforeEach(() => {
    folder = folderForTest();
  });

  it.each<[string, (inode: string) => string, object]>([
    [
      'held',
      (inode) =>
        `1: POSIX  ADVISORY  WRITE 7 08:01:${inode} 0 EOF\n2: FLOCK  ADVISORY  WRITE 4711 08:01:${inode} 0 EOF\n`,
      { kind: 'held', pid: 4711 },
    ],
    [
      'held by somebody whose pid is not told',
      (inode) => `2: FLOCK  ADVISORY  WRITE 0 00:2f:${inode} 0 EOF\n`,
      { kind: 'held', pid: null },
    ],
    [
      'another file’s',
      (inode) => `2: FLOCK  ADVISORY  WRITE 4711 08:01:${inode}9 0 EOF\n`,
      { kind: 'nobody' },
    ],
    [
      'of another kind',
      (inode) => `2: POSIX  ADVISORY  WRITE 4711 08:01:${inode} 0 EOF\n`,
      { kind: 'nobody' },
    ],
    ['waited for', (inode) => `2: -> FLOCK  ADVISORY  WRITE 4711 08:01:${inode} 0 EOF\n`, { kind: 'nobody' }],
  ])('%s', async (_, table, holder) => {
    const lock = join(folder, 'lock');
    await writeFile(lock, '');
    const { ino } = await import('node:fs').then(({ statSync }) => statSync(lock));
    await writeFile(join(folder, 'locks'), table(String(ino)));
    expect(await lockHolder(lock, join(folder, 'locks'))).toEqual(holder);
  });

  it('no one where there is no such file, which is not made; unknown where the system does not tell', async () => {
    expect(await lockHolder(join(folder, 'lock'))).toEqual({ kind: 'nobody' });
    await writeFile(join(folder, 'lock'), '');
    expect(await lockHolder(join(folder, 'lock'), join(folder, 'no-table'))).toEqual({ kind: 'unknown' });
  });

  it.each([
    [
      { kind: 'held', pid: 7 } as const,
      /an agent \(pid 7\) has this home, and does not answer \(because\)/,
      /agent\.log/,
    ],
    [{ kind: 'nobody' } as const, /no agent runs \(because\)/, /lanyard agent, with LANYARD_HOME set to \/h/],
    [{ kind: 'unknown' } as const, /no agent answers \(because\)/, /lanyard agent/],
  ])('is what doctor begins with: %o', async (holder, message, hint) => {
    const paths = { home: '/h', log: '/h/agent.log', homeVariable: '/h' };
    expect(await run(noBrokerCheck(paths, 'because', async () => holder))).toMatchObject([
      { level: 'problem', message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
    ]);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { folderForTest } from '../../../../test/support/temporary-folder.ts';
import { createConfigStore } from '../../../config/store.ts';
import { type AccountDraft, accountCalls } from '../../../contract/ui/calls/accounts.ts';
import type { LoadedAccount } from '../../../domain/loaded-config.ts';
import { silentLog } from '../../../ports/log.ts';
import { type AccountsCallsDeps, createAccountsCalls } from './accounts-calls.ts';

const hidden = 'a-canary-7f3c1e9b2d4a68057f3c1e9b2d4a6805';
const text = `version: 1
accounts:
  corp:
    oidc:
      issuer: https://id.example.com
      clientId: kubernetes
      extraHeaders: { X-Api-Token: ${hidden} }
  bot: { staticToken: {} }
`;

/** A folder of the broker’s PATH that no search path has without being told. */
const away = join(tmpdir(), 'away');
let folder: string;
let config: Awaited<ReturnType<typeof createConfigStore>>;
let tested: LoadedAccount[];
let survey: (signal: AbortSignal) => Promise<never[]>;
let isHeld: boolean;
let now: number;
let calls: ReturnType<typeof createAccountsCalls>;

beforeEach(async () => {
  folder = folderForTest();
  const file = join(folder, 'config.yaml');
  writeFileSync(file, text);
  config = await createConfigStore({ file, log: silentLog });
  [tested, survey, isHeld, now] = [[], async () => [], false, 0];
  const content = { sessions: {}, secrets: {} };
  calls = createAccountsCalls({
    config,
    gate: () => null,
    log: silentLog,
    clock: { boottime: () => now },
    vault: {
      state: () => ({ kind: 'open', slots: ['keychain'], generation: 2 }),
      read: () => content,
      update: async () => undefined,
    },
    bindings: {
      pending: () => (isHeld ? { change: 'changed', lines: [] } : null),
      approve: async () => undefined,
      forgetAccount: async () => undefined,
    },
    recorder: { record: () => undefined },
    directory: { peekAccount: () => null },
    programs: {},
    plugins: { one: async () => null },
    onRemoved: () => undefined,
    environment: { PATH: away },
    findProgram: async (name: string, searchPath: string) =>
      name === 'aws' && searchPath.includes(away)
        ? { path: join(away, name), target: join(away, name) }
        : null,
    makeAccount: (loaded: LoadedAccount) => {
      tested.push(loaded);
      return { survey };
    },
  } as unknown as AccountsCallsDeps);
});
afterEach(async () => {
  vi.useRealTimers();
  await config.dispose();
});

const draft = (more: Partial<AccountDraft> = {}): AccountDraft => ({
  name: 'corp',
  isNew: false,
  kind: 'oidc',
  set: {},
  unset: [],
  ...more,
});
const aNew = (set: AccountDraft['set'], kind: AccountDraft['kind'] = 'oidc') =>
  draft({ name: 'new', isNew: true, kind, set });
const good = { issuer: 'https://a.example', clientId: 'x' };
const context = (signal = new AbortController().signal) => ({ signal, progress: () => undefined });
const runTest = (what: AccountDraft, signal?: AbortSignal) => calls['account.test'](what, context(signal));

describe('a header that no page gets', () => {
  const told = () => JSON.stringify(tested.map((account) => account.config)).includes(hidden);

  test('is not shown, and goes where the user approved', async () => {
    const shown = JSON.stringify(await calls['account.show']({ account: 'corp' }, context()));
    expect(shown).not.toContain(hidden);
    await runTest(draft({ set: { clientId: 'another' } }));
    expect(told()).toBe(true);
  });

  test.each([
    { issuer: 'https://a.example' },
    { proxyUrl: 'http://a.example:8080' },
    { certificateAuthorityData: Buffer.from('x').toString('base64') },
  ])('is not sent to where a page leads it: %j', async (set) => {
    await runTest(draft({ set }));
    expect(told()).toBe(false);
  });

  test('is not sent where the account is pending approval', async () => {
    isHeld = true;
    await runTest(draft());
    expect(tested).toHaveLength(1);
    expect(told()).toBe(false);
  });
});

test('the removal names what uses the account', async () => {
  const users = 'registries:\n  ghcr: { matchImages: [ghcr.io], account: bot }\n';
  writeFileSync(config.file, text + users);
  await config.reload();
  expect(await calls['account.removal']({ account: 'bot' }, context())).toMatchObject({
    users: [{ what: 'registry', names: ['ghcr'] }],
  });
});

describe('a test of a new account', () => {
  const unnamed = (set: AccountDraft['set'], kind: AccountDraft['kind'] = 'oidc') => ({
    ...aNew(set, kind),
    name: '',
  });

  test('needs no name: commands in what it says have a placeholder', async () => {
    await runTest(unnamed(good));
    expect(tested.map(({ name }) => name)).toEqual(['ACCOUNT']);
  });

  test('leads to the key whose value is wrong', async () => {
    const found = await runTest(unnamed({ ...good, redirectPorts: [80, 'x'] }));
    expect(found).toMatchObject({ findings: [{ level: 'problem', field: 'redirectPorts' }] });
    expect(tested).toEqual([]);
  });

  test('leads to the key that an account’s own check names', async () => {
    const finding = { check: 'account.program', level: 'problem' as const, message: 'gone', hint: null };
    survey = async () => [{ ...finding, key: 'searchPath' }, finding] as never[];
    const found = await runTest(unnamed(good));
    expect(found.findings.map(({ field }) => field)).toEqual(['searchPath', null]);
  });
});

describe('a command', () => {
  const plugin = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
  const elsewhereOf = async (set: AccountDraft['set']) =>
    (await calls['account.check'](aNew({ ...plugin, ...set }, 'execPlugin'), context())).elsewhere;

  test('is offered from the broker’s own PATH where the search path lacks it', async () => {
    const at = await elsewhereOf({ command: 'aws' });
    expect(at).toEqual({ folder: away, searchPath: expect.stringContaining(away) });
    expect(await elsewhereOf({ command: 'aws', searchPath: at?.searchPath ?? '' })).toBeNull();
  });

  test.each(['nowhere', '../aws', '/opt/aws'])('%s is not offered', async (command) => {
    expect(await elsewhereOf({ command })).toBeNull();
  });
});

describe('what a page asks for', () => {
  test('four at once: the fifth is refused until one has really ended, whoever still waits', async () => {
    const ends: ((found: never[]) => void)[] = [];
    survey = () => new Promise((resolve) => ends.push(resolve));
    const page = new AbortController();
    const running = Array.from({ length: 4 }, () => runTest(aNew(good), page.signal));
    await expect.poll(() => ends.length).toBe(4);
    page.abort(new Error('the page is gone'));
    for (const each of running) {
      await expect(each).rejects.toThrow('the page is gone');
    }
    await expect(runTest(aNew(good))).rejects.toMatchObject({ code: 'test.busy' });
    ends[0]?.([]);
    survey = async () => [];
    await expect
      .poll(() =>
        runTest(aNew(good)).then(
          () => 'ran',
          () => 'busy',
        ),
      )
      .toBe('ran');
  });

  test('forty in a minute: one more waits for the next', async () => {
    for (let count = 0; count < 40; count++) {
      await runTest(aNew(good));
    }
    await expect(runTest(aNew(good))).rejects.toMatchObject({ code: 'test.busy' });
    now += 60_000;
    await expect(runTest(aNew(good))).resolves.toEqual({ findings: [] });
  });

  test('that never answers is given up, in words', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
    survey = () => new Promise(() => undefined);
    const running = runTest(aNew(good));
    await vi.waitFor(() => expect(tested).toHaveLength(1));
    limit.abort(new DOMException('over', 'TimeoutError'));
    await expect(running).rejects.toMatchObject({ code: 'account.test.slow', reason: 'timedOut' });
  });
});

describe('a path on another machine', () => {
  const share = '\\\\evil.example\\share\\x';
  test.each<[AccountDraft['kind'], string]>([
    ['oidc', 'certificateAuthority'],
    ['staticToken', 'file'],
    ['clientCertificate', 'certificateFile'],
    ['clientCertificate', 'keyFile'],
    ['execPlugin', 'command'],
    ['execPlugin', 'searchPath'],
  ])('of %s, as %s, is neither looked at nor saved', async (kind, key) => {
    const look = vi.spyOn(config, 'look');
    for (const path of [share, '//evil.example/share/x', '/\\evil.example\\x']) {
      const what = aNew({ [key]: path }, kind);
      expect(await calls['account.check'](what, context())).toMatchObject({ problems: [{ field: key }] });
      expect(await runTest(what)).toMatchObject({ findings: [{ level: 'problem' }] });
      await expect(calls['account.save'](what, context())).rejects.toMatchObject({ code: 'account.path' });
    }
    expect(look).not.toHaveBeenCalled();
    expect(readFileSync(config.file, 'utf8')).toBe(text);
  });
});

describe('a strange name or key', () => {
  const call = (name: 'account.check' | 'account.save' | 'account.test', input: unknown) =>
    calls[name](accountCalls[name].input.parse(input), context());
  const strange = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../etc',
    'a b',
    '',
    '\u202ea',
  ];

  test.each(strange)('%j as the name of an account that isn’t there', async (name) => {
    const before = readFileSync(config.file, 'utf8');
    await expect(call('account.save', draft({ name }))).rejects.toMatchObject({ code: 'account.gone' });
    await expect(calls['account.restore']({ account: name }, context())).rejects.toMatchObject({
      code: 'account.notRemembered',
    });
    await expect(calls['account.remove']({ account: name }, context())).rejects.toMatchObject({
      reason: 'notFound',
    });
    expect(await calls['account.removal']({ account: name }, context())).toEqual({
      session: null,
      secrets: [],
      users: [],
    });
    expect(readFileSync(config.file, 'utf8')).toBe(before);
    expect(({} as Record<string, unknown>)['oidc']).toBeUndefined();
  });

  test('of those that may be names, one can be added, removed and restored; the others can’t be added', async () => {
    const refused: string[] = [];
    for (const name of strange) {
      const what = { ...aNew({}, 'staticToken'), name };
      await call('account.save', what).catch(() => refused.push(name));
    }
    expect(refused).toEqual(['__proto__', '../../etc', 'a b', '', '\u202ea']);
    await calls['account.remove']({ account: 'constructor' }, context());
    expect(await calls['account.restorable']({}, context())).toEqual({ accounts: ['constructor'] });
    await calls['account.restore']({ account: 'constructor' }, context());
    expect(config.current().accounts.has('constructor')).toBe(true);
  });

  test('a key that no kind has is refused, also one that every object seems to have', async () => {
    for (const key of ['constructor', 'toString', 'oidc']) {
      const what = aNew({ [key]: {} });
      await expect(call('account.save', what)).rejects.toMatchObject({ code: 'account.key' });
    }
    const set = JSON.parse('{"__proto__":{"issuer":"https://a.example"},"clientId":"x"}');
    const run = async () => call('account.test', { ...aNew({}), set });
    await run().then(
      (found) => expect(found).toMatchObject({ findings: [{ level: 'problem' }] }),
      (error) => expect(error).toMatchObject({ code: 'account.key' }),
    );
    expect(tested).toEqual([]);
    expect(readFileSync(config.file, 'utf8')).toBe(text);
  });

  test('what is nested without end, or much too long, changes nothing and is read no further', async () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const value of [deep, 'x'.repeat(900_000), Array.from({ length: 10_000 }, () => 'x y')]) {
      for (const name of ['account.save', 'account.test'] as const) {
        const run = async (): Promise<unknown> => call(name, aNew({ ...good, scopes: value }));
        await run().catch(() => undefined);
      }
    }
    expect(tested).toEqual([]);
    expect(readFileSync(config.file, 'utf8')).toBe(text);
  });
});

test('what can be restored is bounded, and pending when it is', async () => {
  const names = Array.from({ length: 22 }, (_, index) => `n${index}`);
  for (const name of names) {
    await calls['account.save']({ ...aNew({}, 'staticToken'), name }, context());
    await calls['account.remove']({ account: name }, context());
  }
  const { accounts } = await calls['account.restorable']({}, context());
  expect(accounts).toEqual(names.slice(2).toReversed());
  isHeld = true;
  expect(await calls['account.restore']({ account: 'n21' }, context())).toEqual({ held: true });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { frameLimitBytes } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { storedLimits } from '../../domain/image/stored-logins.ts';
import { kubectl } from '../../history/testing/sample-events.ts';
import type { DoorContext } from '../../ports/door.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { type ConfiguredRegistry, createDockerDoor } from './index.ts';

let vault: FakeVault;
let recorded: HistoryEvent[];
let locked: Refusal | null;
let configured: { key: string; calledAs: string | null; registry: ConfiguredRegistry } | null;
let recordFails: boolean;

beforeEach(() => {
  vault = new FakeVault();
  recorded = [];
  locked = null;
  configured = null;
  recordFails = false;
});

const context = { caller: kubectl } as DoorContext;

/** `code stdout`, or `code stderr` where nothing is on stdout. */
async function ask(action: string, input: string | Uint8Array = '', calledAs: string | null = null) {
  const door = createDockerDoor({
    vault,
    gate: () => locked,
    configured: {
      find: ({ key }, name) =>
        configured?.key === key && configured.calledAs === name ? configured.registry : null,
    },
    fallback: {
      get: async () => null,
      holder: async () => null,
    },
    recorder: {
      record: (event) => {
        if (recordFails) {
          throw new BrokerError('history.failed', 'the history can’t be written');
        }
        recorded.push(event);
      },
    },
  });
  const { code, stdout, stderr } = await door(
    { calledAs, action, input: Buffer.from(input).toString('base64') },
    context,
  );
  return `${code} ${stdout ?? stderr ?? ''}`;
}

const entry = (serverUrl: string, userName = 'alice', secret = 'pass') =>
  JSON.stringify({ ServerURL: serverUrl, Username: userName, Secret: secret });
const line = (serverUrl: string, userName = 'alice', secret = 'pass') =>
  `0 ${entry(serverUrl, userName, secret)}\n`;
const notFound = '1 credentials not found in native keychain\n';

describe('stored entries', () => {
  it('come back by each name of their server, under the name that was asked for', async () => {
    expect(await ask('store', entry('https://index.docker.io/v1/'))).toBe('0 ');
    for (const name of [
      'docker.io',
      'https://index.docker.io/v1/',
      'registry-1.docker.io',
      'index.docker.io',
    ]) {
      expect(await ask('get', `${name}\n`)).toBe(line(name));
    }
    expect(await ask('get', 'https://index.docker.io/v1/access-token')).toBe(notFound);
    expect(await ask('get', 'http://docker.io')).toBe(notFound);
  });

  it('are replaced, whichever name they had, and listed as they were stored last', async () => {
    await ask('store', entry('https://index.docker.io/v1/'));
    await ask('store', entry('quay.io/Org', 'bob'));
    await ask('store', entry('docker.io', '<token>', ''));
    expect(await ask('get', 'docker.io')).toBe(
      '0 {"ServerURL":"docker.io","Username":"\\u003ctoken\\u003e","Secret":""}\n',
    );
    expect(await ask('list')).toBe('0 {"docker.io":"\\u003ctoken\\u003e","quay.io/Org":"bob"}\n');
    expect(Object.keys(vault.content.registryLogins)).toEqual(['docker.io', 'quay.io/Org']);
  });

  it('are erased in both generations, in one write; erasing nothing is good and writes nothing', async () => {
    await ask('store', entry('ghcr.io'));
    await ask('store', entry('quay.io'));
    expect(await ask('erase', 'https://ghcr.io\n')).toBe('0 ');
    expect(vault.writes).toHaveLength(3);
    expect(vault.writes[2]).toMatchObject({ bothGenerations: true });
    expect(await ask('get', 'ghcr.io')).toBe(notFound);
    expect(await ask('erase', 'ghcr.io')).toBe('0 ');
    expect(vault.writes).toHaveLength(3);
    expect(await ask('list')).toBe('0 {"quay.io":"alice"}\n');
  });

  it('of a host that is called as what every object has are none', async () => {
    expect(await ask('get', 'constructor')).toBe(notFound);
    expect(await ask('erase', 'constructor')).toBe('0 ');
    expect(vault.writes).toEqual([]);
  });

  /** (rule: everything-recorded) */
  it('are on record before they leave, without an account; what isn’t there is not', async () => {
    await ask('store', entry('ghcr.io'));
    await ask('get', 'GHCR.io');
    await ask('get', 'quay.io');
    await ask('erase', 'ghcr.io');
    expect(recorded).toMatchObject([
      { kind: 'change', what: 'registry-login.store', name: 'ghcr.io' },
      {
        kind: 'call',
        door: 'docker',
        account: null,
        target: { kind: 'registry-login', name: 'ghcr.io' },
        outcome: 'handedOut',
        reason: 'held',
      },
      { kind: 'change', what: 'registry-login.erase', name: 'ghcr.io' },
    ]);
    expect(JSON.stringify(recorded)).not.toMatch(/pass|alice/);
  });

  it('stay where they can’t be put on record', async () => {
    await ask('store', entry('ghcr.io'));
    recordFails = true;
    await expect(ask('get', 'ghcr.io')).rejects.toThrow('the history can’t be written');
  });

  it('are not stored where the vault can’t be written', async () => {
    vault.beforeWrite = () => {
      throw new BrokerError('vault.diskFull', 'the disk is full');
    };
    await expect(ask('store', entry('ghcr.io'))).rejects.toThrow('the disk is full');
    expect([await ask('get', 'ghcr.io'), recorded]).toEqual([notFound, []]);
  });
});

/** (rule: bounded-input) */
describe('stored entries have limits', () => {
  const full = {
    code: 'docker.full',
    reason: 'usage',
    hint: expect.stringContaining('docker logout REGISTRY'),
  };

  it('2048 of them; one more can replace another, or have the place of one that was erased', async () => {
    for (let index = 0; index < storedLimits.entries; index += 1) {
      expect(await ask('store', entry(`r${index}.example.com`))).toBe('0 ');
    }
    recorded.length = 0;
    await expect(ask('store', entry('ghcr.io'))).rejects.toMatchObject(full);
    expect([vault.writes.length, recorded]).toEqual([2048, []]);
    expect(await ask('store', entry('https://r0.example.com', 'bob'))).toBe('0 ');
    expect(await ask('erase', 'r1.example.com')).toBe('0 ');
    expect(await ask('store', entry('ghcr.io'))).toBe('0 ');
  });

  it('2 MiB in all', async () => {
    const large = 'x'.repeat(60_000);
    for (let index = 0; index < 34; index += 1) {
      expect(await ask('store', entry(`r${index}.example.com`, 'u', large))).toBe('0 ');
    }
    await expect(ask('store', entry('ghcr.io', 'u', large))).rejects.toMatchObject(full);
    expect(await ask('store', entry('r0.example.com', 'u', large))).toBe('0 ');
    expect(await ask('store', entry('ghcr.io'))).toBe('0 ');
  });

  it('a user name of 1 KiB in UTF-8', async () => {
    expect(await ask('store', entry('ghcr.io', 'é'.repeat(512)))).toBe('0 ');
    await expect(ask('store', entry('quay.io', `${'é'.repeat(512)}x`))).rejects.toMatchObject({
      code: 'docker.input',
      message: 'the user name for quay.io is longer than 1024 bytes',
    });
    expect(Object.keys(vault.content.registryLogins)).toEqual(['ghcr.io']);
  });

  it('so that the list of the largest entries, each character escaped, fits a frame', async () => {
    const largest = (index: number) =>
      entry(`r${index}/`.padEnd(2048, '<'), '\u0001'.repeat(storedLimits.userNameBytes), '');
    for (let index = 0; index < 256; index += 1) {
      expect(await ask('store', largest(index))).toBe('0 ');
    }
    await expect(ask('store', largest(256))).rejects.toMatchObject(full);
    const stdout = Buffer.from((await ask('list')).slice(2)).toString('base64');
    expect(stdout.length).toBeGreaterThan(6_000_000);
    expect(JSON.stringify({ kind: 'exit', code: 0, stdout }).length).toBeLessThan(frameLimitBytes);
  });
});

/** (rule: locked-issues-nothing) */
it.each(['get', 'store', 'erase', 'list'])('%s is refused while locked, with what to do', async (action) => {
  await ask('store', entry('ghcr.io'));
  recorded.length = 0;
  locked = refuse('locked', 'vault.locked', 'lanyard is locked', 'run: lanyard unlock');
  const input = action === 'store' ? entry('ghcr.io') : 'ghcr.io';
  expect(await ask(action, input)).toBe('11 lanyard: lanyard is locked\nhint: run: lanyard unlock\n');
  expect(vault.writes).toHaveLength(1);
  const target = { kind: 'registry-login', name: 'ghcr.io' };
  const call = { kind: 'call', outcome: 'refused', reason: 'vault.locked', target };
  expect(recorded).toMatchObject(action === 'get' ? [call] : []);
});

/** (rule: locked-issues-nothing) */
it('a server without an entry has none while locked, too: public images can be pulled', async () => {
  await ask('store', entry('ghcr.io'));
  recorded.length = 0;
  locked = refuse('locked', 'vault.locked', 'lanyard is locked');
  expect(await ask('get', 'quay.io')).toBe(notFound);
  expect(await ask('erase', 'quay.io')).toBe('0 ');
  expect([vault.writes.length, recorded]).toEqual([1, []]);
});

it('what is stored while locked is not read', async () => {
  locked = refuse('locked', 'vault.locked', 'lanyard is locked');
  expect(await ask('store', 'no entry')).toBe('11 lanyard: lanyard is locked\n');
});

describe('a configured registry', () => {
  beforeEach(async () => {
    await ask('store', entry('ghcr.io'));
    vault.writes.length = 0;
    const answer: ConfiguredRegistry['answer'] = async (_, format) => ({
      ok: true,
      text: format('robot', new Secret('token')),
    });
    configured = { key: 'ghcr.io', calledAs: null, registry: { name: 'work', answer } };
  });

  it('comes before what is stored', async () => {
    expect(await ask('get', 'ghcr.io')).toBe(line('ghcr.io', 'robot', 'token'));
    expect(await ask('get', 'ghcr.io', 'other')).toBe(line('ghcr.io'));
  });

  it('answers for its server, also where it has nothing', async () => {
    const answer = async () => refuse('loginNeeded', 'x', 'work needs a login', 'lanyard login work');
    configured = { key: 'ghcr.io', calledAs: null, registry: { name: 'work', answer } };
    expect(await ask('get', 'ghcr.io')).toBe('15 lanyard: work needs a login\nhint: lanyard login work\n');
  });

  it('is changed by neither store nor erase, and is not listed', async () => {
    const why = 'ghcr.io gets its credential from the registry work of config.yaml: nothing was';
    expect(await ask('store', entry('https://ghcr.io/'))).toBe(`13 lanyard: ${why} stored\n`);
    expect(await ask('erase', 'ghcr.io')).toBe(`13 lanyard: ${why} erased\n`);
    expect(vault.writes).toEqual([]);
    expect(await ask('list')).toBe('0 {"ghcr.io":"alice"}\n');
  });
});

it.each([
  ['get', '', '1 no credentials server URL\n'],
  ['get', ' \n', '1 no credentials server URL\n'],
  ['erase', '\n', '1 no credentials server URL\n'],
  ['store', '{}', '1 no credentials server URL\n'],
  ['store', entry('', '', ''), '1 no credentials server URL\n'],
  ['store', entry('ghcr.io', ''), '1 no credentials username\n'],
  [
    'store',
    'canary',
    '2 lanyard: the entry is no JSON object with ServerURL, Username and Secret as texts\n',
  ],
  ['store', entry('https://a:canary@b'), '2 lanyard: the server URL has a user name or a password in it\n'],
  ['get', 'https://a:canary@b', '2 lanyard: the server URL has a user name or a password in it\n'],
  ['erase', 'a b', '2 lanyard: the server URL has characters that no URL has\n'],
  ['list', '', '0 {}\n'],
])('%s of %j answers %j', async (action, input, answer) => {
  expect(await ask(action, input)).toBe(answer);
  expect([vault.writes, recorded]).toEqual([[], []]);
});

it('what is no text, and what is no request, is refused', async () => {
  expect(await ask('get', new Uint8Array([0xff]))).toBe('2 lanyard: standard input is not UTF-8\n');
  for (const [action, calledAs] of [
    ['version', null],
    ['get', 'a b'],
    ['get', ''],
  ] as const) {
    expect(await ask(action, '', calledAs)).toMatch(/^2 lanyard: the helper’s request/);
  }
});

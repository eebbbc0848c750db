import { beforeEach, describe, expect, it, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { clusterName, type Target } from '../domain/target/target.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import { Grant } from '../grants/grant.ts';
import type { Granted, GrantRequest } from '../grants/request.ts';
import type { Account } from '../ports/account.ts';
import type { Directory } from '../ports/broker-core.ts';
import type { DoorContext } from '../ports/door.ts';
import { type Decision, type IssueDeps, issue, type Permitted } from './issue.ts';

const clock = new ManualClock();
const credential = {
  token: new Secret('the-token'),
  certificate: null,
  issuedAt: clock.now(),
  expiresAt: clock.now() + 600_000,
};
const granted: Granted = { ok: true, grant: new Grant(credential, 3, clock), how: 'renewed' };
const account = { name: 'corp' } as Account;
const target = aTarget();

/** What the directory, the lock and the approval say now. */
let now: { locked: Refusal | null; account: ReturnType<Directory['account']>; target: Target | Refusal };
/** What comes before the answer. */
let meanwhile: (request: GrantRequest) => void;
let answer: Granted;
let asked: GrantRequest[];
let recorded: Decision[];
let printed: string[];
let waits: number[];
beforeEach(() => {
  now = { locked: null, account: { ok: true, account }, target };
  [meanwhile, answer] = [() => undefined, granted];
  [asked, recorded, printed, waits] = [[], [], [], []];
});

type More = Partial<Omit<Permitted, 'context'>> & { origin?: 'local' | 'ssh'; canPrompt?: boolean };

function run({ origin = 'local', canPrompt = true, ...more }: More = {}) {
  const terminal = {
    canPrompt,
    canLend: canPrompt,
    runner: null,
    print: (text: string) => void printed.push(text),
    extend: (seconds: number) => void waits.push(seconds),
  };
  const context = {
    caller: { origin },
    lineage: () => ['kubectl'],
    ancestors: () => [],
    terminal,
    signal: new AbortController().signal,
  } as unknown as DoorContext;
  const deps: IssueDeps = {
    gate: () => now.locked,
    directory: { account: () => now.account } as unknown as Directory,
    grants: {
      obtain: async (_, request) => {
        asked.push(request);
        meanwhile(request);
        return answer;
      },
    },
  };
  const wanted: Permitted = {
    account,
    target,
    again: () => ('ok' in now.target ? now.target : { ok: true, target: now.target }),
    client: 'kubectl 7',
    onlyAfter401: false,
    interactive: false,
    context,
    format: ({ credential: { token } }) => ({ ok: true, text: token?.reveal() ?? '' }),
    record: (decision) => void recorded.push(decision),
    ...more,
  };
  return issue(wanted, deps);
}

const held = refuse('notPermitted', 'binding.held', 'held');
const locked = refuse('locked', 'vault.locked', 'locked');

test('a credential is on record before it leaves (rule: everything-recorded)', async () => {
  expect(await run({ target: { ...target, audience: 'prod' } })).toEqual({ ok: true, text: 'the-token' });
  expect(recorded).toEqual([
    {
      target: clusterName('prod'),
      audience: 'prod',
      outcome: 'handedOut',
      reason: 'renewed',
      generation: 3,
    },
  ]);
  const full = run({
    record: () => {
      throw new Error('disk full');
    },
  });
  await expect(full).rejects.toThrow('disk full');
});

test('an answer without a credential is on record as such', async () => {
  await run({ format: () => ({ ok: true, text: '{}', isEmpty: true }) });
  expect(recorded).toMatchObject([{ outcome: 'noCredential' }]);
});

test.each(['locked', 'loginNeeded', 'provider', 'timedOut', 'denied', 'notPermitted', 'internal'] as const)(
  'what the account refuses as %s is the answer, and no call of a credential',
  async (reason) => {
    answer = refuse(reason, 'a.b', 'no', 'do this');
    expect(await run()).toEqual(answer);
    expect(recorded).toEqual([]);
  },
);

test('a form that the client can’t have is refused, and nothing is on record as handed out', async () => {
  const refused = refuse('notPermitted', 'form.none', 'no');
  expect(await run({ format: () => refused })).toEqual(refused);
  expect(recorded).toEqual([]);
});

describe('what changed meanwhile (rule: locked-issues-nothing)', () => {
  const changes: [string, () => void, string][] = [
    ['the lock', () => (now.locked = locked), 'vault.locked'],
    ['the account, which is pending', () => (now.account = held), 'binding.held'],
    [
      'the account, which is another one',
      () => (now.account = { ok: true, account: { ...account } }),
      'account.changed',
    ],
    ['the cluster, which is pending', () => (now.target = held), 'binding.held'],
    ['the cluster’s shape', () => (now.target = aTarget({ shape: 'another' })), 'target.changed'],
  ];

  it.each(changes)('after a wait is seen: %s', async (_, change, code) => {
    meanwhile = ({ onWait }) => {
      onWait?.('renewal');
      change();
    };
    expect(await run()).toMatchObject({ ok: false, code });
    expect(recorded).toEqual([]);
  });

  it.each(changes)('after a plugin’s variables were asked for is seen: %s', async (_, change, code) => {
    meanwhile = change;
    const shaped = { ...account, shapedBy: {} } as unknown as Account;
    if (now.account.ok) {
      now.account = { ok: true, account: shaped };
    }
    const answered = await run({ account: shaped });
    expect(answered).toMatchObject({ ok: false, code });
  });

  it('the lock is seen without a wait, too', async () => {
    meanwhile = () => (now.locked = locked);
    expect(await run()).toEqual(locked);
  });

  it('a target of the same shape is the same', async () => {
    meanwhile = ({ onWait }) => {
      onWait?.('renewal');
      now.target = { ...target };
    };
    expect(await run()).toMatchObject({ ok: true });
  });
});

describe('a login (rule: no-storms)', () => {
  it.each<[string, More, { prompter: boolean; lends: boolean; here: boolean; wanted: boolean }]>([
    ['at a terminal', { interactive: true }, { prompter: true, lends: true, here: true, wanted: true }],
    ['beside it', {}, { prompter: false, lends: false, here: true, wanted: true }],
    [
      'without a terminal that shows it',
      { interactive: true, canPrompt: false },
      { prompter: false, lends: false, here: true, wanted: true },
    ],
    [
      'over SSH',
      { interactive: true, origin: 'ssh' },
      { prompter: true, lends: true, here: false, wanted: false },
    ],
    ['unattended', { isAttended: false }, { prompter: false, lends: false, here: false, wanted: false }],
  ])('%s', async (_, more, expected) => {
    await run(more);
    const [request] = asked;
    expect({
      prompter: request?.prompter !== null,
      lends: request?.attendant?.interactive,
      here: request?.wish.atThisMachine,
      wanted: request?.wantedBy !== undefined,
    }).toEqual(expected);
  });

  it('that others wait for is told once, with how long', async () => {
    meanwhile = ({ onWait }) => {
      for (const reason of ['renewal', 'login', 'wanted', 'pending', 'plugin'] as const) {
        onWait?.(reason);
      }
    };
    await run();
    expect(printed).toEqual([
      expect.stringMatching(/^lanyard: corp needs a login: log in at the desktop, .*\n$/),
    ]);
    expect(waits[0]).toBe(60);
    expect([waits[1], waits[4]]).toEqual([900, 3600]);
    expect(waits[2]).toBe(waits[3]);
  });
});

test.each<[string, More, object | null]>([
  ['one that is known', {}, { client: 'kubectl 7', target, onlyAfter401: false }],
  [
    'one that asks after a 401 alone',
    { onlyAfter401: true },
    { client: 'kubectl 7', target, onlyAfter401: true },
  ],
  ['an unknown one', { client: null }, null],
  ['all of the request proxy', { isShared: true }, null],
])('the client that is remembered for a 401: %s (rule: inferred-401)', async (_, more, recipient) => {
  await run(more);
  expect(asked[0]?.recipient).toEqual(recipient);
});

import { beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Secret } from '../base/secret.ts';
import { Approvals } from '../consent/approvals/approvals.ts';
import { QuestionBoard } from '../consent/approvals/question-board.ts';
import { TerminalTurns } from '../consent/approvals/terminal-turns.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Target } from '../domain/target/target.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import { Grants } from '../grants/grants.ts';
import { Logins } from '../grants/logins.ts';
import { KeptEvents, ManualEvents } from '../grants/testing/silent-deps.ts';
import type { Account, Credential } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { commandCall } from './cli/testing/command-call.ts';
import { execCredentialText } from './exec-credential-text.ts';
import { issue, recordingCall, refusedAs } from './issue.ts';
import { recheck } from './recheck.ts';

/*
 * A second, small kind of target: a shelf, which takes a user name with a password. It shows that what issues
 * credentials knows no kinds: recheck, approvals, grants and the record, here the real ones, behind a door of a few lines.
 */

const clock = new ManualClock();
const credential: Credential = {
  token: null,
  certificate: null,
  password: { userName: 'robot', password: new Secret('the-password') },
  issuedAt: null,
  expiresAt: clock.now() + 3_600_000,
};
const account: Account = {
  name: 'corp',
  kind: 'staticToken',
  current: async () => ({ ok: true, credential }),
  renew: async () => ({ ok: true, credential }),
  state: async () => expect.unreachable(),
};

let shelf: Target;
let recorder: KeptEvents;
let approvals: Approvals;
let grants: Grants;
let questions: string[];

beforeEach(() => {
  shelf = aTarget({ kind: 'shelf', name: 'prod', approval: '15m', address: 'https://shelf.example.com' });
  recorder = new KeptEvents();
  questions = [];
  approvals = new Approvals({ clock, recorder, turns: new TerminalTurns(), board: new QuestionBoard(clock) });
  const logins = new Logins({
    clock,
    log: silentLog,
    recorder,
    onDone: () => undefined,
    isTold: () => false,
  });
  grants = new Grants({
    clock,
    log: silentLog,
    logins,
    recorder,
    probe: async () => 'unknown',
    usable: () => ({ account, target: shelf }),
    events: new ManualEvents(),
    isOpen: () => true,
  });
});

const directory = { account: () => ({ ok: true, account }) as const };

/** The shelf's door. */
async function ask(target: Target, meanwhile?: () => void): Promise<{ ok: true; text: string } | Refusal> {
  const plain = commandCall([]);
  const terminal = {
    ...plain.terminal,
    canPrompt: true,
    ask: async (question: string) => {
      questions.push(question);
      meanwhile?.();
      return new Secret('y');
    },
  };
  const call = { ...plain, terminal };
  const deps = { grants, gate: () => null, directory: directory as never };
  const record = recordingCall({ door: 'cli', caller: call.caller, account: account.name }, recorder);
  const found = { account, target, again: () => ({ ok: true, target: shelf }) as const };
  const approved = await approvals.approve({ ...call, target, interactive: true });
  const changed = approved.ok ? (approved.waited ? recheck(found, deps) : null) : approved;
  const answer =
    changed ??
    (await issue(
      {
        ...found,
        client: 'one',
        onlyAfter401: false,
        interactive: true,
        context: call,
        record,
        format: ({ credential: { password } }) =>
          password
            ? { ok: true, text: `${password.userName}:${password.password.reveal()}` }
            : refuse('provider', 'shelf.form', 'no password'),
      },
      deps,
    ));
  if (!answer.ok) {
    record(refusedAs(answer, target));
  }
  return answer;
}

it('gets its user name with its password, approved and on record as what it is', async () => {
  expect(await ask(shelf)).toEqual({ ok: true, text: 'robot:the-password' });
  expect(questions[0]).toMatch(/shelf +"prod"/);
  expect(questions[0]).toContain('https://shelf.example.com');
  const target = { kind: 'shelf', name: 'prod' };
  expect(recorder.of('approval')).toMatchObject([{ target, outcome: 'approved' }]);
  expect(recorder.of('call')).toMatchObject([{ target, outcome: 'handedOut' }]);
  expect(recorder.of('generation')).toMatchObject([{ credential: 'password' }]);
  expect(JSON.stringify(recorder.all)).not.toContain('the-password');
});

it('shares its approval with no cluster of its name', async () => {
  await ask(shelf);
  await ask(shelf);
  expect(questions).toHaveLength(1);
  await ask({ ...shelf, kind: 'cluster' });
  expect(questions).toHaveLength(2);
});

it('is refused where it changed while you were asked, without a word of clusters', async () => {
  const answer = await ask(shelf, () => {
    shelf = { ...shelf, shape: 'another' };
  });
  expect(answer).toMatchObject({ ok: false, code: 'target.changed' });
  expect(recorder.of('call')).toMatchObject([{ reason: 'target.changed', outcome: 'refused' }]);
  expect(JSON.stringify(answer)).not.toMatch(/kube|cluster/);
});

it('is asked for again after its approval’s target is gone', async () => {
  await ask(shelf);
  approvals.refresh([]);
  await ask(shelf);
  expect(questions).toHaveLength(2);
});

it('gives Kubernetes clients nothing: an ExecCredential has no password', async () => {
  const granted = await grants.obtain(account, {
    target: shelf,
    recipient: null,
    prompter: null,
    wish: { flow: null, atThisMachine: true },
    onWait: () => undefined,
    signal: new AbortController().signal,
  });
  const grant = granted.ok ? granted.grant : expect.unreachable();
  const answer = execCredentialText('client.authentication.k8s.io/v1', grant, 'corp', clock);
  expect(answer).toMatchObject({ ok: false, code: 'execCredential.password' });
});

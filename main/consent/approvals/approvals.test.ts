import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { clusterTarget } from '../../domain/target/cluster-target.ts';
import { registryTarget } from '../../domain/target/registry-target.ts';
import type { Target } from '../../domain/target/target.ts';
import { loadedCluster, loadedRegistry } from '../../domain/testing/loaded.ts';
import type { Caller } from '../../ports/caller.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import { aTerminal } from '../../ports/testing/a-terminal.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { Approvals } from './approvals.ts';
import { QuestionBoard } from './question-board.ts';
import { TerminalTurns } from './terminal-turns.ts';

let clock: ManualClock;
let events: HistoryEvent[];
let approvals: Approvals;
let pid: number;
let board: QuestionBoard;
beforeEach(() => {
  clock = new ManualClock();
  events = [];
  pid = 100;
  const recorder = { record: (event: HistoryEvent) => void events.push(event) };
  board = new QuestionBoard(new ManualClock());
  approvals = new Approvals({ clock, recorder, turns: new TerminalTurns(), board });
});

function clusterWith(approval: string, fields: object = {}): LoadedCluster {
  return loadedCluster('prod', { server: 'https://prod', account: 'corp', approval, ...fields });
}

/** One request; `questions` are those that its terminal showed, `type` answers the last one. */
function request(
  of: LoadedCluster | Target,
  more: {
    caller?: Partial<Caller>;
    session?: number;
    interactive?: boolean;
    canPrompt?: boolean;
    print?: ApprovalRequest['print'];
  } = {},
) {
  const gone = new AbortController();
  const questions: string[] = [];
  let resolve: (answer: Secret | null) => void = () => undefined;
  pid++;
  const outcome = approvals.approve({
    target: 'kind' in of ? of : clusterTarget(of),
    caller: aCaller({
      pid,
      session: { leaderPid: more.session ?? 50, startTime: '1' },
      pidNamespace: 'pid:[1]',
      ...more.caller,
    }),
    lineage: () => ['kubectl', 'bash'],
    terminal: aTerminal({
      canPrompt: more.canPrompt ?? true,
      ask: (text) => {
        questions.push(text);
        return new Promise((take) => {
          resolve = take;
        });
      },
    }),
    interactive: more.interactive ?? true,
    ...(more.print && { print: more.print }),
    signal: gone.signal,
  });
  outcome.catch(() => undefined);
  const type = (text: string | null) => resolve(text === null ? null : new Secret(text));
  return { outcome, questions, type, leave: () => gone.abort(new Error('gone')) };
}

function sleepWithClockSetBack(): void {
  clock.advance(900_000);
  clock.setWall(0);
}

/** Lets all that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function yes(...args: Parameters<typeof request>) {
  const one = request(...args);
  await settle();
  one.type('y');
  expect(await one.outcome).toEqual({ ok: true, waited: true });
  return one;
}

describe('an answer', () => {
  it.each([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['yy', false],
    ['yes please', false],
  ])('"%s" lets through: %s', async (text, lets) => {
    const one = request(clusterWith('always'));
    await settle();
    one.type(text);
    expect(await one.outcome).toMatchObject(lets ? { ok: true } : { ok: false, reason: 'denied' });
    expect(events).toMatchObject([
      { kind: 'approval', outcome: lets ? 'approved' : 'denied', policy: 'always' },
    ]);
  });

  it.each<[string, (cluster: LoadedCluster) => void, boolean]>([
    ['nothing', () => undefined, false],
    ['less than the time', () => clock.advance(899_999), false],
    ['the time, whatever the wall clock says', sleepWithClockSetBack, true],
    ['a lock', () => approvals.lock(refuse('locked', 'l', 'l')), true],
    ['a logout', () => approvals.forgetAccount('corp'), true],
    ['another account’s logout', () => approvals.forgetAccount('ops'), false],
    ['a change of another cluster', (prod) => approvals.refresh([clusterTarget(prod)]), false],
    ['the cluster gone for a while', () => approvals.refresh([]), true],
  ])('for a time is asked for again after %s: %s', async (_, happens, again) => {
    const cluster = clusterWith('15m');
    await yes(cluster);
    happens(cluster);
    const next = request(cluster, { session: 51 });
    await settle();
    expect(next.questions.length).toBe(again ? 1 : 0);
  });

  it('is not for a cluster that has changed', async () => {
    await yes(clusterWith('15m'));
    const next = request(clusterWith('15m', { tlsServerName: 'other' }));
    await settle();
    expect(next.questions.length).toBe(1);
  });

  it('that was given while all was forgotten counts for its own call alone', async () => {
    const cluster = clusterWith('perTerminal');
    const one = request(cluster);
    await settle();
    approvals.forgetAccount('corp');
    one.type('y');
    expect(await one.outcome).toMatchObject({ ok: true });
    const next = request(cluster);
    await settle();
    expect(next.questions.length).toBe(1);
  });

  it('No is not remembered for others, and stands for the same process while it tries again', async () => {
    const cluster = clusterWith('perTerminal');
    const caller = { pid: 7 };
    const one = request(cluster, { caller });
    await settle();
    one.type('n');
    await one.outcome;
    expect(await request(cluster, { caller }).outcome).toMatchObject({ reason: 'denied' });
    const other = request(cluster);
    await settle();
    expect(other.questions.length).toBe(1);
    other.leave();
    clock.advance(10_000);
    const later = request(cluster, { caller });
    await settle();
    expect(later.questions.length).toBe(1);
  });
});

describe('a question', () => {
  it.each([
    [false, true],
    [true, false],
  ])('is put to nobody where the client says %s and the terminal %s', async (interactive, canPrompt) => {
    const one = request(clusterWith('15m'), { interactive, canPrompt });
    expect(await one.outcome).toMatchObject({ reason: 'notPermitted', code: 'approval.nobody' });
    expect(one.questions).toEqual([]);
    expect(events).toMatchObject([{ outcome: 'nobody' }]);
  });

  const ghcr = () => {
    return registryTarget(
      loadedRegistry('ghcr', { matchImages: ['ghcr.io'], account: 'hub', approval: 'always' }),
    );
  };

  it.each<[string, () => LoadedCluster | Target, Parameters<typeof request>[1], string, string]>([
    [
      'kubectl for a cluster',
      () => clusterWith('15m'),
      { canPrompt: false },
      'you have to approve the credential for prod (approval: 15m), and there is no terminal to ask',
      'run it in a terminal, with the terminal as its standard input',
    ],
    [
      'a command that prints a cluster’s',
      () => clusterWith('15m'),
      { canPrompt: false, print: 'asked' },
      'you have to allow that the credential for prod is printed (execCredential: ask), and there is no terminal to ask',
      'run it in a terminal; or, for unattended use, set execCredential: allow for prod in config.yaml, then run: lanyard confirm',
    ],
    [
      'a command that prints a registry’s',
      ghcr,
      { canPrompt: false, print: 'asked' },
      'you have to allow that the credential for ghcr is printed, and there is no terminal to ask',
      'run it in a terminal',
    ],
    [
      'docker or a kubelet',
      ghcr,
      { interactive: false },
      'you have to approve the credential for ghcr (approval: always), and Lanyard’s window isn’t open',
      'open it (lanyard ui), then try again and approve it there; or, for unattended use, set approval: never for ghcr in config.yaml, then run: lanyard confirm',
    ],
  ])('that can’t be put to %s has a hint that works there', async (_, of, more, message, hint) => {
    expect(await request(of(), more).outcome).toMatchObject({ code: 'approval.nobody', message, hint });
  });

  it('is one for all that wait for the same answer, those without a user included', async () => {
    const cluster = clusterWith('perTerminal');
    const all = [request(cluster), request(cluster), request(cluster, { interactive: false })];
    await settle();
    expect(all.map(({ questions }) => questions.length)).toEqual([1, 0, 0]);
    all[0]?.type('n');
    for (const { outcome } of all) {
      expect(await outcome).toMatchObject({ reason: 'denied' });
    }
    expect(events.length).toBe(1);
  });

  it('is put at another’s terminal when the one that shows it goes away', async () => {
    const cluster = clusterWith('15m');
    const [first, second] = [request(cluster), request(cluster, { session: 51 })];
    await settle();
    first.leave();
    await expect(first.outcome).rejects.toThrow('gone');
    await settle();
    expect(second.questions.length).toBe(1);
    second.type('y');
    expect(await second.outcome).toMatchObject({ ok: true });
  });

  it('waits for its turn at the terminal: two never show at once', async () => {
    const [first, second] = [request(clusterWith('always')), request(clusterWith('always'))];
    const elsewhere = request(clusterWith('always'), { session: 51 });
    await settle();
    expect([first, second, elsewhere].map(({ questions }) => questions.length)).toEqual([1, 0, 1]);
    first.type('n');
    await settle();
    expect(second.questions.length).toBe(1);
  });

  it('counts as unanswered after two minutes, and a later yes is none', async () => {
    const cluster = clusterWith('15m');
    const one = request(cluster);
    await settle();
    clock.advance(119_999);
    await settle();
    clock.advance(1);
    expect(await one.outcome).toMatchObject({ reason: 'timedOut' });
    one.type('y');
    await settle();
    expect(events).toMatchObject([{ outcome: 'nobody' }]);
    const next = request(cluster);
    await settle();
    expect(next.questions.length).toBe(1);
  });

  it('ends with the lock, for all that wait, and a later yes is none', async () => {
    const all = [request(clusterWith('15m')), request(clusterWith('always'))];
    await settle();
    approvals.lock(refuse('locked', 'vault.locked', 'locked'));
    all[0]?.type('y');
    for (const { outcome } of all) {
      expect(await outcome).toMatchObject({ reason: 'locked' });
    }
    expect(events).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('can’t be forged by what it shows', async () => {
    const caller = { executable: '/tmp/x"\n  account  "harmless"\u001b[2J\u202e' };
    const one = request(clusterWith('always'), { caller });
    await settle();
    const [text = ''] = one.questions;
    expect(text.split('\n').filter((line) => line.includes('account'))).toHaveLength(2);
    expect(text).not.toMatch(/^ *account +"harmless"/m);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
  });
});

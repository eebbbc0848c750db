import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Secret } from '../../base/secret.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { refuse } from '../../contract/refusal.ts';
import type { PageYes, QuestionView } from '../../contract/ui/state.ts';
import { clusterTarget } from '../../domain/target/cluster-target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import { aTerminal } from '../../ports/testing/a-terminal.ts';
import { Approvals } from './approvals.ts';
import { QuestionBoard } from './question-board.ts';
import { TerminalTurns } from './terminal-turns.ts';

let clock: ManualClock;
let events: HistoryEvent[];
let board: QuestionBoard;
let approvals: Approvals;
let pid: number;
beforeEach(() => {
  clock = new ManualClock();
  events = [];
  pid = 100;
  board = new QuestionBoard(clock);
  const recorder = { record: (event: HistoryEvent) => void events.push(event) };
  approvals = new Approvals({ clock, recorder, turns: new TerminalTurns(), board });
});

interface More {
  caller?: Partial<Caller>;
  session?: number | null;
  interactive?: boolean;
  print?: 'asked';
}

/** One request: what its terminal was asked and told, and whether the question was taken back there. */
function request(approval: string, more: More = {}) {
  const gone = new AbortController();
  const seen = { questions: [] as string[], printed: [] as string[], takenBack: 0, extended: 0 };
  let type: (line: string | null) => void = () => undefined;
  pid++;
  const { session = 50 } = more;
  const config = clusterSchema.parse({ server: 'https://prod', account: 'corp', approval });
  const outcome = approvals.approve({
    target: clusterTarget({ name: 'prod', config, certificateAuthorityPem: null }),
    caller: aCaller({
      pid,
      session: session === null ? null : { leaderPid: session, startTime: '1' },
      pidNamespace: 'pid:[1]',
      ...more.caller,
    }),
    lineage: () => ['kubectl', 'zsh', 'tmux'],
    terminal: aTerminal({
      canPrompt: true,
      print: (text) => void seen.printed.push(text),
      ask: (text, options) => {
        seen.questions.push(text);
        return new Promise((take) => {
          type = (line) => take(line === null ? null : new Secret(line));
          options?.signal?.addEventListener('abort', () => {
            seen.takenBack++;
            take(null);
          });
        });
      },
      extend: (seconds) => {
        seen.extended = Math.max(seen.extended, seconds);
      },
    }),
    interactive: more.interactive ?? true,
    ...(more.print && { print: more.print }),
    signal: gone.signal,
  });
  outcome.catch(() => undefined);
  return {
    outcome,
    seen,
    type: (line: string | null) => type(line),
    leave: () => gone.abort(new Error('gone')),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const open = () => Object.values(board.views()).filter(({ ended }) => ended === null);
const ended = () => Object.values(board.views()).flatMap(({ ended }) => (ended ? [ended] : []));

function only(): QuestionView {
  const [question, ...more] = open();
  if (!question || more.length > 0) {
    throw new Error(`${open().length} questions`);
  }
  return question;
}

async function answer(what: PageYes | 'no') {
  await board.answer(only().id, what, 'page');
}

describe('a question on the terminal and in the page at once', () => {
  it('is answered in the page: the terminal hears of it and is let go', async () => {
    const one = request('always');
    await settle();
    expect(only()).toMatchObject({
      target: { kind: 'cluster', name: 'prod' },
      account: 'corp',
      onTerminal: true,
      answers: ['once'],
    });
    await answer('once');
    expect(await one.outcome).toEqual({ ok: true, waited: true });
    expect(one.seen).toMatchObject({ takenBack: 1, printed: ['Answered in Lanyard’s page: yes\n'] });
    expect(ended()).toEqual([{ how: 'yes', where: 'page' }]);
    one.type('n');
    await settle();
    expect(events).toMatchObject([{ kind: 'approval', outcome: 'approved' }]);
  });

  it('is answered on the terminal: the page is told where, and what it answers later is nothing', async () => {
    const one = request('always');
    await settle();
    const { id } = only();
    one.type('y');
    expect(await one.outcome).toMatchObject({ ok: true });
    expect(ended()).toEqual([{ how: 'yes', where: 'terminal' }]);
    await expect(board.answer(id, 'no', 'page')).rejects.toMatchObject({ code: 'question.gone' });
    expect(events).toHaveLength(1);
  });

  it('takes the first of two answers', async () => {
    const one = request('always');
    await settle();
    const { id } = only();
    const [first, second] = await Promise.allSettled([
      board.answer(id, 'no', 'page'),
      board.answer(id, 'once', 'page'),
    ]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(await one.outcome).toMatchObject({ reason: 'denied' });
    expect(events).toHaveLength(1);
  });

  it('runs out on both sides together', async () => {
    const one = request('always');
    await settle();
    expect(only().endsAt).toBe(clock.now() + 120_000);
    clock.advance(120_000);
    expect(await one.outcome).toMatchObject({ reason: 'timedOut' });
    expect(ended()).toEqual([{ how: 'timedOut', where: null }]);
    clock.advance(8_000);
    expect(board.views()).toEqual({});
  });

  it('ends with the lock', async () => {
    const one = request('always');
    await settle();
    const { id } = only();
    approvals.lock(refuse('locked', 'l', 'l'));
    expect(await one.outcome).toMatchObject({ reason: 'locked' });
    expect(ended()).toEqual([{ how: 'locked', where: null }]);
    await expect(board.answer(id, 'once', 'page')).rejects.toMatchObject({ code: 'question.gone' });
    expect(events).toEqual([]);
  });

  it('is another one when another caller takes its place: only who was shown may be let through', async () => {
    const [first, second] = [request('15m'), request('15m', { session: 51 })];
    await settle();
    const { id, caller, waiting } = only();
    expect([caller.pid, waiting]).toEqual([101, 2]);
    first.leave();
    await settle();
    await expect(board.answer(id, 'policy', 'page')).rejects.toMatchObject({ code: 'question.gone' });
    expect(only().caller.pid).toBe(102);
    await answer('policy');
    expect(await second.outcome).toMatchObject({ ok: true });
  });
});

describe('a caller without a terminal', () => {
  it('is refused at once while no page is there', async () => {
    expect(await request('always', { interactive: false }).outcome).toMatchObject({
      code: 'approval.nobody',
    });
  });

  it('waits for a page that is there, for two minutes', async () => {
    board.pageJoined();
    const one = request('always', { interactive: false });
    await settle();
    expect(one.seen.printed).toEqual(['lanyard: approval requested in Lanyard’s page\n']);
    expect(one.seen.extended).toBeGreaterThan(120);
    expect(only()).toMatchObject({ onTerminal: false, endsAt: clock.now() + 120_000 });
    clock.advance(120_000);
    expect(await one.outcome).toMatchObject({ reason: 'timedOut' });
  });

  it('is answered there', async () => {
    board.pageJoined();
    const one = request('always', { interactive: false });
    await settle();
    await answer('once');
    expect(await one.outcome).toEqual({ ok: true, waited: true });
  });

  it('is refused when the last page has been gone for a while, not while one is loaded anew', async () => {
    const page = board.pageJoined();
    const one = request('always', { interactive: false });
    await settle();
    page.dispose();
    clock.advance(9_000);
    const again = board.pageJoined();
    clock.advance(9_000);
    await settle();
    expect(open()).toHaveLength(1);
    again.dispose();
    clock.advance(10_000);
    expect(await one.outcome).toMatchObject({ code: 'approval.nobody' });
    expect(ended()).toEqual([{ how: 'gone', where: null }]);
  });

  it('that goes away takes its question along', async () => {
    board.pageJoined();
    const one = request('always', { interactive: false });
    await settle();
    one.leave();
    await expect(one.outcome).rejects.toThrow('gone');
    expect(ended()).toEqual([{ how: 'gone', where: null }]);
    clock.advance(8_000);
    expect(clock.pending).toBe(0);
  });
});

describe('what an answer in the page covers', () => {
  /** Whether a later request is let through without a question. */
  async function isCovered(approval: string, more: More = {}): Promise<boolean> {
    const later = request(approval, more);
    await settle();
    const covered = later.seen.questions.length === 0;
    later.leave();
    await settle();
    return covered;
  }

  it.each<[string, PageYes, string[]]>([
    ['always', 'once', []],
    ['perTerminal', 'once', []],
    ['perTerminal', 'policy', ['terminal', 'later']],
    ['perTerminal', '1h', ['terminal']],
    ['8h', 'once', []],
    ['8h', 'terminal', ['terminal', 'later']],
    ['8h', '1h', ['terminal', 'elsewhere']],
    ['8h', 'policy', ['terminal', 'elsewhere', 'later', 'later elsewhere']],
  ])('%s, answered %s: %j', async (approval, what, covers) => {
    const one = request(approval);
    await settle();
    await answer(what);
    expect(await one.outcome).toMatchObject({ ok: true });
    const found = [
      ...((await isCovered(approval)) ? ['terminal'] : []),
      ...((await isCovered(approval, { session: 51 })) ? ['elsewhere'] : []),
    ];
    clock.advance(3_600_000);
    found.push(
      ...((await isCovered(approval)) ? ['later'] : []),
      ...((await isCovered(approval, { session: 51 })) ? ['later elsewhere'] : []),
    );
    expect(found).toEqual(covers);
    expect(await isCovered(approval, { caller: { origin: 'ssh' } })).toBe(false);
    clock.advance(8 * 3_600_000);
    expect(await isCovered(approval)).toBe(approval === 'perTerminal' && what === 'policy');
  });

  it.each<[string, More, string[]]>([
    ['always', {}, ['once']],
    ['perTerminal', {}, ['once', '15m', '1h', '8h', 'policy']],
    ['perTerminal', { session: null }, ['once']],
    ['30m', {}, ['once', 'terminal', '15m', 'policy']],
    ['15m', {}, ['once', 'terminal', 'policy']],
    ['1d', { session: null }, ['once', '15m', '1h', '8h', 'policy']],
    ['1d', { caller: { sure: false } }, ['once']],
    ['8h', { print: 'asked' }, ['once']],
  ])('%s with %j allows %j, and nothing else is taken', async (approval, more, answers) => {
    const one = request(approval, more);
    await settle();
    expect(only().answers).toEqual(answers);
    for (const wider of ['terminal', '15m', '1h', '8h', 'policy'] as const) {
      if (!answers.includes(wider)) {
        await expect(board.answer(only().id, wider, 'page')).rejects.toMatchObject({
          code: 'question.answer',
        });
      }
    }
    await expect(board.answer(only().id, { name: 'x' }, 'page')).rejects.toMatchObject({
      code: 'question.answer',
    });
    one.leave();
  });

  it.each<PageYes>(['once', 'terminal'])(
    '%s lets through who was shown, and asks for others on',
    async (what) => {
      const [first, same, other] = [request('8h'), request('8h'), request('8h', { session: 51 })];
      await settle();
      expect(only().waiting).toBe(3);
      await answer(what);
      expect(await first.outcome).toMatchObject({ ok: true });
      expect(await same.outcome).toMatchObject({ ok: true });
      await settle();
      expect(only()).toMatchObject({ waiting: 1, caller: { pid: 103 } });
      expect(other.seen.questions).toHaveLength(1);
      await answer('no');
      expect(await other.outcome).toMatchObject({ reason: 'denied' });
    },
  );
});

describe('where every yes is said in a window (rule: approval-outside-page)', () => {
  beforeEach(() => {
    board = new QuestionBoard(clock, { yesInWindow: true });
    const recorder = { record: (event: HistoryEvent) => void events.push(event) };
    approvals = new Approvals({ clock, recorder, turns: new TerminalTurns(), board });
  });

  it.each<PageYes>(['once', 'policy'])('a page’s %s is refused, and the window’s is taken', async (word) => {
    const one = request('8h');
    await settle();
    expect(only()).toMatchObject({ inWindow: true, answers: ['once', 'terminal', '15m', '1h', 'policy'] });
    await expect(board.answer(only().id, word, 'page')).rejects.toMatchObject({ code: 'question.answer' });
    expect(only().ended).toBeNull();
    await board.answer(only().id, word, 'window');
    expect(await one.outcome).toMatchObject({ ok: true });
    expect(ended()).toEqual([{ how: 'yes', where: 'window' }]);
  });

  it('a page still says no, and a terminal both', async () => {
    const [one, other] = [request('always'), request('always', { session: 51 })];
    await settle();
    await board.answer(open()[0]?.id ?? '', 'no', 'page');
    expect(await one.outcome).toMatchObject({ reason: 'denied' });
    other.type('y');
    expect(await other.outcome).toMatchObject({ ok: true });
  });

  it('no name is an answer to it', async () => {
    const one = request('always');
    await settle();
    await expect(board.answer(only().id, { name: 'x' }, 'window')).rejects.toMatchObject({
      code: 'question.answer',
    });
    one.leave();
  });
});

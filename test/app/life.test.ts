import { afterEach, describe, expect, it } from 'vitest';
import type { Action } from '../../app/actions.ts';
import { createEnding } from '../../app/life/ending.ts';
import { createLife } from '../../app/life/index.ts';
import { beOnlyApp } from '../../app/life/only-app.ts';
import { onSystemEnd } from '../../app/life/system-end.ts';
import { takeOverQuestion } from '../../app/life/take-over.ts';
import { emptyState } from '../../main/contract/ui/apply-entries.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { StandInEmitter } from '../support/electron/events.ts';
import { createStandIn, StandInWindow } from '../support/electron/index.ts';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { StandInSession } from '../support/electron/session.ts';
import { makeHome } from '../support/home.ts';
import { ManualClock } from '../support/manual-clock.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, flush() {} };

function start(waits: string[] = []) {
  const standIn = createStandIn();
  const ends: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const ending = createEnding({
    electron: standIn.electron,
    log: quiet,
    waits: () => waits,
    end: async () => void ends.push('ended'),
    wait: () => held,
  });
  return { standIn, ending, ends, finish };
}

describe('quitting', () => {
  it('ends immediately without unfinished work, once', async () => {
    const { standIn, ending, ends } = start();
    standIn.app.quit();
    standIn.app.quit();
    ending.ask();
    ending.now(3);
    expect(await standIn.app.ended.promise).toBe(0);
    expect([ends, standIn.boxes]).toEqual([['ended'], []]);
  });

  it('says which programs wait, with No as the default; a No leaves all as it was', async () => {
    const { standIn, ends, ending } = start(['the login of corp is under way', 'kubectl waits']);
    standIn.app.quit();
    standIn.app.quit();
    await expect.poll(() => standIn.boxes.length).toBe(1);
    const [box] = standIn.boxes;
    expect(box?.detail).toMatch(/the login of corp is under way\n.*kubectl waits/);
    expect(box?.buttons?.[box.defaultId ?? -1]).toBe('Keep running');
    expect(box?.cancelId).toBe(box?.defaultId);
    await new Promise(setImmediate);
    expect([ends, standIn.app.exitCode, ending.hasBegun()]).toEqual([[], null, false]);
    standIn.answer = () => 1;
    standIn.app.quit();
    expect(await standIn.app.ended.promise).toBe(0);
    expect(ends).toEqual(['ended']);
  });

  it('says it in a few lines, whatever programs are called and however many wait', async () => {
    const many = Array.from(
      { length: 1_000 },
      (_, index) => `tool ${index}\n\n\u202e${'x'.repeat(500)} waits`,
    );
    const { standIn } = start(many);
    standIn.app.quit();
    await expect.poll(() => standIn.boxes.length).toBe(1);
    const { detail = '' } = standIn.boxes[0] ?? {};
    expect(detail.split('\n')).toHaveLength(8);
    expect(detail).toMatch(/• and 994 more$/);
    expect(detail).not.toMatch(/\u202e/);
    expect(detail.length).toBeLessThan(1_200);
  });

  it('names the broker that runs already by what the system knows, on one line', () => {
    const { detail = '' } = takeOverQuestion({ pid: 7, program: 'a\n\nPress Stop\u202e' });
    expect(detail).toContain('“a\\u{a}\\u{a}Press Stop\\u{202e}”, process 7');
  });

  it('never waits for an answer where the system ends, and an answer that comes later does nothing', async () => {
    const { standIn, ending, ends } = start(['kubectl waits']);
    const answered = Promise.withResolvers<number>();
    standIn.answer = () => answered.promise;
    standIn.app.quit();
    ending.now();
    expect(await standIn.app.ended.promise).toBe(0);
    answered.resolve(1);
    await new Promise(setImmediate);
    expect(ends).toEqual(['ended']);
  });

  it('ends within a limit, whatever hangs, and after what failed', async () => {
    for (const end of [() => new Promise<void>(() => {}), () => Promise.reject(new Error('no'))]) {
      const { electron, app } = createStandIn();
      createEnding({ electron, log: quiet, waits: () => [], end, wait: async () => {} }).now(4);
      expect(await app.ended.promise).toBe(4);
    }
  });

  it('calls an update’s installer when all has ended, whose quit then succeeds', async () => {
    const { standIn, ending, ends } = start(['kubectl waits']);
    await ending.handOver(() => {
      ends.push('installer');
      standIn.app.quit();
    });
    expect([ends, standIn.app.exitCode, standIn.boxes]).toEqual([['ended', 'installer'], 0, []]);
  });
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'shutdown', 'session-end'])(
  'the system’s end: %s ends without a question',
  (how) => {
    const standIn = createStandIn();
    const signals = new StandInEmitter();
    let ends = 0;
    onSystemEnd({
      electron: standIn.electron,
      signals: signals as unknown as NodeJS.Process,
      end: () => void ends++,
    });
    const window = new StandInWindow({}, new StandInSession());
    standIn.app.happen('browser-window-created', window);
    signals.events.emit(how);
    window.events.emit(how);
    const event = standIn.power.happen(how);
    expect(ends).toBe(1);
    // Else Linux doesn’t wait with its shutdown.
    expect(event.defaultPrevented).toBe(how === 'shutdown');
  },
);

describe('a second start', () => {
  const none = { hidden: false, route: null, lock: false };

  it('passes on what it is for, and no more', () => {
    const { app } = createStandIn();
    app.isFirst = false;
    const wanted = { kind: 'desktop', hidden: false, route: '#/accounts', lock: false } as const;
    expect(beOnlyApp({ app, start: wanted })).toBeNull();
    expect(app.handedOver).toEqual({ hidden: false, route: '#/accounts', lock: false });
  });

  it.each<[unknown, Action[]]>([
    [none, [{ kind: 'show', route: null }]],
    [{ ...none, route: '#/accounts' }, [{ kind: 'show', route: '#/accounts' }]],
    [{ ...none, lock: true }, [{ kind: 'lock' }]],
    [{ ...none, hidden: true }, []],
    [{ ...none, route: 'https://evil.example/' }, [{ kind: 'show', route: null }]],
    [{ ...none, route: `#/${'x'.repeat(9_999)}` }, [{ kind: 'show', route: null }]],
    [{ kind: 'quit' }, [{ kind: 'show', route: null }]],
    [['--lock'], [{ kind: 'show', route: null }]],
    ['', [{ kind: 'show', route: null }]],
    [undefined, [{ kind: 'show', route: null }]],
  ])('%j is taken for what it is, early or late', (data, expected) => {
    const { app } = createStandIn();
    const only = beOnlyApp({ app, start: none });
    const acts: Action[] = [];
    app.happen('second-instance', ['--lock'], '/', data);
    only?.onStart((action) => acts.push(action));
    app.happen('second-instance', ['--lock'], '/', data);
    expect(acts).toEqual([...expected, ...expected]);
  });

  it('while the app ends starts another one when it has, once, and never for a hidden start', async () => {
    const { electron, app } = createStandIn();
    const only = beOnlyApp({ app, start: none });
    const acts: Action[] = [];
    const life = createLife({
      electron,
      platform: 'linux',
      clock: new ManualClock(),
      page: { state: emptyState, onChange: () => ({ dispose: () => undefined }) },
      act: (action) => acts.push(action),
      only: only ?? { onStart: () => undefined },
      own: ['/opt/Lanyard/lanyard-desktop'],
    });
    app.happen('second-instance', [], '/', none);
    await life.dispose();
    app.happen('second-instance', [], '/', { ...none, hidden: true });
    expect(app.relaunched).toBeNull();
    app.happen('second-instance', [], '/', { ...none, route: '#/accounts' });
    expect(app.relaunched).toEqual({ execPath: '/opt/Lanyard/lanyard-desktop', args: ['--show=#/accounts'] });
    app.happen('second-instance', [], '/', none);
    expect(app.relaunched?.args).toEqual(['--show=#/accounts']);
    expect(acts).toEqual([{ kind: 'show', route: null }]);
  });
});

describe('the app as a program', () => {
  const open: { dispose(): unknown }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) {
      await each.dispose();
    }
  });
  const opened = <T extends { dispose(): unknown }>(each: T): T => {
    open.push(each);
    return each;
  };

  it('ends in order at a SIGTERM: no broker is left, and the next one starts', async () => {
    const home = opened(makeHome());
    const app = opened(await startApp({ home }));
    process.kill(app.running.pid, 'SIGTERM');
    expect((await app.ended).code).toBe(0);
    expect((await home.lanyard(['status'])).code).toBe(17);
    opened(await startApp({ home }));
  });

  async function besideAgent(words: readonly string[]): Promise<{ agent: TestAgent; app: AppProgram }> {
    const home = opened(makeHome());
    const agent = opened(await startAgent({ home }));
    return { agent, app: opened(await startApp({ home, words, ready: false })) };
  }

  it('says that a broker runs, and leaves it running after the user’s No', async () => {
    const { app, agent } = await besideAgent([]);
    expect((await app.ended).code).toBe(2);
    expect(() => process.kill(agent.pid, 0)).not.toThrow();
  });

  it('ends quietly beside a broker if the user didn’t start it', async () => {
    const { app } = await besideAgent(['--hidden']);
    const ended = await app.ended;
    expect([ended.code, ended.stderr.includes('app.failed')]).toEqual([2, false]);
  });
});

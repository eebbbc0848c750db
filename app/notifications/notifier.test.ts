import { beforeEach, describe, expect, it } from 'vitest';
import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { AccountView, QuestionView, UiState } from '../../main/contract/ui/state.ts';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn, type StandIn } from '../../test/support/electron/index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { goodAccount, type SomeState, someQuestion, stateWith } from '../../test/support/ui-state.ts';
import type { Action } from '../actions.ts';
import type { DesktopFile, DesktopMemory } from './desktop-file.ts';
import { createNotifier } from './index.ts';
import { createPause, type Pause } from './pause.ts';
import { createQuiet } from './quiet.ts';

let clock: ManualClock;
let standIn: StandIn;
let memory: DesktopMemory;
let file: Pick<DesktopFile, 'current' | 'update'>;
let state: UiState;
let changed: ReturnType<typeof createListeners<[UiState]>>;
let acted: Action[];
let disturb: boolean;
let pause: Pause;
let inFront: string | null;
let notifier: Disposable;

function begin(): void {
  standIn = createStandIn();
  pause = createPause({ clock, file });
  const quiet = createQuiet({ electron: standIn.electron, pause, doNotDisturb: async () => !disturb });
  const page = {
    state: () => state,
    onChange: (listener: (before: UiState) => void) => changed.add(listener),
  };
  const act = (action: Action) => void acted.push(action);
  notifier = createNotifier({
    electron: standIn.electron,
    clock,
    log: silentLog,
    page,
    quiet,
    file,
    act,
    inFrontAt: () => inFront,
  });
}

beforeEach(() => {
  clock = new ManualClock();
  memory = { version: 1, pausedUntil: null, toldOfClosing: false, things: {} };
  file = {
    current: () => memory,
    update(change) {
      memory = { ...memory, ...change };
    },
  };
  state = stateWith({ accounts: [goodAccount('corp'), goodAccount('lab')] });
  changed = createListeners();
  acted = [];
  disturb = true;
  inFront = null;
  begin();
});

/** Sends this state from the broker, and waits for its effects. */
async function comes(parts: SomeState): Promise<void> {
  const before = state;
  state = stateWith(parts);
  changed.tell(before);
  await settled();
}
async function passes(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await settled();
}
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}
const titles = () => standIn.notifications.map(({ options }) => options.title);
const shown = () =>
  standIn.notifications.filter(({ isShown }) => isShown).map(({ options }) => options.title);

const ended = (name: string) => goodAccount(name, { state: 'loginNeeded' });
const wanted = (name: string) =>
  goodAccount(name, {
    state: 'loginNeeded',
    wanted: { since: 0, endsAt: 1, callers: [['kubectl']], waiting: 1 },
  });
const question = (fields: Partial<QuestionView> = {}) => someQuestion('q', fields);

describe('a notification', () => {
  it('is shown once, and a click begins what it is about', async () => {
    await comes({ accounts: [ended('corp')] });
    await comes({ accounts: [ended('corp'), goodAccount('new')] });
    await passes(3_600_000);
    expect(titles()).toEqual(['Log in to corp']);
    standIn.notifications[0]?.happen('click');
    expect(acted).toEqual([{ kind: 'login', account: 'corp' }]);
  });

  it('tells once of a token that was taken out, and once that one waits: not of each touch after the other', async () => {
    const card = (fields: Partial<AccountView>) => ({ accounts: [goodAccount('card', fields)] });
    const out = card({ state: 'failing', tokenIsOut: true });
    await comes(out);
    await passes(2_000);
    // kubectl is run again and again.
    await comes(card({ state: 'failing', tokenIsOut: true, failures: 9 }));
    await passes(3_600_000);
    expect(shown()).toEqual(['The token of card was taken out']);
    await comes(card({}));
    expect(shown()).toEqual([]);
    await comes(out);
    await passes(60_000);
    expect(shown()).toEqual([]);
    const touches = () => titles().filter((title) => title === 'The token of card waits for you');
    await comes(card({ waitsAtToken: true }));
    expect(shown()).toEqual(touches());
    await comes(card({}));
    await passes(1_000);
    await comes(card({ waitsAtToken: true }));
    expect(touches()).toHaveLength(1);
    await comes(card({}));
    await passes(10_000);
    await comes(card({ waitsAtToken: true }));
    expect(touches()).toHaveLength(2);
    expect(standIn.notifications.at(-1)?.options.timeoutType).toBe('never');
  });

  it('is closed when its alert is over', async () => {
    await comes({ accounts: [ended('corp')] });
    expect(shown()).toEqual(['Log in to corp']);
    await comes({ accounts: [goodAccount('corp')] });
    expect(shown()).toEqual([]);
    await comes({ accounts: [ended('corp')] });
    expect(titles()).toHaveLength(2);
  });

  it('isn’t shown again by the next app', async () => {
    await comes({ accounts: [ended('corp')] });
    notifier.dispose();
    expect(shown()).toEqual([]);
    begin();
    await passes(60_000);
    expect(titles()).toEqual([]);
    await comes({ accounts: [goodAccount('corp')] });
    await comes({ accounts: [ended('corp')] });
    expect(titles()).toEqual(['Log in to corp']);
  });

  it('is one for several accounts at once, and leads to all of them', async () => {
    await comes({ accounts: [ended('corp'), ended('lab')] });
    expect(titles()).toEqual(['2 accounts need a login']);
    await comes({ accounts: [goodAccount('corp'), ended('lab')] });
    expect(shown()).toHaveLength(1);
    standIn.notifications[0]?.happen('click');
    expect(acted).toEqual([{ kind: 'show', route: '#/accounts' }]);
  });

  it('reports an alert that flaps only now and then', async () => {
    for (let minute = 0; minute < 14; minute += 2) {
      await comes({ accounts: [wanted('corp')] });
      await comes({ accounts: [ended('corp')] });
      await passes(120_000);
    }
    expect(titles().filter((title) => title === 'Log in to corp')).toHaveLength(2);
    // First about the waiting program, then silently about the login that is still needed.
    expect(standIn.notifications.map(({ options }) => options.silent)).toEqual([false, true]);
  });

  it('reports a new wait after a login', async () => {
    await comes({ accounts: [wanted('corp')] });
    await comes({ accounts: [goodAccount('corp')] });
    await comes({ accounts: [wanted('corp')] });
    expect(titles()).toHaveLength(2);
  });

  it('of a question on a terminal waits for who sits there', async () => {
    await comes({ questions: [question({ onTerminal: true })] });
    await passes(9_999);
    expect(titles()).toEqual([]);
    await passes(1);
    expect(titles()).toEqual(['kubectl waits for your answer']);
    await comes({ questions: [question({ ended: { how: 'yes', where: 'terminal' } })] });
    expect(shown()).toEqual([]);
  });

  it('opens only the window once its alert is over', async () => {
    await comes({ questions: [question()] });
    const [notification] = standIn.notifications;
    await comes({ questions: [] });
    notification?.happen('click');
    expect(acted).toEqual([{ kind: 'show', route: null }]);
  });

  it('is only of what config.yaml says', async () => {
    state = stateWith({});
    const off = { questions: true, logins: false, ending: true, problems: true, changes: true };
    const next = stateWith({ accounts: [wanted('corp')], questions: [question()] });
    state = {
      ...next,
      appearance: {
        '': {
          theme: 'system',
          favorites: [],
          dismissedWarnings: [],
          notifications: off,
          updates: { check: true },
        },
      },
    };
    changed.tell(state);
    await settled();
    expect(titles()).toEqual(['kubectl waits for your answer']);
  });

  it('is kept while the vault is locked: an alert that isn’t visible isn’t over', async () => {
    await comes({ accounts: [ended('corp')] });
    await comes({ accounts: [goodAccount('corp', { state: 'locked' })], lock: 'gate' });
    expect(shown()).toHaveLength(1);
    await comes({ accounts: [ended('corp')] });
    expect(titles()).toHaveLength(1);
  });
});

describe('a storm', () => {
  it('of questions, each withdrawn and asked again, is reported now and then', async () => {
    for (let round = 0; round < 600; round++) {
      await comes({ questions: [question({ id: `q${round}` })] });
      await comes({ questions: [] });
      await passes(100);
    }
    expect(titles().length).toBeLessThanOrEqual(12);
    // A question that is still open after the storm is reported.
    await comes({ questions: [question({ id: 'last' })] });
    await passes(60_000);
    expect(shown()).toEqual(['kubectl waits for your answer']);
  });

  it('of an inventory’s profiles is reported once, however many change and how often', async () => {
    const held = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{
          what: 'cluster' as const,
          name: `c-${index}`,
          change: 'changed',
          served: true,
          inventory: 'fleet',
        },
      }));
    for (let round = 0; round < 20; round += 1) {
      await comes({ held: held(1000 - round) });
      await passes(30_000);
      await comes({ held: [] });
      await passes(30_000);
    }
    expect(titles()).toEqual(['1,000 clusters of fleet are new or were changed']);
  });

  it('of a file’s users is reported once, however many they are, and hides no question', async () => {
    const importable = Array.from({ length: 3_000 }, (_, index) => `user-${index}`);
    const imports = [{ file: '/home/me/.kube/config', importable }];
    for (let minute = 0; minute < 10; minute++) {
      await comes({ imports });
      await passes(60_000);
    }
    expect(titles()).toEqual(['2000 changes to review']);
    expect(Object.keys(memory.things)).toHaveLength(2_000);
    await comes({ imports, questions: [question()] });
    expect(titles().at(-1)).toBe('kubectl waits for your answer');
  });
});

describe('with the window in front', () => {
  it.each<[string, string, SomeState, boolean]>([
    ['a question', '#/settings', { questions: [question()] }, false],
    ['a login on its list', '#/accounts', { accounts: [ended('corp')] }, false],
    ['a login on the first view', '', { accounts: [ended('corp')] }, false],
    ['a login elsewhere', '#/settings', { accounts: [ended('corp')] }, true],
  ])('%s at “%s” is reported at most once', async (_, route, parts, isTold) => {
    inFront = route;
    await comes(parts);
    expect(titles()).toHaveLength(isTold ? 1 : 0);
    inFront = null;
    await passes(60_000);
    expect(titles()).toHaveLength(isTold ? 1 : 0);
  });

  it('reports alerts that the view doesn’t show', async () => {
    inFront = '#/settings';
    await comes({ accounts: [ended('corp')], questions: [question()] });
    expect(titles()).toEqual(['Log in to corp']);
  });
});

describe('in quiet times', () => {
  it('reports after a pause what arrived in it and is still present, once, as one', async () => {
    pause.pause(3_600_000);
    await comes({ accounts: [ended('corp'), goodAccount('lab')], questions: [question()] });
    await comes({ accounts: [ended('corp'), ended('lab')], questions: [question()] });
    await comes({ accounts: [goodAccount('corp'), ended('lab')], questions: [question()] });
    expect(titles()).toEqual([]);
    await passes(3_600_000);
    expect(standIn.notifications.map(({ options: { title, body } }) => [title, body])).toEqual([
      ['While notifications were paused', '1 program waits for your answer. 1 account needs a login.'],
    ]);
    await passes(3_600_000);
    expect(titles()).toHaveLength(1);
  });

  it('a pause continues in the next app, and so do the alerts that it delayed', async () => {
    pause.pause(3_600_000);
    await comes({ accounts: [ended('corp')] });
    notifier.dispose();
    begin();
    expect(pause.until()).toBe(clock.now() + 3_600_000);
    await passes(3_599_999);
    expect(titles()).toEqual([]);
    await passes(1);
    expect(titles()).toEqual(['Log in to corp']);
  });

  it('reports immediately when the user ends the pause', async () => {
    pause.pause(3_600_000);
    await comes({ accounts: [ended('corp')] });
    pause.pause(null);
    await settled();
    expect(titles()).toEqual(['Log in to corp']);
  });

  it('reports nothing while the screen is locked', async () => {
    standIn.power.idleState = 'locked';
    await comes({ accounts: [ended('corp')] });
    expect(titles()).toEqual([]);
    standIn.power.idleState = 'active';
    standIn.power.happen('unlock-screen');
    await settled();
    expect(titles()).toEqual(['Log in to corp']);
  });

  it('asks the desktop’s do-not-disturb before each, and again later', async () => {
    disturb = false;
    await comes({ accounts: [ended('corp')] });
    expect(titles()).toEqual([]);
    disturb = true;
    await passes(30_000);
    expect(titles()).toEqual(['Log in to corp']);
  });
});

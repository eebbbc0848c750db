import { describe, expect, it, vi } from 'vitest';
import { createActing } from '../../app/acting.ts';
import type { Action } from '../../app/actions.ts';
import type { UiFailure } from '../../main/contract/ui/messages.ts';
import { CallRefused, type LocalPage } from '../../main/doors/ui/local-page.ts';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn } from '../support/electron/index.ts';
import { ManualClock } from '../support/manual-clock.ts';

const now = new Date(2027, 4, 12, 23, 30).getTime();

function open(answer: (name: string, onProgress: (value: never) => void) => Promise<unknown>) {
  const standIn = createStandIn();
  const calls: unknown[] = [];
  const shown: (string | null)[] = [];
  const pauses: (number | null)[] = [];
  const page = {
    call(name: string, input: unknown, options?: { onProgress?(value: never): void }) {
      calls.push([name, input]);
      return answer(name, (value) => options?.onProgress?.(value));
    },
  } as unknown as Pick<LocalPage, 'call'>;
  const act = createActing({
    electron: standIn.electron,
    clock: new ManualClock(now),
    page,
    window: { show: (route) => void shown.push(route) },
    pause: { pause: (milliseconds) => void pauses.push(milliseconds) },
    quit: () => void calls.push('quit'),
    log: silentLog,
  });
  return { standIn, act, calls, shown, pauses };
}
const refuse = (failure: Partial<UiFailure>) => () =>
  Promise.reject(new CallRefused({ reason: 'internal', code: 'x', message: 'x', ...failure }));

describe('an action', () => {
  it.each<[Action, unknown]>([
    [{ kind: 'login', account: 'corp' }, ['account.login', { account: 'corp', flow: null }]],
    [{ kind: 'renew', cluster: 'prod' }, ['cluster.renew', { cluster: 'prod' }]],
    [{ kind: 'useContext', context: '-' }, ['context.use', { context: '-' }]],
    [{ kind: 'lock' }, ['lock.close', {}]],
    [{ kind: 'unlock' }, ['lock.open', {}]],
    [{ kind: 'confirm' }, ['window.open', { what: 'confirm' }]],
    [{ kind: 'question', id: 'q' }, ['window.open', { what: 'question', id: 'q' }]],
    [{ kind: 'quit' }, 'quit'],
  ])('%o is the call of a page', (action, call) => {
    const renewed = [{ variables: [], expiresAt: 7, failure: null }];
    const { act, calls, shown, standIn } = open(async () => ({ renewed }));
    act(action);
    expect([calls, shown, standIn.boxes]).toEqual([[call], [], []]);
  });

  it('unlocking asks for a passphrase where only that opens it, and otherwise for nothing', async () => {
    const failures: Record<string, Partial<UiFailure>> = {
      'unlock.passphrase': { reason: 'locked' },
      'unlock.person': { reason: 'denied' },
      'vault.broken': { reason: 'internal', message: 'the vault can’t be read' },
    };
    const all: unknown[] = [];
    for (const [code, failure] of Object.entries(failures)) {
      const { act, calls, standIn } = open((name) =>
        name === 'lock.open' ? refuse({ code, ...failure })() : Promise.resolve({}),
      );
      act({ kind: 'unlock' });
      await vi.waitFor(() => expect(calls).toHaveLength(code === 'unlock.passphrase' ? 2 : 1));
      await new Promise(setImmediate);
      all.push([...calls.slice(1), ...standIn.boxes.map(({ message }) => message)]);
    }
    expect(all).toEqual([[['window.open', { what: 'unlock' }]], [], ['Lanyard stays locked']]);
  });

  it('pauses for a while, or until the next morning', () => {
    const { act, pauses } = open(async () => ({}));
    for (const span of [60_000, 'untilTomorrow', null] as const) {
      act({ kind: 'pauseNotifications', span });
    }
    expect(pauses).toEqual([60_000, 6.5 * 3_600_000, null]);
  });

  it.each([
    [{ shows: 'deviceCode', userCode: 'ABCD' }, ['#/accounts/corp%2Feu']],
    [{ shows: 'browserPage', opened: false }, ['#/accounts/corp%2Feu']],
    [{ shows: 'browserPage', opened: true }, []],
    [{ shows: 'pin', atPad: true }, ['#/accounts/corp%2Feu']],
    [{ shows: 'pin', atPad: false }, []],
  ])('a login that shows %o opens the window where the user has to see it', (step, routes) => {
    const { act, shown } = open(async (_, onProgress) => onProgress(step as never));
    act({ kind: 'login', account: 'corp/eu' });
    expect(shown).toEqual(routes);
  });
});

describe('an action that fails', () => {
  it('in part says which of the credentials were not renewed', async () => {
    const renewed = [
      { variables: [], expiresAt: null, failure: null },
      { variables: ['AWS_PROFILE'], expiresAt: null, failure: 'exit code 1' },
    ];
    const { act, standIn } = open(async () => ({ renewed }));
    act({ kind: 'renew', cluster: 'prod' });
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
    expect(standIn.boxes[0]?.detail).toContain('With AWS_PROFILE: not renewed, exit code 1.');
  });

  it('says what didn’t work, why, and what to do, and leads to the window', async () => {
    const { act, standIn, shown } = open(
      refuse({ message: 'the provider can’t be reached', hint: 'look at the network' }),
    );
    standIn.answer = () => 1;
    act({ kind: 'renew', cluster: 'pr\u202eod' });
    await vi.waitFor(() => expect(shown).toEqual([null]));
    expect(standIn.boxes).toMatchObject([
      {
        message: 'pr\\u{202e}od could not be renewed',
        detail: 'The provider can’t be reached.\nLook at the network.',
        buttons: ['OK', 'Open Lanyard'],
      },
    ]);
  });

  it('opens nothing unasked', async () => {
    const { act, standIn, shown } = open(refuse({}));
    act({ kind: 'useContext', context: 'two' });
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
    expect(standIn.boxes[0]?.message).toBe('Couldn’t switch to the context two');
    expect(shown).toEqual([]);
  });

  it('is said once, however often it is clicked, and again after it was read', async () => {
    const { act, standIn } = open(refuse({}));
    const read = Promise.withResolvers<number>();
    standIn.answer = () => read.promise;
    act({ kind: 'lock' });
    act({ kind: 'lock' });
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
    read.resolve(0);
    await read.promise;
    await vi.waitFor(() => {
      act({ kind: 'lock' });
      expect(standIn.boxes).toHaveLength(2);
    });
  });

  it.each(['denied', 'timedOut'] as const)('a login that was %s was ended by the user', async (reason) => {
    const { act, standIn } = open(refuse({ reason }));
    act({ kind: 'login', account: 'corp' });
    act({ kind: 'lock' });
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
    expect(standIn.boxes[0]?.message).toBe('Lanyard could not be locked');
  });

  it('a PIN’s dialog says itself how its login ended, but not that it can’t be opened', async () => {
    const wrong = { reason: 'loginNeeded', message: 'card: the PIN is wrong' } as const;
    const asked = open(async (_, onProgress) => {
      onProgress({ shows: 'pin', atPad: false } as never);
      await refuse(wrong)();
    });
    asked.act({ kind: 'login', account: 'card' });
    await new Promise(setImmediate);
    expect(asked.standIn.boxes).toEqual([]);
    const unasked = open(refuse({ reason: 'notPermitted', message: 'no window could be opened' }));
    unasked.act({ kind: 'login', account: 'card' });
    await vi.waitFor(() => expect(unasked.standIn.boxes).toHaveLength(1));
  });

  it('what is wrong inside isn’t shown', async () => {
    const { act, standIn } = open(() => Promise.reject(new Error('token planted-secret')));
    act({ kind: 'lock' });
    await vi.waitFor(() => expect(standIn.boxes).toHaveLength(1));
    expect(JSON.stringify(standIn.boxes)).not.toContain('planted');
  });
});

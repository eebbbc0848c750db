import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { refuse } from '../contract/refusal.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import type { CredentialRequest, LoginPrompter, LoginWish } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { Grants } from './grants.ts';
import { Logins } from './logins.ts';
import type { GrantRequest } from './request.ts';
import { ScriptedAccount, tokenAt } from './testing/scripted-account.ts';
import { KeptEvents, ManualEvents } from './testing/silent-deps.ts';

const minute = 60_000;
const wish: LoginWish = { flow: null, atThisMachine: true };

const clock = new ManualClock();
let account: ScriptedAccount;
let grants: Grants;
let logins: Logins;
let recorder: KeptEvents;
/** Whether the user sees a login that is waited for. */
let isTold: boolean;

const token = (value: string, life?: number) => tokenAt(clock, value, life);

function ask(options: Partial<GrantRequest> = {}): GrantRequest {
  return {
    target: aTarget(),
    recipient: null,
    prompter: null,
    wish,
    onWait: () => undefined,
    signal: new AbortController().signal,
    ...options,
  };
}

/** A user at a terminal; `codes` is what they were shown. */
function viewer() {
  const gone = new AbortController();
  const codes: string[] = [];
  const prompter = {
    showBrowserPage: () => undefined,
    showDeviceCode: (code: { userCode: string }) => void codes.push(code.userCode),
  };
  return { gone, codes, request: ask({ prompter, signal: gone.signal }) };
}

function granted(outcome: Awaited<ReturnType<Grants['obtain']>>) {
  return outcome.ok ? outcome.grant.credential.token?.reveal() : outcome.code;
}

beforeEach(() => {
  account = new ScriptedAccount();
  recorder = new KeptEvents();
  isTold = false;
  logins = new Logins({
    clock,
    log: silentLog,
    recorder,
    onDone: (name) => grants.loggedIn(name),
    isTold: () => isTold,
  });
  grants = new Grants({
    clock,
    log: silentLog,
    logins,
    recorder,
    probe: async () => 'unknown',
    usable: () => null,
    events: new ManualEvents(),
    isOpen: () => true,
  });
});

describe('a cached credential', () => {
  it('is issued without asking the provider while it is good', async () => {
    account.credential = token('a');
    expect(await grants.obtain(account, ask())).toMatchObject({ ok: true, how: 'held' });
    expect(account.renewals).toBe(0);
  });

  it('is renewed first when less than its margin is left', async () => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    clock.advance(9 * minute + 1);
    const outcome = grants.obtain(account, ask());
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(await outcome).toMatchObject({ ok: true, how: 'renewed' });
    expect(granted(await outcome)).toBe('b');
  });

  it('is issued inside its margin when the provider can’t be reached', async () => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    clock.advance(9 * minute + 1);
    const outcome = grants.obtain(account, ask());
    await account.finishRenewal(refuse('provider', 'oidc.unreachable', 'down'));
    expect(granted(await outcome)).toBe('a');
    // And it is said so, until a renewal goes through.
    expect(grants.troubleOf('corp')).toBe('could not be renewed: down');
    // The next ones don't wait for a provider that has just failed.
    const asked = account.renewals;
    expect(granted(await grants.obtain(account, ask()))).toBe('a');
    expect(account.renewals).toBe(asked);
    clock.advance(5_000);
    const next = grants.obtain(account, ask());
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(granted(await next)).toBe('b');
    expect(grants.troubleOf('corp')).toBeNull();
  });

  it('is issued inside its margin when the provider is slow, and the renewal goes on', async () => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    clock.advance(9 * minute + 1);
    const outcome = grants.obtain(account, ask());
    await turn();
    clock.advance(5_000);
    expect(granted(await outcome)).toBe('a');
    await account.finishRenewal({ ok: true, credential: token('b') });
    await turn();
    expect(granted(await grants.obtain(account, ask()))).toBe('b');
    expect(account.renewals).toBe(1);
  });

  it('is issued before its end where its renewal is slow and little life is left', async () => {
    account.credential = token('a', 100_000);
    await grants.obtain(account, ask());
    clock.advance(96_000);
    const waits: string[] = [];
    const outcome = grants.obtain(account, ask({ onWait: (reason) => void waits.push(reason) }));
    await turn();
    expect(waits).toEqual(['renewal']);
    clock.advance(2_000);
    await turn();
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(granted(await outcome)).toBe('a');
  });

  it.each<[string, () => Promise<void>]>([
    ['failed', () => account.finishRenewal(refuse('loginNeeded', 'oidc.session.changed', 'changed'))],
    ['is slow', async () => clock.advance(5_000)],
  ])('is not handed out when it was taken away while its renewal %s', async (_, end) => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    clock.advance(9 * minute + 1);
    const outcome = grants.obtain(account, ask());
    await turn();
    account.credential = null;
    await end();
    expect(await outcome).toMatchObject({ ok: false, reason: 'loginNeeded' });
  });

  it('is never issued after its end (KEP-541/valid-or-error)', async () => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    clock.advance(10 * minute);
    const outcome = grants.obtain(account, ask());
    await account.finishRenewal(refuse('provider', 'oidc.unreachable', 'down'));
    expect(await outcome).toMatchObject({ ok: false, code: 'oidc.unreachable' });
  });

  it('is not issued when it ended while its renewal was waited for: the next one is (KEP-541/valid-or-error)', async () => {
    account.credential = token('a', 20_000);
    await grants.obtain(account, ask());
    clock.advance(19_000);
    const outcome = grants.obtain(account, ask());
    await turn();
    clock.advance(6_000);
    account.credential = null;
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(granted(await outcome)).toBe('b');
    expect(account.renewals).toBe(1);
  });

  it('ended while its renewal failed: the user reads why it did (KEP-541/valid-or-error)', async () => {
    account.credential = token('a', 20_000);
    await grants.obtain(account, ask());
    clock.advance(19_000);
    const outcome = grants.obtain(account, ask());
    await turn();
    clock.advance(2_000);
    await account.finishRenewal(refuse('provider', 'oidc.unreachable', 'down'));
    expect(await outcome).toMatchObject({ ok: false, code: 'oidc.unreachable' });
  });

  it('has no trouble from what failed for the session or the configuration before it', async () => {
    const outcome = grants.obtain(account, ask());
    await turn();
    grants.forget('corp');
    await account.finishRenewal(refuse('provider', 'oidc.unreachable', 'down'));
    expect(await outcome).toMatchObject({ ok: false });
    expect(grants.troubleOf('corp')).toBeNull();
  });

  it('counts generations, one for each new credential and none for the same one read again', async () => {
    account.credential = token('a');
    const generationOf = async () => {
      const outcome = await grants.obtain(account, ask());
      return outcome.ok ? outcome.grant.generation : 0;
    };
    expect(await generationOf()).toBe(1);
    account.credential = { ...account.credential };
    expect(await generationOf()).toBe(1);
    account.credential = token('b');
    expect(await generationOf()).toBe(2);
  });

  it('is not issued where the provider’s answer has already expired', async () => {
    const outcome = grants.obtain(account, ask());
    await account.finishRenewal({ ok: true, credential: token('old', -1) });
    expect(await outcome).toMatchObject({ ok: false, code: 'grant.expiredAtBirth' });
  });
});

describe('single flight (rule: single-flight)', () => {
  it('makes one renewal for a hundred callers', async () => {
    const outcomes = Array.from({ length: 100 }, () => grants.obtain(account, ask()));
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(new Set((await Promise.all(outcomes)).map(granted))).toEqual(new Set(['b']));
    expect(account.renewals).toBe(1);
  });

  it('renews for an account whose configuration changed on its own, and gives it nothing of the old one', async () => {
    const before = grants.obtain(account, ask());
    await turn();
    const changed = new ScriptedAccount();
    const after = grants.obtain(changed, ask());
    await changed.finishRenewal({ ok: true, credential: token('new') });
    await account.finishRenewal({ ok: true, credential: token('old') });
    expect([granted(await before), granted(await after)]).toEqual(['old', 'new']);
  });

  it('goes on for the others when one caller is gone', async () => {
    const gone = new AbortController();
    const first = grants.obtain(account, ask({ signal: gone.signal }));
    const second = grants.obtain(account, ask());
    await turn();
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await account.finishRenewal({ ok: true, credential: token('b') });
    expect(granted(await second)).toBe('b');
  });

  it('makes one login for a hundred callers, and shows its code only to the one who began it', async () => {
    const people = Array.from({ length: 100 }, viewer);
    const outcomes = people.map(({ request }) => grants.obtain(account, request));
    await account.finishRenewal(refuse('loginNeeded', 'oidc.noSession', 'nobody is logged in'));
    await account.finishLogin(token('c'));
    expect(new Set((await Promise.all(outcomes)).map(granted))).toEqual(new Set(['c']));
    expect(account.logins).toBe(1);
    expect(people.filter(({ codes }) => codes.length > 0)).toHaveLength(1);
  });
});

describe('a provider that is down, and a credential that has ended', () => {
  const down = refuse('provider', 'oidc.token.unreachable', 'down');
  const from = (client: string, hasTerminal: boolean) =>
    ask({
      asking: {
        client,
        cluster: { name: 'prod' },
        caller: { hasTerminal },
        ancestors: () => [],
        terminal: { environment: async () => null },
      } as unknown as CredentialRequest,
    });
  /** Asks, and the provider fails where it is asked. */
  const failing = async (request: GrantRequest) => {
    const before = account.renewals;
    const outcome = grants.obtain(account, request);
    await turn();
    await turn();
    if (account.renewals > before) {
      await account.finishRenewal(down);
    }
    return granted(await outcome);
  };

  it('is tried once for each backoff, however many ask', async () => {
    for (let seconds = 0; seconds < 40; seconds++) {
      for (const client of ['one', 'two', 'three', 'four', 'five']) {
        expect(await failing(from(client, false))).toBe('oidc.token.unreachable');
      }
      clock.advance(1_000);
    }
    // 5, 10, 20 s, each between half and all of that.
    expect(account.renewals).toBeLessThanOrEqual(5);
    expect(account.renewals).toBeGreaterThanOrEqual(3);
  });

  it('is tried immediately for the user’s own call, once for each process', async () => {
    await failing(from('k9s', false));
    for (const client of ['kubectl 1', 'kubectl 1', 'kubectl 2', 'kubectl 1', 'kubectl 2']) {
      await failing(from(client, true));
    }
    expect(account.renewals).toBe(3);
  });

  it('is tried no later for the others by tries of the user’s that fail', async () => {
    await failing(from('k9s', false));
    for (let nth = 0; nth < 20; nth++) {
      await failing(from(`kubectl ${nth}`, true));
    }
    const { renewals } = account;
    clock.advance(5_000);
    await failing(from('k9s', false));
    expect(account.renewals).toBe(renewals + 1);
  });

  it('is tried for a program 30 s after the last time, however long it was away', async () => {
    for (let times = 1; times < 100; times++) {
      await failing(from('k9s', false));
      expect(account.renewals).toBe(times);
      clock.advance(30_000);
    }
  });

  it('serves all again as soon as one call has brought a credential', async () => {
    await failing(from('k9s', true));
    await failing(from('kubectl 1', true));
    const own = grants.obtain(account, from('kubectl 2', true));
    await account.finishRenewal({ ok: true, credential: token('back') });
    expect(granted(await own)).toBe('back');
    expect(granted(await grants.obtain(account, from('k9s', true)))).toBe('back');
  });

  it('is left alone for the time that it named, by the user’s own calls too, and tried after it', async () => {
    const first = grants.obtain(account, from('k9s', false));
    await account.finishRenewal({ ...down, retryAfterSeconds: 60 });
    expect(await first).toMatchObject({ code: 'oidc.token.unreachable' });
    clock.advance(59_999);
    const own = await grants.obtain(account, from('kubectl 1', true));
    expect(own).toMatchObject({
      hint: expect.stringMatching(/^it asked to be left alone; try again in \d s$/),
    });
    expect(account.renewals).toBe(1);
    clock.advance(5_001);
    const next = grants.obtain(account, from('kubectl 2', true));
    await account.finishRenewal({ ok: true, credential: token('back') });
    expect(granted(await next)).toBe('back');
  });
});

it('a renewal that never ends, whatever its signal says, ends for those who wait for it', async () => {
  const waiting = grants.obtain(account, ask());
  while (account.renewals === 0) {
    await turn();
  }
  clock.advance(45_000);
  expect(await waiting).toMatchObject({ ok: false, reason: 'timedOut', code: 'grant.timeout' });
});

describe('what is on record', () => {
  it('is no new generation where a lock has only made it forgotten', async () => {
    account.credential = token('a');
    await grants.obtain(account, ask());
    grants.forgetAll();
    const again = await grants.obtain(account, ask());
    expect(again).toMatchObject({ ok: true, grant: { generation: 1 } });
    expect(recorder.of('generation')).toHaveLength(1);
    account.credential = token('b');
    expect(await grants.obtain(account, ask())).toMatchObject({ grant: { generation: 2 } });
  });

  it('is no renewal where none was requested', async () => {
    const first = grants.obtain(account, ask());
    await account.finishRenewal({
      ...refuse('loginNeeded', 'oidc.login.needed', 'nobody is logged in'),
      unasked: true,
    });
    await first;
    expect(recorder.of('renewal')).toEqual([]);
    const second = grants.obtain(account, ask());
    await account.finishRenewal(refuse('provider', 'oidc.token.unreachable', 'down'));
    await second;
    expect(recorder.of('renewal')).toMatchObject([{ outcome: 'failed', code: 'oidc.token.unreachable' }]);
  });
});

describe('no storms (rule: no-storms)', () => {
  const loginNeeded = refuse('loginNeeded', 'oidc.noSession', 'nobody is logged in');

  it('refuses a caller without a terminal, with the command that logs in', async () => {
    const outcome = grants.obtain(account, ask());
    await account.finishRenewal(loginNeeded);
    expect(await outcome).toMatchObject({ reason: 'loginNeeded', hint: 'run: lanyard login corp' });
    expect(account.logins).toBe(0);
  });

  it('lets a caller without a terminal wait for a login that is under way', async () => {
    const person = viewer();
    const first = grants.obtain(account, person.request);
    await account.finishRenewal(loginNeeded);
    while (account.logins === 0) {
      await turn();
    }
    const second = grants.obtain(account, ask());
    await account.finishRenewal(loginNeeded);
    await account.finishLogin(token('c'));
    expect(granted(await first)).toBe('c');
    expect(granted(await second)).toBe('c');
  });

  it.each([
    ['from its beginning', false],
    ['that begins while it is waited for', true],
  ])(
    'lets a caller without a terminal wait no longer than two minutes for a login %s',
    async (_, isWanted) => {
      isTold = isWanted;
      const waits: string[] = [];
      const logIn = () => {
        const { prompter, signal } = viewer().request;
        void logins.login(account, { prompter: prompter as LoginPrompter, wish, signal });
      };
      if (!isWanted) {
        logIn();
      }
      const unseen = ask({ wantedBy: () => ['kubectl'], onWait: (reason) => void waits.push(reason) });
      const outcome = grants.obtain(account, unseen);
      let isWaiting = true;
      void outcome.then(() => {
        isWaiting = false;
      });
      await account.finishRenewal(loginNeeded);
      await turn();
      await turn();
      clock.advance(60_000);
      if (isWanted) {
        logIn();
        await turn();
      }
      clock.advance(59_999);
      await turn();
      expect(isWaiting).toBe(true);
      clock.advance(1);
      expect(await outcome).toMatchObject({ reason: 'loginNeeded', code: 'login.pending' });
      expect(waits.at(-1)).toBe('pending');
      // The login itself goes on for its other viewers.
      await account.finishLogin(token('c'));
      expect(granted(await grants.obtain(account, ask()))).toBe('c');
    },
  );

  it('starts no login automatically after one was refused, until the user asks', async () => {
    const person = viewer();
    const first = grants.obtain(account, person.request);
    await account.finishRenewal(loginNeeded);
    await account.finishLogin(null);
    expect(await first).toMatchObject({ code: 'oidc.device.denied' });

    const second = grants.obtain(account, viewer().request);
    await account.finishRenewal(loginNeeded);
    expect(await second).toMatchObject({ reason: 'loginNeeded', message: expect.stringContaining('denied') });
    expect(account.logins).toBe(1);

    const asked = viewer();
    const third = logins.login(account, {
      prompter: asked.request.prompter as LoginPrompter,
      wish,
      signal: asked.gone.signal,
    });
    await account.finishLogin(token('d'));
    expect(await third).toMatchObject({ ok: true });
    expect(account.logins).toBe(2);
  });

  it('shows the code to a second caller that asks for the login by name', async () => {
    const first = viewer();
    const second = viewer();
    const login = ({ request, gone }: ReturnType<typeof viewer>) =>
      logins.login(account, { prompter: request.prompter as LoginPrompter, wish, signal: gone.signal });
    const outcomes = [login(first), login(second)];
    await account.finishLogin(token('c'));
    await Promise.all(outcomes);
    expect([first.codes, second.codes]).toEqual([['ABCD-EFGH'], ['ABCD-EFGH']]);
    expect(account.logins).toBe(1);
  });

  it('cancels a login when the last one who saw its code is gone', async () => {
    const person = viewer();
    const first = grants.obtain(account, person.request);
    await account.finishRenewal(loginNeeded);
    while (!account.loginSignal) {
      await turn();
    }
    const waiting = grants.obtain(account, ask());
    await account.finishRenewal(loginNeeded);
    await turn();
    person.gone.abort(new Error('Ctrl-C'));
    await expect(first).rejects.toThrow('Ctrl-C');
    await expect(waiting).rejects.toThrow('no caller waits');
    expect(account.loginSignal.aborted).toBe(true);
    expect(recorder.of('login')).toMatchObject([{ flow: 'device', outcome: 'cancelled' }]);
  });

  it.each<[string, (why: string) => void]>([
    ['the account is logged out, or changes', (why) => logins.cancel('corp', why)],
    ['lanyard is locked', (why) => logins.cancelAll(why)],
  ])('ends a login under way when %s', async (_, end) => {
    const { prompter, signal } = viewer().request;
    const login = logins.login(account, { prompter: prompter as LoginPrompter, wish, signal });
    end('it has ended');
    expect(account.loginSignal?.aborted).toBe(true);
    await expect(login).rejects.toMatchObject({ code: 'login.cancelled', message: 'it has ended' });
  });

  it('is waited for without a terminal where the user is notified, and none begins automatically', async () => {
    isTold = true;
    const waits: string[] = [];
    const unseen = ask({ wantedBy: () => ['kubectl'], onWait: (reason) => void waits.push(reason) });
    const outcome = grants.obtain(account, unseen);
    await account.finishRenewal(loginNeeded);
    await turn();
    expect(logins.wanted.view('corp')).toMatchObject({ waiting: 1 });
    expect(account.logins).toBe(0);
    const { prompter, signal } = viewer().request;
    void logins.login(account, { prompter: prompter as LoginPrompter, wish, signal });
    await account.finishLogin(token('new'));
    expect(granted(await outcome)).toBe('new');
    expect(waits).toEqual(['renewal', 'wanted', 'pending']);
  });

  it('is not waited for after one that failed', async () => {
    isTold = true;
    const { prompter, signal } = viewer().request;
    const failed = logins.login(account, { prompter: prompter as LoginPrompter, wish, signal });
    await account.finishLogin(null);
    await failed;
    await turn();
    const outcome = grants.obtain(account, ask({ wantedBy: () => ['kubectl'] }));
    await account.finishRenewal(loginNeeded);
    expect(await outcome).toMatchObject({ reason: 'loginNeeded' });
    expect(logins.wanted.view('corp')).toBeNull();
  });

  it('says that the last login was cancelled, whatever the account made of that', async () => {
    const person = viewer();
    account.login = (_prompter, _wish, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve(refuse('timedOut', 'oidc.cancelled', 'the caller no longer waits for the provider')),
        );
      });
    const first = grants.obtain(account, person.request);
    await account.finishRenewal(loginNeeded);
    await turn();
    person.gone.abort(new Error('Ctrl-C'));
    await expect(first).rejects.toThrow('Ctrl-C');
    await turn();
    expect(recorder.of('login')).toMatchObject([{ outcome: 'cancelled', code: 'oidc.cancelled' }]);

    const second = grants.obtain(account, viewer().request);
    await account.finishRenewal(loginNeeded);
    expect(await second).toMatchObject({ message: 'corp needs a login (the last login was cancelled)' });
  });

  it('offers a login again after a logout: how the last one ended is another session’s', async () => {
    const first = grants.obtain(account, viewer().request);
    await account.finishRenewal(loginNeeded);
    await account.finishLogin(null);
    expect(await first).toMatchObject({ code: 'oidc.device.denied' });
    logins.forget('corp');
    const second = grants.obtain(account, viewer().request);
    await account.finishRenewal(loginNeeded);
    await account.finishLogin(token('d'));
    expect(granted(await second)).toBe('d');
  });
});

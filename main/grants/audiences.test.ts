import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { refuse } from '../contract/refusal.ts';
import { aTarget } from '../domain/testing/a-target.ts';
import type { Credential } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { Grants } from './grants.ts';
import { Logins } from './logins.ts';
import type { GrantRequest } from './request.ts';
import { ScriptedAccount, tokenAt } from './testing/scripted-account.ts';
import { KeptEvents, ManualEvents } from './testing/silent-deps.ts';

const minute = 60_000;

let clock: ManualClock;
let account: ScriptedAccount;
let grants: Grants;
let recorder: KeptEvents;

function ask(audience: string | null): GrantRequest {
  return {
    target: aTarget({ audience }),
    recipient: null,
    prompter: null,
    wish: { flow: null, atThisMachine: true },
    onWait: () => undefined,
    signal: new AbortController().signal,
  };
}

async function get(audience: string | null): Promise<string | undefined> {
  const granted = await grants.obtain(account, ask(audience));
  return granted.ok ? granted.grant.credential.token?.reveal() : granted.code;
}

function good(value: string, life?: number): { ok: true; credential: Credential } {
  return { ok: true, credential: tokenAt(clock, value, life) };
}

beforeEach(() => {
  clock = new ManualClock();
  account = new ScriptedAccount();
  recorder = new KeptEvents();
  grants = new Grants({
    clock,
    log: silentLog,
    logins: new Logins({ clock, log: silentLog, recorder, onDone: (name) => grants.loggedIn(name) }),
    recorder,
    probe: async () => 'unknown',
    usable: () => null,
    events: new ManualEvents(),
    isOpen: () => true,
    random: () => 0.5,
  });
});

describe('a cluster with its own audience', () => {
  it('KEP-541/standard-protocols: gets the account’s token exchanged, once, and every later call the same', async () => {
    account.credential = tokenAt(clock, 'base');
    const both = Promise.all([get('prod'), get('prod')]);
    await account.finishExchange('prod', good('for prod'));
    expect(await both).toEqual(['for prod', 'for prod']);
    expect(await get('prod')).toBe('for prod');
    expect(account.exchanges).toEqual([{ subject: 'base', audience: 'prod' }]);
    expect(recorder.of('generation')).toMatchObject([
      { audience: null, generation: 1 },
      { audience: 'prod', generation: 1, why: 'needed' },
    ]);
  });

  it('never gets another audience’s token, nor the account’s own', async () => {
    account.credential = tokenAt(clock, 'base');
    const both = Promise.all([get('prod'), get('stage'), get(null)]);
    await account.finishExchange('stage', good('for stage'));
    await account.finishExchange('prod', good('for prod'));
    expect(await both).toEqual(['for prod', 'for stage', 'base']);
    expect(await Promise.all([get('prod'), get('stage')])).toEqual(['for prod', 'for stage']);
  });

  it('has its own expiry, and none while nothing was exchanged', async () => {
    account.credential = tokenAt(clock, 'base');
    expect(grants.expiryFor('corp', 'prod')).toBeNull();
    const asked = get('prod');
    await account.finishExchange('prod', good('for prod', 5 * minute));
    await asked;
    expect(grants.expiryFor('corp', 'prod')).toBe(clock.now() + 5 * minute);
    expect(grants.expiryFor('corp', 'stage')).toBeNull();
    grants.forget('corp');
    expect(grants.expiryFor('corp', 'prod')).toBeNull();
  });

  it('has its own trouble, which is not the account’s', async () => {
    account.credential = tokenAt(clock, 'base');
    const asked = get('prod');
    await account.finishExchange('prod', refuse('provider', 'oidc.exchange.unsupported', 'no exchange'));
    await asked;
    expect(grants.troubleOf('corp', 'prod')).toBe('could not be renewed: no exchange');
    expect([grants.troubleOf('corp', null), grants.troubleOf('corp', 'stage')]).toEqual([null, null]);
  });

  it('is tried again as soon as the account’s own token could be renewed', async () => {
    account.credential = tokenAt(clock, 'base');
    await get(null);
    const asking = { client: 'k9s', caller: { hasTerminal: false } } as GrantRequest['asking'];
    const getProd = () => grants.obtain(account, { ...ask('prod'), asking });
    const asked = getProd();
    await account.finishExchange('prod', refuse('provider', 'oidc.unreachable', 'down'));
    expect(await asked).toMatchObject({ code: 'oidc.unreachable' });
    expect(await getProd()).toMatchObject({ unasked: true });
    const renewing = grants.renewNow(account, aTarget(), new AbortController().signal);
    await account.finishRenewal(good('base 2'));
    await renewing;
    const again = getProd();
    await account.finishExchange('prod', good('for prod'));
    expect(await again).toMatchObject({ ok: true });
  });

  it('shares one renewal of the account’s token with another audience (rule: single-flight)', async () => {
    account.credential = tokenAt(clock, 'old', minute);
    clock.advance(2 * minute);
    account.credential = null;
    const both = Promise.all([get('prod'), get('stage')]);
    await account.finishRenewal(good('base'));
    await account.finishExchange('prod', good('for prod'));
    await account.finishExchange('stage', good('for stage'));
    expect(await both).toEqual(['for prod', 'for stage']);
    expect(account.renewals).toBe(1);
    expect(account.exchanges.map(({ subject }) => subject)).toEqual(['base', 'base']);
  });

  it('is refused as the account is, where a login is needed', async () => {
    const got = grants.obtain(account, ask('prod'));
    await account.finishRenewal(refuse('loginNeeded', 'oidc.login.needed', 'nobody is logged in'));
    expect(await got).toMatchObject({ ok: false, reason: 'loginNeeded' });
    expect(account.exchanges).toEqual([]);
  });

  it('gets what a login at its terminal brings, exchanged', async () => {
    const prompter = { showBrowserPage: () => undefined, showDeviceCode: () => undefined };
    const got = grants.obtain(account, { ...ask('prod'), prompter });
    await account.finishRenewal(refuse('loginNeeded', 'oidc.login.needed', 'nobody is logged in'));
    await account.finishLogin(tokenAt(clock, 'base'));
    await account.finishExchange('prod', good('for prod'));
    expect(await got).toMatchObject({ ok: true, how: 'loggedIn' });
    expect(account.exchanges).toEqual([{ subject: 'base', audience: 'prod' }]);
  });

  it('is told the provider’s own words where it exchanges nothing', async () => {
    account.credential = tokenAt(clock, 'base');
    const got = get('prod');
    await account.finishExchange(
      'prod',
      refuse('provider', 'oidc.exchange.invalidTarget', 'no such audience'),
    );
    expect(await got).toBe('oidc.exchange.invalidTarget');
    // The account’s own token is none the worse for it.
    expect(await get(null)).toBe('base');
  });

  it('keeps its token while the provider is down, for as long as it lives', async () => {
    account.credential = tokenAt(clock, 'base', 60 * minute);
    const first = get('prod');
    await account.finishExchange('prod', good('for prod'));
    await first;
    clock.advance(9 * minute + 1_000);
    const again = get('prod');
    await account.finishExchange('prod', refuse('provider', 'oidc.token.unreachable', 'down'));
    expect(await again).toBe('for prod');
    clock.advance(minute);
    const late = get('prod');
    await account.finishExchange('prod', refuse('provider', 'oidc.token.unreachable', 'down'));
    expect(await late).toBe('oidc.token.unreachable');
  });
});

describe('a logout', () => {
  async function loggedOut(): Promise<void> {
    account.credential = null;
    grants.forget('corp');
  }

  it('takes the tokens for all audiences away', async () => {
    account.credential = tokenAt(clock, 'base');
    const first = get('prod');
    await account.finishExchange('prod', good('for prod'));
    await first;
    await loggedOut();
    const got = get('prod');
    await account.finishRenewal(refuse('loginNeeded', 'oidc.login.needed', 'nobody is logged in'));
    expect(await got).toBe('oidc.login.needed');
  });

  it('in the middle of an exchange wins: nothing is issued, and nothing is kept', async () => {
    account.credential = tokenAt(clock, 'base');
    const got = get('prod');
    while (account.exchanges.length === 0) {
      await turn();
    }
    await loggedOut();
    await account.finishExchange('prod', good('for prod'));
    expect(await got).toBe('grant.lost');
    const next = get('prod');
    await account.finishRenewal(refuse('loginNeeded', 'oidc.login.needed', 'nobody is logged in'));
    expect(await next).toBe('oidc.login.needed');
  });
});

import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { LoggedIn, LoginPrompter, LoginWish } from '../../../ports/account.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { Log } from '../../../ports/log.ts';
import type { LookUpPeer } from '../../../ports/peer-user.ts';
import type { Session, Vault, VaultContent } from '../../../ports/vault.ts';
import { displayName, displayText } from '../display-text.ts';
import { type Discarded, discard, type Unwanted } from '../logout/discard.ts';
import type { Revocable } from '../logout/revoke.ts';
import type { Provider } from '../provider/provider.ts';
import type { Received, TokenAnswer, TokenSet } from '../provider/token-request.ts';
import { chooseToken, clientSecretOf, otherToken, sessionChanged, withSession } from '../session.ts';
import { logInWithBrowser } from './browser-login.ts';
import { chooseFlow } from './choose-flow.ts';
import { type DeviceLoginDeps, logInWithDevice } from './device-code.ts';
import type { LateTabs } from './late-tabs.ts';
import { refreshTokenNote } from './refresh-token-note.ts';
import { type Who, whoLoggedIn } from './who-logged-in.ts';

export interface LoginDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read' | 'update'>;
  clock: DeviceLoginDeps['clock'];
  browser: Browser;
  lookUpPeer: LookUpPeer;
  lateTabs: LateTabs;
  log: Log;
  isCurrent(): boolean;
  /** Counts the logouts of this account: one in the middle of a login ends it. */
  logouts(): number;
}

/** Logs the user in, and writes the session if all is as it was at the start (rule: nothing-lost, same-identity). */
export async function logIn(
  deps: LoginDeps,
  prompter: LoginPrompter,
  wish: LoginWish,
  signal: AbortSignal,
): Promise<LoggedIn> {
  const { name, config, provider, vault, clock, browser, lookUpPeer, lateTabs } = deps;
  const start = anySession(vault.read(), name);
  const logouts = deps.logouts();
  if (start && start.issuer !== config.issuer) {
    return somebodyElse(name, start, `this login would be at ${provider.host}`);
  }
  const known = await provider.know();
  if (!known.ok) {
    return known;
  }
  const chosen = chooseFlow({
    name,
    config,
    wish,
    hasDisplay: browser.available(),
    metadata: known.metadata,
    host: provider.host,
  });
  if (!chosen.ok) {
    return chosen;
  }
  const clientSecret = clientSecretOf(vault.read(), name);
  const withdraw = (unwanted: Omit<Unwanted, 'before'>) =>
    discard(deps, { ...unwanted, before: { session: start, clientSecret, known } });
  const complete = async (answer: TokenAnswer, requestedAt: number): Promise<LoggedIn> => {
    if (answer.kind !== 'tokens') {
      return answer.kind === 'unusable'
        ? withEnd(answer.refusal, await withdraw(unwantedOf(answer.received)), provider.host)
        : answer.refusal;
    }
    const who = await whoLoggedIn({ ...deps, known, clientSecret }, answer.tokens);
    const unwanted = { token: revocableOf(answer.tokens), subject: who?.subject ?? null };
    try {
      signal.throwIfAborted();
      const session = sessionFrom(deps, { ...answer, who, flow: chosen.flow, requestedAt });
      const outcome =
        'ok' in session ? session : await store(deps, { session, start, logouts, flow: chosen.flow });
      return outcome.ok ? outcome : withEnd(outcome, await withdraw(unwanted), provider.host);
    } catch (error) {
      // A logout or a cancel came in between: what the provider gave must not live on there.
      await withdraw(unwanted);
      throw error;
    }
  };
  const common = { name, provider, known, clientSecret, clock };
  if (chosen.flow === 'browser') {
    const opener = chosen.open ? browser : null;
    const loopback = { lookUpPeer, lateTabs };
    return logInWithBrowser({ ...common, ...loopback, config, browser: opener, complete }, prompter, signal);
  }
  const { clientId, scopes, extraParams } = config;
  const answer = await logInWithDevice({ ...common, clientId, scopes, extraParams }, prompter, signal);
  return answer.ok ? complete(answer.answer, answer.requestedAt) : answer;
}

function revocableOf({ refreshToken, accessToken }: TokenSet): Revocable {
  return refreshToken
    ? { token: refreshToken, hint: 'refresh_token' }
    : { token: accessToken, hint: 'access_token' };
}

/** Of an answer that failed its checks: what it says of itself is good enough to end what it began. */
function unwantedOf({ refreshToken, idToken }: Received): Omit<Unwanted, 'before'> {
  const subject = idToken?.subject;
  return {
    token: refreshToken && { token: refreshToken, hint: 'refresh_token' },
    subject: typeof subject === 'string' ? subject : null,
  };
}

/** The refusal of a login, with what the user should know where its session lives on at the provider. */
function withEnd(refusal: Refusal, discarded: Discarded, host: string): Refusal {
  const left = {
    failed: `the session that it began could not be ended at ${host}`,
    notOffered: `the session that it began stays at ${host} until it expires, as nothing can be revoked there`,
    unclear: `what ${host} issued for it was left there, as it may be of the session that is logged in`,
    kept: null,
    nothing: null,
    revoked: null,
  }[discarded];
  return left === null ? refusal : { ...refusal, message: `${refusal.message}; ${left}` };
}

/** The session that the tokens make; refused where they don't say who logged in. */
function sessionFrom(
  { name, config, provider, clock }: LoginDeps,
  of: { tokens: TokenSet; who: Who | null; flow: 'browser' | 'device'; requestedAt: number },
): Session | Refusal {
  const { tokens, who, requestedAt } = of;
  const token = chooseToken(config.token, tokens, requestedAt);
  if (!token) {
    return noIdToken(name, config, provider.host, of.flow);
  }
  if (!who) {
    return refuse(
      'provider',
      'oidc.login.noSubject',
      `${provider.host} sent no id token, and neither its userinfo nor the access token says who logged in`,
      config.scopes.includes('openid')
        ? 'tell the provider’s operator'
        : `add openid to the scopes of ${name}`,
    );
  }
  return {
    issuer: config.issuer,
    clientId: config.clientId,
    subject: who.subject,
    claims: who.claims,
    refreshToken: tokens.refreshToken,
    token,
    accessToken: otherToken(config.token, tokens, requestedAt),
    loggedInAt: clock.now(),
    generation: 1,
    intent: null,
    interrupted: false,
    ended: null,
    stale: false,
  };
}

function noIdToken(
  name: string,
  { scopes }: Pick<OidcAccountConfig, 'scopes'>,
  host: string,
  flow: 'browser' | 'device',
): Refusal {
  const access = 'set token of the account to access, where the cluster takes access tokens';
  const hint = !scopes.includes('openid')
    ? `add openid to the scopes of ${name}`
    : flow === 'device'
      ? `lanyard login ${name} --browser; or ${access}: some providers send no id token with a device code`
      : `the provider’s operator must make the client an OpenID client; or ${access}`;
  return refuse('provider', 'oidc.login.noIdToken', `${host} sent no id token`, hint);
}

async function store(
  { name, config, vault, isCurrent, logouts }: LoginDeps,
  at: { session: Session; start: Session | null; logouts: number; flow: 'browser' | 'device' },
): Promise<LoggedIn> {
  const { session } = at;
  let other: Refusal | null = null;
  await vault.update((content) => {
    const now = anySession(content, name);
    // A renewal meanwhile is no change: it is the same login still.
    if (!isCurrent() || logouts() !== at.logouts || now?.loggedInAt !== at.start?.loggedInAt) {
      throw sessionChanged(name);
    }
    if (now && (now.subject !== session.subject || now.issuer !== session.issuer)) {
      other = somebodyElse(name, now, `this login was as ${displayName(session.claims, session.subject)}`);
      return content;
    }
    return withSession(content, name, session);
  });
  return (
    other ?? {
      ok: true,
      subject: displayText(session.subject),
      displayName: displayName(session.claims, session.subject),
      issuer: session.issuer,
      flow: at.flow,
      note: refreshTokenNote(name, config, session.refreshToken !== null),
    }
  );
}

/** The account's session, whatever issuer or client it is from. */
function anySession(content: VaultContent, name: string): Session | null {
  return (Object.hasOwn(content.sessions, name) ? content.sessions[name] : null) ?? null;
}

function somebodyElse(name: string, session: Session, thisLogin: string): Refusal {
  const who = displayName(session.claims, session.subject);
  const where = new URL(session.issuer).host;
  return refuse(
    'denied',
    'oidc.subject.other',
    `${name} is logged in as ${who} (${where}); ${thisLogin}`,
    `run lanyard logout ${name} first`,
  );
}

import type { OidcAccountConfig } from '../../../contract/config.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { LoggedIn, LoginPrompter, LoginWish } from '../../../ports/account.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { Log } from '../../../ports/log.ts';
import type { LookUpPeer } from '../../../ports/peer-user.ts';
import type { Session, Vault, VaultContent } from '../../../ports/vault.ts';
import { displayName, displayText } from '../display-text.ts';
import { discard } from '../logout/discard.ts';
import type { Provider } from '../provider/provider.ts';
import type { TokenSet } from '../provider/token-request.ts';
import { chooseToken, clientSecretOf, sessionChanged, withSession } from '../session.ts';
import { logInWithBrowser } from './browser-login.ts';
import { chooseFlow } from './choose-flow.ts';
import { type DeviceLoginDeps, logInWithDevice } from './device-code.ts';
import { refreshTokenNote } from './refresh-token-note.ts';

export interface LoginDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read' | 'update'>;
  clock: DeviceLoginDeps['clock'];
  browser: Browser;
  lookUpPeer: LookUpPeer;
  log: Log;
  isCurrent(): boolean;
  /** Counts the logouts of this account: one in the middle of a login ends it. */
  logouts(): number;
}

/** Logs a person in, and writes the session when all is as it was at the start (rules 7 and 9). */
export async function logIn(
  deps: LoginDeps,
  prompter: LoginPrompter,
  wish: LoginWish,
  signal: AbortSignal,
): Promise<LoggedIn> {
  const { name, config, provider, vault, clock, browser, lookUpPeer } = deps;
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
  const complete = async (tokens: TokenSet, requestedAt: number): Promise<LoggedIn> => {
    try {
      signal.throwIfAborted();
      const session = sessionFrom(deps, tokens, requestedAt);
      return 'ok' in session ? session : await store(deps, { session, start, logouts, flow: chosen.flow });
    } catch (error) {
      // A logout or a cancel came in between: what the provider gave must not live on there.
      await discard(deps, tokens.refreshToken);
      throw error;
    }
  };
  const common = { name, provider, known, clientSecret, clock };
  if (chosen.flow === 'browser') {
    const opener = chosen.open ? browser : null;
    return logInWithBrowser({ ...common, config, browser: opener, lookUpPeer, complete }, prompter, signal);
  }
  const { scopes, extraParams } = config;
  const answer = await logInWithDevice({ ...common, scopes, extraParams }, prompter, signal);
  return answer.ok ? complete(answer.tokens, answer.requestedAt) : answer;
}

/** The session that the tokens make; refused where they don't say who logged in. */
function sessionFrom(
  { name, config, provider, clock }: LoginDeps,
  tokens: TokenSet,
  requestedAt: number,
): Session | Refusal {
  const token = chooseToken(config.token, tokens, requestedAt);
  if (!tokens.claims || !token) {
    return refuse(
      'provider',
      'oidc.login.noIdToken',
      `${provider.host} sent no id token, so nobody knows who logged in`,
      `add openid to the scopes of ${name}`,
    );
  }
  return {
    issuer: config.issuer,
    clientId: config.clientId,
    subject: tokens.claims.sub,
    claims: { ...tokens.claims },
    refreshToken: tokens.refreshToken,
    token,
    loggedInAt: clock.now(),
    generation: 1,
    intent: null,
    interrupted: false,
    ended: null,
    stale: false,
  };
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

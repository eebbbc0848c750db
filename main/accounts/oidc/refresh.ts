import { refreshTokenGrant } from 'openid-client';
import { toRefusal } from '../../contract/broker-error.ts';
import type { OidcAccountConfig } from '../../contract/config.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Session, Vault } from '../../ports/vault.ts';
import type { Obtained } from '../account.ts';
import type { Provider } from './provider.ts';
import {
  chooseToken,
  clientSecretOf,
  credentialOf,
  heldToken,
  loginNeeded,
  replaceSession,
  sessionChanged,
  sessionOf,
} from './session.ts';
import { type Received, requestTokens, type TokenAnswer, type TokenSet } from './token-request.ts';

export interface RefreshDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'read' | 'update'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  isCurrent(): boolean;
  /** An answer that could not be written (a full disk): the next call writes it first. */
  unsaved: UnsavedAnswer;
}

export interface UnsavedAnswer {
  save: (() => Promise<unknown>) | null;
}

/**
 * Uses the session's refresh token once (rule 7). On disk there is first the intent, then the answer, and only
 * then is anything handed out. Call it from a single flight: a second use of a rotated token ends the session.
 */
export async function refresh(deps: RefreshDeps): Promise<Obtained> {
  const { name, config, provider, vault, clock, log } = deps;
  if (deps.unsaved.save) {
    return saveLate(deps, deps.unsaved.save);
  }
  const before = sessionOf(vault.read(), name, config);
  const refusal = loginNeeded(name, before);
  if (refusal || !before?.refreshToken) {
    return refusal ?? sessionChanged(name).toRefusal();
  }
  const known = await provider.know();
  if (!known.ok) {
    return known;
  }
  if (!deps.isCurrent()) {
    return sessionChanged(name).toRefusal();
  }
  const clientSecret = clientSecretOf(vault.read(), name);
  const requestedAt = clock.now();
  const started = await replaceSession(vault, name, before, (session) => ({
    ...session,
    intent: { at: requestedAt },
  }));
  const presented = before.refreshToken;
  const answer = await requestTokens(provider, known, clientSecret, (configuration) =>
    refreshTokenGrant(configuration, presented.reveal()),
  );
  if (answer.kind !== 'tokens') {
    log.warn('oidc.refresh.failed', {
      account: name,
      host: provider.host,
      code: answer.refusal.code,
      answer: answer.kind,
    });
    return settleFailure(deps, answer, { before, started });
  }
  return settleTokens(deps, answer.tokens, started, requestedAt);
}

async function settleTokens(
  deps: RefreshDeps,
  tokens: TokenSet,
  started: Session,
  requestedAt: number,
): Promise<Obtained> {
  const { name, config, provider, clock, log } = deps;
  if (tokens.claims && tokens.claims.sub !== started.subject) {
    return subjectChanged(deps);
  }
  const refreshToken = tokens.refreshToken ?? started.refreshToken;
  const token = chooseToken(config.token, tokens, requestedAt);
  if (!token) {
    await save(deps, started, (session) => ({ ...session, refreshToken, intent: null }));
    const held = heldToken(started, clock.now()) !== null;
    return refuse(
      held ? 'provider' : 'loginNeeded',
      'oidc.refresh.noIdToken',
      `${provider.host} renews without an id token`,
      `lanyard login ${name}; or set token of the account to access, where the cluster takes such`,
    );
  }
  if (token.issuedAt - clock.now() > 60_000) {
    log.warn('oidc.clock.behind', {
      account: name,
      host: provider.host,
      seconds: Math.round((token.issuedAt - clock.now()) / 1000),
    });
  }
  await save(deps, started, (session) => ({
    ...session,
    claims: tokens.claims ?? session.claims,
    refreshToken,
    token,
    generation: session.generation + 1,
    intent: null,
  }));
  log.info('oidc.refreshed', { account: name, host: provider.host, rotated: tokens.refreshToken !== null });
  // What was renewed is kept: it belongs to that session alone. It is handed out only under the config of its start.
  if (!deps.isCurrent()) {
    return sessionChanged(name).toRefusal();
  }
  return { ok: true, credential: credentialOf(token) };
}

/** Writes what came with an answer. Where the disk doesn't take it, it is kept for the next call. */
async function save(deps: RefreshDeps, started: Session, next: (session: Session) => Session): Promise<void> {
  const write = () => replaceSession(deps.vault, deps.name, started, next);
  try {
    await write();
  } catch (error) {
    const { reason } = toRefusal(error);
    deps.unsaved.save = reason === 'locked' || reason === 'loginNeeded' ? null : write;
    throw error;
  }
}

async function saveLate(deps: RefreshDeps, write: () => Promise<unknown>): Promise<Obtained> {
  const { name, config, vault, clock, unsaved } = deps;
  try {
    await write();
    unsaved.save = null;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.reason !== 'loginNeeded') {
      return refusal;
    }
    // Another login has taken the session's place: the answer is nobody's.
    unsaved.save = null;
  }
  const session = sessionOf(vault.read(), name, config);
  const token = session && heldToken(session, clock.now());
  if (!token || !deps.isCurrent()) {
    return refresh(deps);
  }
  return { ok: true, credential: credentialOf(token) };
}

async function settleFailure(
  deps: RefreshDeps,
  answer: Exclude<TokenAnswer, { kind: 'tokens' }>,
  { before, started }: { before: Session; started: Session },
): Promise<Refusal> {
  const { name, vault } = deps;
  switch (answer.kind) {
    case 'unusable':
      if (!isOurs(answer.received, started)) {
        return subjectChanged(deps);
      }
      // The old token is used up; the new one came over the same connection, so keeping it tells nobody anything.
      await save(deps, started, (session) => ({
        ...session,
        refreshToken: answer.received.refreshToken ?? session.refreshToken,
        intent: null,
      }));
      return answer.refusal;
    case 'refused':
      if (answer.problem.oauthError === 'invalid_grant') {
        return endSession(deps, started, before.intent !== null);
      }
      await replaceSession(vault, name, started, (session) => ({ ...session, intent: before.intent }));
      return answer.refusal;
    case 'notSent':
      await replaceSession(vault, name, started, (session) => ({ ...session, intent: before.intent }));
      return answer.refusal;
    case 'unknown':
      // The intent stays open: whether the provider took the token shows at the next try.
      return answer.refusal;
  }
}

/**
 * The provider no longer takes the refresh token. Where an earlier use's end was never seen, that use is why: the
 * login was interrupted, not ended by somebody.
 */
async function endSession(deps: RefreshDeps, started: Session, interrupted: boolean): Promise<Refusal> {
  const { name, vault, provider } = deps;
  const ended = await replaceSession(vault, name, started, (session) => ({
    ...session,
    refreshToken: null,
    intent: null,
    interrupted,
  }));
  return interrupted
    ? (loginNeeded(name, ended) ?? sessionChanged(name).toRefusal())
    : refuse(
        'loginNeeded',
        'oidc.session.ended',
        `the provider ended the session of ${name} (${provider.host})`,
        `lanyard login ${name}`,
      );
}

function isOurs(received: Received, session: Session): boolean {
  const { idToken } = received;
  return !idToken || (idToken.issuer === session.issuer && idToken.subject === session.subject);
}

/** Rule 9. The session stays as it was, its intent open: the provider may have taken the token. */
function subjectChanged({ name, provider, log }: RefreshDeps): Refusal {
  log.warn('oidc.subject.changed', { account: name, host: provider.host });
  return refuse(
    'provider',
    'oidc.subject.changed',
    `${provider.host} renewed the login of ${name} as somebody else: that was dropped`,
    `lanyard logout ${name}, then lanyard login ${name}`,
  );
}

import { refreshTokenGrant } from 'openid-client';
import { refuse } from '../../../contract/refusal.ts';
import type { Obtained } from '../../../ports/account.ts';
import type { Session } from '../../../ports/vault.ts';
import { requestTokens, type TokenSet } from '../provider/token-request.ts';
import {
  chooseToken,
  clientSecretOf,
  credentialOf,
  loginNeeded,
  otherToken,
  replaceSession,
  sessionChanged,
  sessionOf,
  validToken,
} from '../session.ts';
import { earlierToken } from './earlier-token.ts';
import { settleFailure, subjectChanged } from './refresh-failure.ts';
import { type RefreshDeps, saveAnswer, saveLate } from './save-answer.ts';

/**
 * Uses the session's refresh token once (rule: nothing-lost). First the intent is on disk, then the answer, and only
 * then is anything issued. Call it from a single flight: a second use of a rotated token ends the session.
 */
export async function refresh(deps: RefreshDeps): Promise<Obtained> {
  const { name, config, provider, vault, clock, log } = deps;
  if (deps.unsaved.save) {
    const late = await saveLate(deps, deps.unsaved.save);
    if (late) {
      return late;
    }
  }
  const before = sessionOf(vault.read(), name, config);
  const refusal = loginNeeded(name, before, config);
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
  const answer = await requestTokens(
    provider,
    known,
    { grant: presented, clientSecret },
    (configuration) => refreshTokenGrant(configuration, presented.reveal()),
    { step: 'renewal' },
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
  const other = tokens.claims && earlierToken(deps, tokens.claims, started.claims);
  if (other) {
    // The old refresh token is used up: the new one is kept, the id token is not.
    await saveAnswer(
      deps,
      started,
      (session) => ({ ...session, refreshToken, intent: null }),
      tokens.refreshToken,
    );
    return other;
  }
  const token = chooseToken(config.token, tokens, requestedAt);
  if (!token) {
    await saveAnswer(
      deps,
      started,
      (session) => ({ ...session, refreshToken, intent: null }),
      tokens.refreshToken,
    );
    const held = validToken(started, clock.now()) !== null;
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
  await saveAnswer(
    deps,
    started,
    (session) => ({
      ...session,
      claims: tokens.claims ?? session.claims,
      refreshToken,
      token,
      accessToken: otherToken(config.token, tokens, requestedAt),
      generation: session.generation + 1,
      intent: null,
    }),
    tokens.refreshToken,
  );
  log.info('oidc.refreshed', { account: name, host: provider.host, rotated: tokens.refreshToken !== null });
  // The renewed token is kept: it belongs to that session only. It is issued only under the config of its start.
  if (!deps.isCurrent()) {
    return sessionChanged(name).toRefusal();
  }
  return token.expiresAt !== null && token.expiresAt <= clock.now()
    ? provider.refuseProblem({ kind: 'tokenClock', detail: null, oauthError: null, status: null }, 'token')
    : { ok: true, credential: credentialOf(token) };
}

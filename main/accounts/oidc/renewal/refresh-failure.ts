import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { Session } from '../../../ports/vault.ts';
import type { ProviderProblem } from '../provider/provider-problem.ts';
import type { Received, TokenAnswer } from '../provider/token-request.ts';
import { loginNeeded, replaceSession, sessionChanged } from '../session.ts';
import { meaningOfRefusal } from './ended-session.ts';
import { type RefreshDeps, saveAnswer } from './save-answer.ts';

/** What an answer without usable tokens leaves in the vault, and the text for the user. */
export async function settleFailure(
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
      // The old token is used up; the new one came over the same connection, so keeping it reveals nothing.
      await saveAnswer(
        deps,
        started,
        (session) => ({
          ...session,
          refreshToken: answer.received.refreshToken ?? session.refreshToken,
          intent: null,
        }),
        answer.received.refreshToken,
      );
      return answer.refusal;
    case 'refused':
      if (meaningOfRefusal(answer.problem) !== null) {
        return endSession(deps, started, answer.problem, before.intent !== null);
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
 * The provider rejects the refresh token. Where the end of an earlier use was never seen, that use is why: the login
 * was interrupted, not ended.
 */
async function endSession(
  deps: RefreshDeps,
  started: Session,
  problem: ProviderProblem,
  before: boolean,
): Promise<Refusal> {
  const { name, vault, clock } = deps;
  const why = meaningOfRefusal(problem) ?? 'ended';
  const interrupted = before && why === 'ended';
  const ended = await replaceSession(vault, name, started, (session) => ({
    ...session,
    refreshToken: null,
    intent: null,
    interrupted,
    ended: interrupted ? null : { why, said: problem.detail ?? 'no reason given', at: clock.now() },
  }));
  // The provider was asked this time: unlike the refusals that follow, this one goes on record.
  const { unasked: _, ...refusal } =
    loginNeeded(name, ended, deps.config) ?? sessionChanged(name).toRefusal();
  return refusal;
}

/** Another user's only where the answer says so: an id token that can't be read says nothing. */
function isOurs({ idToken }: Received, { issuer, subject }: Session): boolean {
  const isOther = (said: unknown, own: string) => typeof said === 'string' && said !== '' && said !== own;
  return !isOther(idToken?.issuer, issuer) && !isOther(idToken?.subject, subject);
}

/** The session stays as it was (rule: same-identity), its intent open: the provider may have taken the token. */
export function subjectChanged({ name, provider, log }: RefreshDeps): Refusal {
  log.warn('oidc.subject.changed', { account: name, host: provider.host });
  return refuse(
    'provider',
    'oidc.subject.changed',
    `${provider.host} renewed the login of ${name} as another user: that was dropped`,
    `lanyard logout ${name}, then lanyard login ${name}`,
  );
}

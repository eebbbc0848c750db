import { durationMilliseconds } from '../../contract/duration.ts';
import type { PageYes } from '../../contract/ui/state.ts';

/** When the user is asked before a credential goes to a cluster: `approval` of config.yaml, parsed. */
export type ApprovalPolicy =
  | { kind: 'never' }
  | { kind: 'always' }
  | { kind: 'perTerminal' }
  | { kind: 'duration'; milliseconds: number };

/** Parses `approval`; an unknown value asks each time. */
export function approvalPolicy(text: string): ApprovalPolicy {
  if (text === 'never' || text === 'perTerminal') {
    return { kind: text };
  }
  const milliseconds = durationMilliseconds(text);
  return milliseconds === null ? { kind: 'always' } : { kind: 'duration', milliseconds };
}

/** What of a caller (ports/caller.ts) decides which answers apply to it. */
export interface RequesterIdentity {
  session: { leaderPid: number; startTime: string } | null;
  pidNamespace: string | null;
  origin: string;
  sure: boolean;
}

/** What an answer is about: the same credential for the same target as it was approved. */
export interface ApprovalSubject {
  account: string;
  /** `targetKey` of the target. */
  target: string;
  /** The target's approved shape: a changed target asks again. */
  shape: string;
}

/**
 * Names the callers that one answer covers; two callers with the same text share answers, and the question while it
 * is open. Null: an answer is for this call alone. Another pid namespace and an SSH origin are classes of their own,
 * and a caller that the system can't place belongs to none. A session whose leader has ended (a job that was left
 * running) is no longer a terminal; an answer for a time covers it as any other (rule: caller-is-a-label).
 */
export function answerScope(
  policy: ApprovalPolicy,
  subject: ApprovalSubject,
  caller: RequesterIdentity,
): string | null {
  if (policy.kind === 'never' || policy.kind === 'always' || !caller.sure) {
    return null;
  }
  const terminal = policy.kind === 'perTerminal' ? sessionKey(caller) : null;
  if (policy.kind === 'perTerminal' && terminal === null) {
    return null;
  }
  const { account, target, shape } = subject;
  return JSON.stringify([account, target, shape, caller.origin, caller.pidNamespace, terminal]);
}

/** "This terminal": the session's leader and its start. Null where the system has no sessions. */
export function sessionKey(caller: Pick<RequesterIdentity, 'session'>): string | null {
  return caller.session && `${caller.session.leaderPid} ${caller.session.startTime}`;
}

/** Until when an approval lasts, in milliseconds on the boottime clock; null: until it is forgotten. */
export function answerEnd(policy: ApprovalPolicy, answeredAt: number): number | null {
  return policy.kind === 'duration' ? answeredAt + policy.milliseconds : null;
}

/**
 * What a page may answer besides No, the narrowest first. Never more than the approved policy remembers: a
 * compromised page can't widen it (rule: approval-outside-page).
 */
export function yesAnswers(policy: ApprovalPolicy, caller: RequesterIdentity): PageYes[] {
  if (policy.kind === 'never' || policy.kind === 'always' || !caller.sure) {
    return ['once'];
  }
  const isTerminal = sessionKey(caller) !== null;
  if (policy.kind === 'perTerminal') {
    return isTerminal ? ['once', '15m', '1h', '8h', 'policy'] : ['once'];
  }
  const shorter = times.filter((time) => millisecondsOf(time) < policy.milliseconds);
  return ['once', ...(isTerminal ? (['terminal'] as const) : []), ...shorter, 'policy'];
}

const times = ['15m', '1h', '8h'] as const;

function millisecondsOf(time: (typeof times)[number]): number {
  return durationMilliseconds(time) ?? 0;
}

/** What such an approval covers, and until when on the boottime clock; null: only the calls that wait for it. */
export function coverOf(
  answer: PageYes,
  policy: ApprovalPolicy,
  answeredAt: number,
): { policy: ApprovalPolicy; until: number | null } | null {
  if (answer === 'once' || policy.kind === 'never' || policy.kind === 'always') {
    return null;
  }
  const end = answerEnd(policy, answeredAt);
  if (answer === 'policy') {
    return { policy, until: end };
  }
  if (answer === 'terminal') {
    return { policy: { kind: 'perTerminal' }, until: end };
  }
  return { policy, until: Math.min(answeredAt + millisecondsOf(answer), end ?? Infinity) };
}

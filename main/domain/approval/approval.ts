import { durationMilliseconds } from '../../contract/duration.ts';
import type { PageYes } from '../../contract/ui/state.ts';

/** When a person is asked before a credential goes to a cluster: `approval` of config.yaml, read. */
export type ApprovalPolicy =
  | { kind: 'never' }
  | { kind: 'always' }
  | { kind: 'perTerminal' }
  | { kind: 'duration'; milliseconds: number };

/** Reads `approval`; whatever is not known asks each time. */
export function approvalPolicy(text: string): ApprovalPolicy {
  if (text === 'never' || text === 'perTerminal') {
    return { kind: text };
  }
  const milliseconds = durationMilliseconds(text);
  return milliseconds === null ? { kind: 'always' } : { kind: 'duration', milliseconds };
}

/** What of a caller (ports/caller.ts) decides which answers count for it. */
export interface RequesterIdentity {
  session: { leaderPid: number; startTime: string } | null;
  pidNamespace: string | null;
  origin: string;
  sure: boolean;
}

/** What an answer is about: the same credential for the same place as it was confirmed. */
export interface ApprovalSubject {
  account: string;
  /** `targetKey` of where it goes. */
  target: string;
  /** The target's approved shape: a changed target asks anew. */
  shape: string;
}

/**
 * Names those whom one answer covers; two callers with the same text share answers, and the question while it is
 * asked. Null: an answer is for the one call alone. Another pid namespace and an SSH origin are classes of their
 * own, and a caller that the system can't place belongs to none. A session whose leader has ended (a job that was
 * left running) is no terminal any more; an answer for a time covers it as it does any other.
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

/** "This terminal": the session's leader and its start. Null where the system knows no session. */
export function sessionKey(caller: Pick<RequesterIdentity, 'session'>): string | null {
  return caller.session && `${caller.session.leaderPid} ${caller.session.startTime}`;
}

/** Until when a yes counts, on the boottime clock; null: until it is forgotten. */
export function answerEnd(policy: ApprovalPolicy, answeredAt: number): number | null {
  return policy.kind === 'duration' ? answeredAt + policy.milliseconds : null;
}

/**
 * What a page may answer besides No, the narrowest first. Never more than the confirmed policy remembers: a page that was
 * taken over can't widen it (rule: approval-outside-page).
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

/** What such a yes covers, and until when on the boottime clock; null: the calls that wait for it alone. */
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

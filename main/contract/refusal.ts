import type { ExitName } from './exit-codes.ts';

/**
 * Why a door says no (rule: distinct-refusals). Each reason is an exit code's name, so that a script can tell them
 * apart.
 */
export type RefusalReason = Exclude<ExitName, 'good' | 'unreachable' | 'version' | 'problems'>;

/** A refusal that a person reads: what is wrong, and what to do about it. Holds no secret. */
export interface Refusal {
  ok: false;
  reason: RefusalReason;
  /** Stable, dotted, for programs: `oidc.discovery.timeout`. */
  code: string;
  /** Lower case, one sentence, without a full stop. */
  message: string;
  /** The next step, where there is one: a command, a file to look at. */
  hint?: string | undefined;
  /** The provider asked to be left alone this long (RFC 9110, 10.2.3). */
  retryAfterSeconds?: number | undefined;
  /** It was clear from what is held: nobody was asked. */
  unasked?: true | undefined;
}

export function refuse(reason: RefusalReason, code: string, message: string, hint?: string): Refusal {
  return hint === undefined
    ? { ok: false, reason, code, message }
    : { ok: false, reason, code, message, hint };
}

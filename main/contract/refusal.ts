import type { ExitName } from './exit-codes.ts';

/**
 * Why a door refuses (rule: distinct-refusals). Each reason is the name of an exit code, so that scripts can tell them
 * apart.
 */
export type RefusalReason = Exclude<ExitName, 'good' | 'unreachable' | 'version' | 'problems' | 'pending'>;

/** A refusal for the user: what is wrong, and what to do about it. Contains no secret. */
export interface Refusal {
  ok: false;
  reason: RefusalReason;
  /** Stable, dotted, for programs: `oidc.discovery.timeout`. */
  code: string;
  /** Lower case, one sentence, without a full stop. */
  message: string;
  /** The next step, where there is one: a command, or a file to check. */
  hint?: string | undefined;
  /** How long the provider asked not to be called again (RFC 9110, 10.2.3). */
  retryAfterSeconds?: number | undefined;
  /** It follows from what the broker knows: no provider, plugin or user was asked. */
  unasked?: true | undefined;
}

/** Makes a refusal. `message` is lower case and without secrets. */
export function refuse(reason: RefusalReason, code: string, message: string, hint?: string): Refusal {
  return hint === undefined
    ? { ok: false, reason, code, message }
    : { ok: false, reason, code, message, hint };
}

/** A refusal in one line, with what to do: a command stands after a colon. */
export function inOneLine({ message, hint }: { message: string; hint?: string | null | undefined }): string {
  return hint == null ? message : `${message}${hint.startsWith('lanyard ') ? ':' : ';'} ${hint}`;
}

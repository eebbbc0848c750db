import type { Refusal } from '../contract/refusal.ts';
import { clockText } from '../contract/ui/time-texts.ts';
import { closeCommand } from '../domain/text/close-command.ts';
import { type Observation, observe } from '../domain/text/finding.ts';
import type { Credential } from '../ports/account.ts';

const day = 86_400_000;

/**
 * How long before its expiry the user should know that they have to replace it: 14 days, or a fifth of a shorter
 * life.
 */
const noticeMilliseconds = 14 * day;

/** How long a credential that the user replaces is still valid. `what`: `the token of bot`. */
export function observeLife(
  check: string,
  what: string,
  { issuedAt, expiresAt }: Pick<Credential, 'issuedAt' | 'expiresAt'>,
  now: number,
  hint: string,
): Observation {
  const found = observe(check);
  if (expiresAt === null) {
    return found.ok(`${what} is present and never expires`);
  }
  const life = issuedAt === null ? Infinity : expiresAt - issuedAt;
  const end = clockText(expiresAt, now);
  return expiresAt - now <= Math.min(noticeMilliseconds, life / 5)
    ? found.warning(`${what} expires soon, at ${end}`, hint)
    : found.ok(`${what} is valid until ${end}`);
}

/** Why a credential that the user replaces can't be read. */
export function observeRefusal(check: string, { reason, message, hint }: Refusal): Observation {
  const found = observe(check);
  return reason === 'locked'
    ? found.note(message, hint ?? 'lanyard unlock')
    : found.problem(message, hint ?? null);
}

/** `warning`: what is wrong, and a command: `FILE may be read by other users: chmod 600 FILE`. */
export function observeWarning(check: string, warning: string): Observation {
  const at = warning.lastIndexOf(': ');
  return observe(check).warning(warning.slice(0, at), warning.slice(at + 2));
}

/** A warning for `observeWarning`. */
export function readByOthersText(file: string): string {
  return `${file} may be read by other users: ${closeCommand(file, 'file')}`;
}

import type { UiFailure } from '../../../main/contract/ui/messages.ts';

/** The time left, to the second: `9:42`. */
export function countdownText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A device code letter by letter, for screen readers. Keeps the provider's separators. */
export function codeForEars(code: string): string {
  return [...code].join(' ');
}

/** What a failed login means for the user, beside the provider's message. Null: the message says it all. */
export function failureMeaning({ code, reason }: Pick<UiFailure, 'code' | 'reason'>): string | null {
  if (code === 'ui.gone') {
    return 'This login was interrupted. Try again when Lanyard is running.';
  }
  if (code === 'oidc.subject.other') {
    return 'This account is already logged in as someone else. Log out first to switch users.';
  }
  if (reason === 'timedOut' || /expired|timeout|timedOut/i.test(code)) {
    return 'The login timed out. Try again.';
  }
  return null;
}

/** Whether the login was as another user than before (rule: same-identity). */
export function isSomebodyElse({ code }: Pick<UiFailure, 'code'>): boolean {
  return code === 'oidc.subject.other';
}

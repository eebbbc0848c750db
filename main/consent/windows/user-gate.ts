import type { BoundSettings } from '../../contract/config/settings.ts';
import type { UserCheck } from '../../ports/user-check.ts';

/** `unlock`: opening the gate. `answer`: a Yes in a window of the broker's own. */
export type UserCheckFor = 'unlock' | 'answer';

/** The system's answer; `unasked`: the user doesn't want the check for this, or the system has no means. */
export type UserCheckResult = 'yes' | 'no' | 'cannot' | 'unasked';

export interface UserGateDeps {
  check: UserCheck;
  /** As the user approved them; null: not known yet. */
  settings(): Pick<BoundSettings, 'lock'> | null;
}

/** The check of `lock.biometrics`. */
export interface UserGate {
  /** `reason` is shown there, after the app's name: a plain clause. */
  ask(what: UserCheckFor, reason: string): Promise<UserCheckResult>;
}

export function createUserGate({ check, settings }: UserGateDeps): UserGate {
  return {
    async ask(what, reason) {
      const wanted = settings()?.lock.biometrics ?? 'unlock';
      if (wanted !== 'always' && wanted !== what) {
        return 'unasked';
      }
      const verdict = await check.verify(reason);
      // config.yaml travels between machines: on one without the means, the setting has no effect.
      return verdict === 'absent' ? 'unasked' : verdict;
    },
  };
}

/** Why a click in a window isn't accepted after all, in a sentence; null: it is. */
export function userCheckFault(what: UserCheckFor, said: UserCheckResult): string | null {
  if (said === 'no') {
    return 'Couldn’t verify your identity. Nothing was changed.';
  }
  // A click also opens the gate; an answer isn't taken unchecked where the user wants the check.
  return said === 'cannot' && what === 'answer'
    ? 'The system couldn’t ask whether it is you. Nothing was changed: try again, or answer in a terminal.'
    : null;
}

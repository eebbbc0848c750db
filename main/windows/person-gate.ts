import type { BoundSettings } from '../contract/config.ts';
import type { PersonCheck } from '../ports/person-check.ts';

/** `unlock`: the gate is opened. `answer`: a Yes in a window of the broker's own. */
export type PersonFor = 'unlock' | 'answer';

export interface PersonGateDeps {
  check: PersonCheck;
  /** As a person confirmed them; null: not known yet. */
  settings(): Pick<BoundSettings, 'lock'> | null;
}

/** The check of `lock.biometrics`, after the click that it belongs to. */
export interface PersonGate {
  /** The system will ask for this now. */
  asksFor(what: PersonFor): Promise<boolean>;
  /** Why it doesn't go on, in a sentence; null: it does, be it because nobody had to be asked. */
  fault(what: PersonFor, reason: string): Promise<string | null>;
}

export function createPersonGate({ check, settings }: PersonGateDeps): PersonGate {
  const wants = (what: PersonFor): boolean => {
    const wanted = settings()?.lock.biometrics ?? 'unlock';
    return wanted === 'always' || wanted === what;
  };
  return {
    asksFor: async (what) => wants(what) && (await check.means()) !== null,
    async fault(what, reason) {
      if (!wants(what)) {
        return null;
      }
      switch (await check.verify(reason)) {
        case 'yes':
          return null;
        case 'no':
          return 'The system didn’t find that it is you: nothing was changed.';
        // A system without it is as one where the setting is off: config.yaml travels between machines.
        case 'absent':
          return null;
        case 'cannot':
          // A gate is opened by a click as well; an answer that the person wants checked isn't taken unchecked.
          return what === 'unlock'
            ? null
            : 'The system couldn’t ask whether it is you: nothing was changed. Try once more, or answer on the terminal.';
      }
    },
  };
}

import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Attendant } from '../../ports/account.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import type { InteractiveMode } from '../plugins/rules/interactive-mode.ts';

/** Where a plugin runs next. */
export type Place =
  | { where: 'broker' }
  | { where: 'caller'; attendant: Attendant; runner: ProgramRunner; terminal: boolean };

/**
 * Where a plugin runs, by its mode (KEP-541/interactive-mode, KEP-541/prompts) and by its callers: at the terminal of
 * a caller where it may ask, in the broker where it need not. An answer that is not shared comes from the caller's
 * own process.
 */
export function choosePlace(
  mode: InteractiveMode,
  share: boolean,
  attendants: readonly Attendant[],
): Place | Refusal {
  if (mode !== 'Never') {
    for (const attendant of attendants) {
      if (attendant.interactive && attendant.runner) {
        return { where: 'caller', attendant, runner: attendant.runner, terminal: true };
      }
    }
    if (mode === 'Always') {
      return refuse(
        'loginNeeded',
        'execPlugin.noTerminal',
        'exec plugin cannot support interactive mode: standard input is not a terminal',
        'run it at a terminal, in the foreground and without anything piped into it; the answer then serves others too',
      );
    }
  }
  if (share) {
    return { where: 'broker' };
  }
  for (const attendant of attendants) {
    if (attendant.runner) {
      return { where: 'caller', attendant, runner: attendant.runner, terminal: false };
    }
  }
  if (attendants.length === 0) {
    return refuse(
      'notPermitted',
      'execPlugin.unshared',
      'the plugin’s answer is not shared (share: false), so it runs at the terminal that asks for it',
      'run kubectl there',
    );
  }
  return refuse(
    'notPermitted',
    'execPlugin.unshared',
    'the plugin’s answer is not shared, so the caller’s own helper has to run it, and that can’t',
    'is the helper of the same version? see: lanyard doctor',
  );
}

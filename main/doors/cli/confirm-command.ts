import { BrokerError } from '../../contract/broker-error.ts';
import type { HeldChange } from '../../domain/binding.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Recorder } from '../../ports/history.ts';
import { askYes, type Command, done, parseWords } from './command.ts';

export interface ConfirmCommandDeps {
  config: { current(): LoadedConfig };
  recorder: Recorder;
  bindings: {
    changes(): readonly HeldChange[];
    confirmAll(seen: LoadedConfig): Promise<boolean>;
  };
}

/** `lanyard confirm`: shows what came into config.yaml from outside, and takes it if a person says so (rule 8). */
export function confirmCommand(deps: ConfirmCommandDeps): Command {
  return async (call) => {
    parseWords('confirm', call.args, [], {});
    const seen = deps.config.current();
    const changes = deps.bindings.changes();
    if (changes.length === 0) {
      return done(undefined, 'Nothing waits to be confirmed.');
    }
    call.terminal.print(`${changes.map(changeText).join('\n')}\n`);
    if (!call.terminal.canPrompt) {
      throw new BrokerError('confirm.noTerminal', 'a change is confirmed by a person at a terminal', {
        reason: 'notPermitted',
      });
    }
    call.terminal.extend(900);
    if (!(await askYes(call, 'Take this into force?'))) {
      throw new BrokerError('confirm.denied', 'nothing was taken', { reason: 'denied' });
    }
    // A person was thinking meanwhile: only what was shown may be taken.
    if (!(await deps.bindings.confirmAll(seen))) {
      throw new BrokerError('confirm.changed', 'config.yaml has changed once more meanwhile', {
        reason: 'denied',
        hint: 'look again: lanyard confirm',
      });
    }
    for (const { name } of changes) {
      deps.recorder.record({ kind: 'change', what: 'binding.confirm', name });
    }
    return done(undefined, `Confirmed ${changes.length === 1 ? 'one change' : `${changes.length} changes`}.`);
  };
}

function changeText(change: HeldChange): string {
  return [
    `${change.what} ${change.name} (${change.change})`,
    ...change.lines.map((line) => `  ${line}`),
  ].join('\n');
}

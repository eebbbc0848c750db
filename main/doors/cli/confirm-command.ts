import { BrokerError } from '../../contract/broker-error.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { heldProgramJson } from '../../domain/program-standing.ts';
import { unknownName } from '../../domain/unknown-name.ts';
import {
  type ConfirmDeps,
  takeWaiting,
  type Waiting,
  type WaitingText,
  waitingTexts,
  whatWaits,
} from '../../operations/confirm.ts';
import { askYes, type Command, done, json, parseWords } from './command.ts';

/**
 * `lanyard confirm [ACCOUNT] [--json]`: shows what came into config.yaml from outside, and programs of plugins that have
 * changed, and takes them if a person says so (rule 8).
 */
export function confirmCommand(deps: ConfirmDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('confirm', call.args, ['[ACCOUNT]'], {
      json: { type: 'boolean' },
    });
    const name = positionals[0] ?? null;
    const waiting = await whatWaits(deps, name);
    const { seen, changes, held } = waiting;
    if (values.json) {
      return done(json(waitingJson(waiting)));
    }
    const count = changes.length + held.length;
    if (name !== null && count === 0 && !isKnown(seen, name)) {
      throw unknownName('account', name, seen.accounts.keys());
    }
    if (count === 0) {
      return done(
        undefined,
        name === null ? 'Nothing waits to be confirmed.' : `Nothing of ${name} waits to be confirmed.`,
      );
    }
    call.terminal.print(changesText(waitingTexts(waiting)));
    if (!call.terminal.canPrompt) {
      throw new BrokerError('confirm.noTerminal', 'a change is confirmed by a person at a terminal', {
        reason: 'notPermitted',
      });
    }
    call.terminal.extend(900);
    if (!(await askYes(call, 'Take this into force?'))) {
      throw new BrokerError('confirm.denied', 'nothing was taken', { reason: 'denied' });
    }
    // A person was thinking meanwhile: only what was shown is taken.
    await takeWaiting(deps, waiting);
    return done(undefined, `Confirmed ${count === 1 ? 'one change' : `${count} changes`}.`);
  };
}

/** A change, and the lines of its difference below it. */
export function changesText(texts: readonly WaitingText[]): string {
  return texts
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n').concat('\n'))
    .join('');
}

function isKnown({ accounts, clusters, settings }: LoadedConfig, name: string): boolean {
  return accounts.has(name) || clusters.has(name) || Object.hasOwn(settings, name);
}

function waitingJson({ changes, held, found }: Waiting): object[] {
  return [
    ...changes.map((change) => ({
      ...change,
      ...(change.what === 'account' && found.has(change.name) && { program: found.get(change.name) }),
    })),
    ...held.map(heldProgramJson),
  ];
}

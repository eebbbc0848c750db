import { BrokerError } from '../../../contract/broker-error.ts';
import { groupOf, kindNames } from '../../../contract/config/config.ts';
import { pendingText } from '../../../contract/pending-words.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { changedProgramJson } from '../../../domain/program/program-check.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import {
  type ConfirmDeps,
  pendingOf,
  summaryOf,
  takeWaiting,
  type Waiting,
  type WaitingText,
  waitingTexts,
  whatWaits,
} from '../../../operations/confirm.ts';
import { leftInVaultText } from '../../../operations/left-in-vault.ts';
import { askYes, type Command, done, json, parseWords } from '../command.ts';

/**
 * `lanyard confirm [ACCOUNT] [--json]`: shows what is pending in config.yaml, and programs of plugins that have
 * changed, and approves exactly that if the user says so (rule: confirmed-binding).
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
        name === null ? 'Nothing is pending approval.' : `Nothing of ${name} is pending approval.`,
      );
    }
    call.terminal.print(
      `${changesText(waitingTexts(waiting))}${summaryOf(waiting)} ${pendingText(pendingOf(waiting))}\n`,
    );
    if (!call.terminal.canPrompt) {
      throw new BrokerError(
        'confirm.noTerminal',
        'changes are approved at a terminal, or in a window of Lanyard',
        {
          reason: 'notPermitted',
        },
      );
    }
    call.terminal.extend(900);
    if (!(await askYes(call, count === 1 ? 'Approve this change?' : 'Approve these changes?'))) {
      throw new BrokerError('confirm.denied', 'not approved: what is pending stays pending', {
        reason: 'denied',
      });
    }
    // The user was thinking meanwhile: only what was shown is taken.
    await takeWaiting(deps, waiting);
    const approved = `Approved ${count === 1 ? 'one change' : `${count} changes`}.`;
    const left = name === null ? leftInVaultText(deps) : null;
    return done(undefined, left === null ? approved : `${approved}\n${left}`);
  };
}

/** A change, and the lines of its difference below it. */
export function changesText(texts: readonly WaitingText[]): string {
  return texts
    .map(({ title, risks, lines }) =>
      [title, ...[...risks.map((risk) => `! ${risk}`), ...lines].map((line) => `  ${line}`)]
        .join('\n')
        .concat('\n'),
    )
    .join('');
}

function isKnown(config: LoadedConfig, name: string): boolean {
  return kindNames().some((kind) => config[groupOf(kind)].has(name)) || Object.hasOwn(config.settings, name);
}

function waitingJson({ changes, held, found }: Waiting): object[] {
  return [
    ...changes.map(({ before, after, form, ...change }) => ({
      ...change,
      ...(change.what === 'account' && found.has(change.name) && { program: found.get(change.name) }),
    })),
    ...held.map(changedProgramJson),
  ];
}

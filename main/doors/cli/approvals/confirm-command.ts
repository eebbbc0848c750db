import { BrokerError } from '../../../contract/broker-error.ts';
import { groupOf, kindNames } from '../../../contract/config/config.ts';
import { pendingText } from '../../../contract/pending-words.ts';
import type { LoadedConfig } from '../../../domain/loaded-config.ts';
import { changedProgramJson } from '../../../domain/program/program-check.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import {
  type ConfirmDeps,
  countOf,
  pendingOf,
  takeWaiting,
  type Waiting,
  whatWaits,
} from '../../../operations/confirm.ts';
import { leftInVaultText } from '../../../operations/left-in-vault.ts';
import type { WaitingItem, WaitingText } from '../../../operations/waiting-item.ts';
import {
  isTakenWithAll,
  needsLook,
  partOf,
  summaryOf,
  waitingItems,
} from '../../../operations/waiting-items.ts';
import { askYes, type Command, type CommandCall, done, parseWords } from '../command.ts';
import { jsonLines } from '../json-lines.ts';
import type { KubectlContexts } from '../kubeconfig/kubectl-contexts.ts';

/**
 * `lanyard confirm [ACCOUNT …] [--json]`: shows what is pending in config.yaml, and programs of plugins that have
 * changed, and approves exactly that if the user says so (rule: confirmed-binding). Of what a hub says, all that
 * deserves a second look is approved separately, unless it alone was named.
 */
export function confirmCommand(deps: ConfirmDeps & { kubectl: KubectlContexts }): Command {
  return async (call) => {
    const { positionals, values } = parseWords('confirm', call.args, ['[ACCOUNT …]'], {
      json: { type: 'boolean' },
    });
    const names = positionals.length === 0 ? null : positionals;
    const waiting = await whatWaits(deps, names);
    if (values.json) {
      return jsonLines(call, {
        head: '[',
        entries: waitingJson(waiting),
        tail: ']',
        narrower: 'name what you want to see: lanyard confirm NAME --json',
      });
    }
    const items = waitingItems(waiting);
    const unknown = names?.find((name) => !isIn(waiting, name) && !isKnown(waiting.seen, name));
    if (unknown !== undefined) {
      throw unknownName('account', unknown, waiting.seen.accounts.keys());
    }
    if (items.length === 0) {
      return done(
        undefined,
        `Nothing${names === null ? '' : ` of ${names.join(', ')}`} is pending approval.`,
      );
    }
    printItems(call, items);
    call.terminal.print(`${summaryOf(waiting)} ${pendingText(pendingOf(waiting))}\n`);
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
    const chosen = await askWhich(call, items, names !== null);
    if (chosen.length === 0) {
      throw new BrokerError('confirm.denied', 'not approved: what is pending stays pending', {
        reason: 'denied',
      });
    }
    // The user was thinking meanwhile: only what was shown is taken.
    const taken = await takeWaiting(deps, partOf(waiting, chosen));
    const left = names === null ? leftInVaultText(deps) : null;
    const others = countOf(taken) < countOf(waiting) ? 'The others are still pending.' : null;
    const approved = countOf(taken) === 1 ? 'Approved one change.' : `Approved ${countOf(taken)} changes.`;
    const clusters = taken.changes.flatMap(({ what, name }) => (what === 'cluster' ? [name] : []));
    const next = clusters.length === 0 ? null : `Next: ${await deps.kubectl.next(call, clusters)}`;
    return done(undefined, [approved, others, left, next].filter((line) => line !== null).join('\n'));
  };
}

/**
 * What the user says yes to; `areNamed`: to these and no others. Who writes a profile can give it the name of an account:
 * that one’s name asks for no profile, so profiles count as named where nothing else has the names.
 */
async function askWhich(
  call: CommandCall,
  items: readonly WaitingItem[],
  areNamed: boolean,
): Promise<WaitingItem[]> {
  const areMeant = areNamed && items.every(({ origin }) => origin !== null);
  const usual = areMeant || items.length === 1 ? [...items] : items.filter(isTakenWithAll);
  const others = items.filter((item) => !usual.includes(item));
  const count = usual.reduce((sum, { part }) => sum + part.changes.length + part.held.length, 0);
  const question =
    others.length === 0
      ? `Approve ${count === 1 ? 'this change' : 'these changes'}?`
      : usual.some(needsLook)
        ? `Approve ${count === 1 ? 'the change' : `the ${count} changes`}, but no cluster of a hub that needs a closer look?`
        : `Approve ${count === 1 ? 'the change that needs' : `the ${count} changes that need`} no closer look?`;
  const chosen = usual.length > 0 && (await askYes(call, question)) ? usual : [];
  const more = `${chosen.length > 0 ? 'Also approve' : 'Approve'} ${others.length === 1 ? 'the one that needs' : `all ${others.length} that need`} a closer look?`;
  return others.length > 0 && (await askYes(call, more, { wholeWord: true }))
    ? [...chosen, ...others]
    : chosen;
}

function isIn({ changes, held }: Waiting, wanted: string): boolean {
  return changes.some(({ name }) => name === wanted) || held.some(({ account }) => account === wanted);
}

/** Each in a separate frame: what a hub says of all of them may be more than a frame takes. */
export function printItems({ terminal }: Pick<CommandCall, 'terminal'>, items: readonly WaitingItem[]): void {
  for (const { text } of items) {
    terminal.print(changesText([text]));
  }
}

/** A change, and the lines of its difference below it. */
export function changesText(texts: readonly WaitingText[]): string {
  return texts
    .map(({ title, risks, lines, names = [] }) =>
      [title, ...[...risks.map((risk) => `! ${risk}`), ...lines, ...names].map((line) => `  ${line}`)]
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

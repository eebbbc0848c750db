import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { hunksText } from '../../../kubeconfig/edit/index.ts';
import type { CheckFile } from '../../../kubeconfig/import/replace-file.ts';
import { newestBackups, type Undoable, type UndoDeps, undoHunks } from '../../../kubeconfig/import/undo.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import {
  faultOfOne,
  lostBy,
  planUndo,
  type Unreadable,
  undoOneEdit,
} from '../../../operations/undo-import.ts';
import type { Clock } from '../../../ports/clock.ts';
import {
  askYes,
  type Command,
  type CommandCall,
  done,
  json,
  parseWords,
  planned,
  waitingOf,
} from '../command.ts';

const personSeconds = 900;

export interface UndoCommandDeps extends UndoDeps {
  userContexts: Pick<UserContexts, 'files' | 'faultOf' | 'takeOut'>;
  clock: Pick<Clock, 'now'>;
  check: CheckFile;
}

/**
 * `lanyard kubeconfig undo [FILE] [--dry-run] [--yes] [--json]`: removes contexts that Lanyard added, and restores what
 * an import in place replaced.
 */
export function kubeconfigUndoCommand(deps: UndoCommandDeps): Command {
  return async (call) => {
    const { values, positionals } = parseWords('kubeconfig undo', call.args, ['[FILE]'], {
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const [named] = positionals;
    const file = named === undefined ? undefined : resolve(call.cwd, named);
    const backups = newestBackups(deps.vault, file);
    const added = deps.userContexts.files().filter((each) => file === undefined || each.file === file);
    if (backups.length === 0 && added.length === 0) {
      throw nothingKept(
        file,
        newestBackups(deps.vault).map((backup) => backup.file),
      );
    }
    if (values['dry-run']) {
      const { found, faults } = await planUndo(backups, deps);
      const asks = call.terminal.canPrompt || values.yes === true;
      const addedFaults = await Promise.all(
        added.map(async ({ file: each }) => {
          const why = await deps.userContexts.faultOf(each, 'removing');
          return why === null ? [] : [`${each} ${why}`];
        }),
      );
      const lines = [
        ...addedFaults.flat(),
        ...faults.map(({ message }) => message),
        ...(await keptLines(found, asks, deps)),
      ];
      return planned(
        values.json
          ? json([...added.map(addedJson), ...found.map(undoJson), ...faults.map(faultJson)])
          : [
              ...added.map((each) => `${each.file}: Lanyard’s contexts would be removed`),
              ...found.map((each) => stateText(each, deps.clock.now())),
              ...faults.map(({ message }) => message),
            ].join('\n\n'),
        lines.length === 0 ? null : keptError(lines),
      );
    }
    const lines: string[] = [];
    let kept = 0;
    for (const each of added) {
      const why = await deps.userContexts.takeOut(each.file, waitingOf(call));
      kept += why === null ? 0 : 1;
      lines.push(why ?? `Removed Lanyard’s contexts from ${each.file}. It no longer adds any.`);
    }
    // As it is without them.
    const { found, faults } = await planUndo(newestBackups(deps.vault, file), deps);
    lines.push(...faults.map(({ message }) => message));
    kept += faults.length;
    for (const each of found) {
      const line = await undoOne(call, each, values.yes ?? false, deps).catch((error: unknown) => {
        const text = faultOfOne(error, backups.length);
        return { kept: true, text };
      });
      kept += line.kept ? 1 : 0;
      lines.push(line.text);
    }
    if (kept > 0) {
      throw keptError(lines);
    }
    return values.json
      ? done(json([...added.map(addedJson), ...found.map(undoJson)]))
      : done(undefined, [...lines, 'Accounts and clusters stay in config.yaml.'].join('\n'));
  };
}

function keptError(lines: readonly string[]): BrokerError {
  return new BrokerError('kubeconfig.kept', lines.join('; '), {
    reason: 'denied',
    hint: 'its backup is still in the vault: lanyard kubeconfig undo --dry-run shows the difference',
  });
}

/** The files that a run would leave as they are, and why. `asks`: whether it would put its question, or not need to. */
async function keptLines(
  found: readonly Undoable[],
  asks: boolean,
  { check }: UndoCommandDeps,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { state, backup } of found) {
    if (state === 'changed' && !asks) {
      lines.push(changedText(backup.file));
    } else if (state !== 'asBefore') {
      const refused = await check(backup.file);
      lines.push(...(refused ? [refused.message] : []));
    }
  }
  return lines;
}

function changedText(file: string): string {
  return `${file} has changed since it was edited, and was left as it is`;
}

async function undoOne(
  call: CommandCall,
  each: Undoable,
  yes: boolean,
  deps: UndoCommandDeps,
): Promise<{ kept: boolean; text: string }> {
  const { file } = each.backup;
  if (each.state === 'changed' && !yes) {
    call.terminal.print(`${stateText(each, deps.clock.now())}\n`);
    call.terminal.extend(personSeconds);
    if (!(await askYes(call, `Restore ${file} and lose later changes?`))) {
      return { kept: true, text: changedText(file) };
    }
  }
  return undoOneEdit(each, waitingOf(call), deps);
}

/** Lines of a difference that are shown; what matters of thousands is said entry by entry. */
const diffLineLimit = 200;

function stateText(each: Undoable, at: number): string {
  const { backup, state, now } = each;
  const since = `${backup.file}, edited ${clockText(backup.at, at)}`;
  if (state === 'asBefore') {
    return `${since}: is as it was before`;
  }
  const lines = hunksText(undoHunks(each), { file: backup.file }).trimEnd().split('\n');
  const more = lines.length - diffLineLimit;
  const diff = [...lines.slice(0, diffLineLimit), ...(more > 0 ? [`… and ${more} more lines`] : [])].join(
    '\n',
  );
  if (state === 'asWritten') {
    return `${since}: not changed since\n${diff}`;
  }
  const lost = lostBy(each);
  const what = now === null ? 'is gone' : 'has been changed since';
  return [`${since}: ${what}`, ...(lost === null ? [] : [lostText(lost)]), diff].join('\n');
}

function lostText(lost: readonly string[]): string {
  return lost.length === 0
    ? 'Nothing in it would be lost but comments and order: what differs is Lanyard’s.'
    : ['If it goes back:', ...lost.slice(0, diffLineLimit).map((each) => `  ${each}`)].join('\n');
}

function undoJson({ backup, state }: Undoable): object {
  return { file: backup.file, editedAt: new Date(backup.at).toISOString(), state };
}

function addedJson({ file }: { file: string }): object {
  return { file, state: 'contextsAdded' };
}

function faultJson({ backup }: Unreadable): object {
  return { file: backup.file, editedAt: new Date(backup.at).toISOString(), state: 'unreadable' };
}

function nothingKept(file: string | undefined, known: readonly string[]): BrokerError {
  return new BrokerError(
    'kubeconfig.noBackup',
    file === undefined ? 'no kubeconfig was edited in place' : `${file} was not edited in place`,
    {
      reason: 'notFound',
      hint:
        known.length > 0
          ? `these were: ${known.join(', ')}`
          : 'lanyard kubeconfig import leaves files as they are, unless told --in-place',
    },
  );
}

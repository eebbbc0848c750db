import { BrokerError } from '../contract/broker-error.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import { lostByUndo } from '../kubeconfig/import/lost-by-undo.ts';
import type { Waiting } from '../kubeconfig/import/replace-file.ts';
import { examine, newestBackups, putBack, type Undoable, type UndoDeps } from '../kubeconfig/import/undo.ts';
import type { Backup } from '../ports/vault.ts';

/** A file that can't be read, and why. */
export interface Unreadable {
  backup: Backup;
  message: string;
}

/** Each file as it is now. One of several that can't be read keeps none of the others from going back. */
export async function planUndo(
  backups: readonly Backup[],
  deps: Pick<UndoDeps, 'read'>,
): Promise<{ found: Undoable[]; faults: Unreadable[] }> {
  const found: Undoable[] = [];
  const faults: Unreadable[] = [];
  for (const backup of backups) {
    try {
      found.push(await examine(backup, deps.read));
    } catch (error) {
      faults.push({ backup, message: faultOfOne(error, backups.length) });
    }
  }
  return { found, faults };
}

/** What went wrong with one file of several; with the only one it goes on as it is. */
export function faultOfOne(error: unknown, files: number): string {
  if (files > 1 && error instanceof BrokerError && error.reason !== 'locked') {
    return error.message;
  }
  throw error;
}

/** The newest edit of a file that is kept. Throws BrokerError where none is. */
export async function findUndo(file: string, deps: Pick<UndoDeps, 'vault' | 'read'>): Promise<Undoable> {
  const [each] = (await planUndo(newestBackups(deps.vault, file), deps)).found;
  if (!each) {
    throw new BrokerError('kubeconfig.noBackup', `nothing is kept of ${visibleText(file)}`, {
      reason: 'notFound',
      hint: 'it was not edited in place, or was restored already',
    });
  }
  return each;
}

/** The same where a terminal isn't there to ask about what would be lost: throws BrokerError where something would. */
export function mustBeUnchanged({ state, now, backup: { file } }: Undoable): void {
  if (state === 'changed') {
    throw new BrokerError(
      'kubeconfig.changed',
      `${file} ${now === null ? 'is gone' : 'has changed since Lanyard edited it'}: what was written since would be lost`,
      { reason: 'denied', hint: `a terminal asks about that: lanyard kubeconfig undo ${file}` },
    );
  }
}

/** Restores a file that was not changed since. `text`: the result. Throws BrokerError. */
export async function undoUnchanged(file: string, waiting: Waiting, deps: UndoDeps): Promise<string> {
  const each = await findUndo(file, deps);
  mustBeUnchanged(each);
  const { kept, text } = await undoOneEdit(each, waiting, deps);
  if (kept) {
    throw new BrokerError('kubeconfig.kept', text, {
      reason: 'denied',
      hint: 'its backup is still in the vault: try again',
    });
  }
  return `${text} Accounts and clusters stay in config.yaml.`;
}

/** What was written since the edit and would be lost, entry by entry; null: unknown, or nothing. */
export function lostBy({ backup, state, now, before }: Undoable): string[] | null {
  return state !== 'changed' || now === null ? null : lostByUndo(before, now, backup.file);
}

/** Puts one file back. `text`: what became of it, in a sentence; `kept`: it is as it was. */
export async function undoOneEdit(
  each: Undoable,
  waiting: Waiting,
  deps: UndoDeps,
): Promise<{ kept: boolean; text: string }> {
  const { file } = each.backup;
  const why = await putBack(each, waiting, deps);
  if (why !== null) {
    return { kept: true, text: `${file}: ${why}` };
  }
  const done = each.state === 'asBefore' ? `${file} is as it was already.` : `Put ${file} back as it was.`;
  const more =
    newestBackups(deps.vault, file).length > 0
      ? ' An edit before that is kept, too: run it again to go back further.'
      : '';
  return { kept: false, text: `${done}${more}` };
}

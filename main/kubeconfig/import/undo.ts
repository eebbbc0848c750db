import type { Recorder } from '../../ports/history.ts';
import type { Backup, Vault } from '../../ports/vault.ts';
import type { Hunk } from '../edit/change.ts';
import { diffTexts } from '../edit/index.ts';
import { digestOf, textOf } from './backups.ts';
import type { ReadFile, ReplaceFile, Waiting } from './replace-file.ts';

export interface UndoDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  recorder: Recorder;
  read: ReadFile;
  replace: ReplaceFile;
  /** The file is restored: its content is nothing new to the user who restored it. */
  onRestored(file: string): Promise<void>;
}

/** A file that was edited in place, as it is now beside what was kept of it. */
export interface Undoable {
  backup: Backup;
  /** Its text now; null where it is gone. */
  now: string | null;
  /** As it was before the edit. */
  before: string;
  /**
   * `asWritten`: unchanged since the edit; `asBefore`: it is as before the edit, there is nothing to restore;
   * `changed`: it was changed since, and those changes would be lost.
   */
  state: 'asWritten' | 'asBefore' | 'changed';
}

/** The newest backup of each file that has one; of one file alone where `file` is given. */
export function newestBackups(vault: Pick<Vault, 'read'>, file?: string): Backup[] {
  const newest = new Map<string, Backup>();
  for (const backup of vault.read().backups) {
    if (file === undefined || backup.file === file) {
      newest.set(backup.file, backup);
    }
  }
  return [...newest.values()];
}

/** Reads the file that the backup is for. Throws where it can't be read. */
export async function examine(backup: Backup, read: ReadFile): Promise<Undoable> {
  const [now, before] = await Promise.all([read(backup.file), textOf(backup)]);
  const digest = now === null ? null : digestOf(now);
  const state = now === before ? 'asBefore' : digest === backup.writtenDigest ? 'asWritten' : 'changed';
  return { backup, now, before, state };
}

/** What putting it back would change of the file as it is now; secrets masked. */
export function undoHunks({ now, before }: Undoable): readonly Hunk[] {
  return diffTexts(now ?? '', before);
}

/** Puts the file back as it was. Null when done, else why it is as it was. */
export async function putBack(
  { backup, now, before, state }: Undoable,
  waiting: Waiting,
  deps: UndoDeps,
): Promise<string | null> {
  if (state !== 'asBefore') {
    const kept = await deps.replace(
      { path: backup.file, expected: now, text: before, mode: backup.mode },
      waiting,
    );
    if (kept !== null) {
      return kept;
    }
    deps.recorder.record({ kind: 'change', what: 'kubeconfig.undo', name: backup.file });
    await deps.onRestored(backup.file);
  }
  await deps.vault.update((content) => ({
    ...content,
    backups: content.backups.filter(({ id }) => id !== backup.id),
  }));
  return null;
}

import { toRefusal } from '../../contract/broker-error.ts';
import { refuse } from '../../contract/refusal.ts';
import type { EditedKubeconfig, UndoKubeconfigs } from '../../ports/undo-kubeconfigs.ts';
import type { Backup } from '../../ports/vault.ts';
import { diffTexts, hunksText } from '../edit/index.ts';
import { digestOf, textOf } from './backups.ts';
import { examine, newestBackups, putBack, type Undoable, type UndoDeps } from './undo.ts';

/** All edits of each file at once: it becomes what it was before the first of them. */
export function createUndoKubeconfigs(deps: UndoDeps): UndoKubeconfigs {
  /** The oldest first. */
  const backupsOf = (file: string) => deps.vault.read().backups.filter((backup) => backup.file === file);

  async function look(file: string): Promise<EditedKubeconfig> {
    const backups = backupsOf(file);
    const [newest] = newestBackups(deps.vault, file);
    const changed = newest && (await stateOf(newest, deps)) === 'changed';
    return {
      file,
      at: backups[0]?.at ?? 0,
      changedSince: changed === true || (await changedBetween(backups)),
    };
  }

  return {
    list: () => Promise.all(newestBackups(deps.vault).map(({ file }) => look(file))),
    difference: async (file) => {
      const [oldest] = backupsOf(file);
      const now = (await deps.read(file).catch(() => null)) ?? '';
      return oldest ? hunksText(diffTexts(now, await textOf(oldest)), { file }) : '';
    },
    undo: async (file, { evenIfChanged, waiting }) => {
      if (!evenIfChanged && (await look(file)).changedSince) {
        const hint = 'lanyard kubeconfig undo --dry-run shows the difference';
        return refuse('denied', 'kubeconfig.changed', 'it was changed since Lanyard edited it', hint);
      }
      try {
        for (
          let [newest] = newestBackups(deps.vault, file);
          newest;
          [newest] = newestBackups(deps.vault, file)
        ) {
          const why = await putBack(await examine(newest, deps.read), waiting, deps);
          if (why !== null) {
            return refuse('denied', 'kubeconfig.kept', why);
          }
        }
      } catch (error) {
        return toRefusal(error);
      }
      return { ok: true };
    },
  };
}

/** An unreadable file (a folder replaced it) counts as changed: the others must still be restored. */
async function stateOf(backup: Backup, { read }: UndoDeps): Promise<Undoable['state']> {
  const readable = await read(backup.file).then(
    () => true,
    () => false,
  );
  return readable ? (await examine(backup, read)).state : 'changed';
}

/** Whether the file was changed between two of the edits: the first one's old content lacks that change. */
async function changedBetween(backups: readonly Backup[]): Promise<boolean> {
  for (const [index, newer] of backups.entries()) {
    const older = backups[index - 1];
    if (older && digestOf(await textOf(newer)) !== older.writtenDigest) {
      return true;
    }
  }
  return false;
}

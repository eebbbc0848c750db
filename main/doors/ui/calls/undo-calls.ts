import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { UndoableView } from '../../../contract/ui/calls/import.ts';
import { visibleText } from '../../../domain/visible-text.ts';
import { newestBackups, type Undoable, type UndoDeps, undoHunks } from '../../../kubeconfig/import/undo.ts';
import { lookAtUndo, lostBy, undoOneEdit } from '../../../operations/undo-import.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { UiHandlers } from '../handlers.ts';
import { diffLines } from '../import/diff-lines.ts';

export interface UndoCallsDeps extends UndoDeps {
  gate: Gate;
}

type Calls = 'import.undoList' | 'import.undoDiff' | 'import.undo';

/** Entries shown that would be lost. */
const lostLimit = 200;

/** What an import in place replaced, and putting it back. */
export function createUndoCalls(deps: UndoCallsDeps): Pick<UiHandlers, Calls> {
  async function find(file: string): Promise<Undoable> {
    const backups = newestBackups(deps.vault, file);
    const [each] = (await lookAtUndo(backups, deps)).found;
    if (!each) {
      throw new BrokerError('kubeconfig.noBackup', `nothing is kept of ${visibleText(file)}`, {
        reason: 'notFound',
        hint: 'it was not edited in place, or was put back already',
      });
    }
    return each;
  }
  return {
    'import.undoList': async () => {
      const backups = newestBackups(deps.vault);
      // One at a time: what is wrong with one file is that one's alone, and a locked vault is everybody's.
      const files = await Promise.all(
        backups.map(async (backup): Promise<UndoableView> => {
          const common = { file: backup.file, editedAt: backup.at };
          try {
            const [each] = (await lookAtUndo([backup], deps)).found;
            return { ...common, state: each ? stateOf(each) : 'unreadable', fault: null };
          } catch (error) {
            if (error instanceof BrokerError && error.reason !== 'locked') {
              return { ...common, state: 'unreadable', fault: error.message };
            }
            throw error;
          }
        }),
      );
      return { files: files.sort((a, b) => b.editedAt - a.editedAt) };
    },
    'import.undoDiff': async ({ file }) => {
      const each = await find(file);
      const lost = lostBy(each)?.map((line) => visibleText(line));
      return {
        ...diffLines(undoHunks(each), file),
        state: stateOf(each),
        lost: lost?.slice(0, lostLimit) ?? null,
      };
    },
    'import.undo': async ({ file }, { signal }) => {
      const refusal = deps.gate();
      if (refusal) {
        throw refusalError(refusal);
      }
      const each = await find(file);
      if (each.state === 'changed') {
        throw new BrokerError(
          'kubeconfig.changed',
          `${file} ${each.now === null ? 'is gone' : 'has changed since Lanyard edited it'}: what was written since would be lost`,
          { reason: 'denied', hint: `a terminal asks about that: lanyard kubeconfig undo ${file}` },
        );
      }
      const { kept, text } = await undoOneEdit(each, { signal, say: () => {} }, deps);
      if (kept) {
        throw new BrokerError('kubeconfig.kept', text, {
          reason: 'denied',
          hint: 'its backup is still in the vault: try again',
        });
      }
      return { message: `${text} Accounts and clusters stay in config.yaml.` };
    },
  };
}

function stateOf({ state, now }: Undoable): UndoableView['state'] {
  return now === null ? 'gone' : state;
}

import { undoWindow } from '../../../consent/windows/kinds/undo.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { UndoableView } from '../../../contract/ui/calls/import.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { newestBackups, type Undoable, type UndoDeps, undoHunks } from '../../../kubeconfig/import/undo.ts';
import { findUndo, lostBy, planUndo, undoUnchanged } from '../../../operations/undo-import.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiHandlers } from '../handlers.ts';
import { diffLines } from '../import/diff-lines.ts';

export interface UndoCallsDeps extends UndoDeps {
  clock: Pick<Clock, 'now'>;
  gate: Gate;
  windows: Pick<Windows, 'decidesAll' | 'open'>;
}

type Calls = 'import.undoList' | 'import.undoDiff' | 'import.undo';

/** The most lost entries shown. */
const lostLimit = 200;

/** Lists what imports in place replaced, and restores it. */
export function createUndoCalls(deps: UndoCallsDeps): Pick<UiHandlers, Calls> {
  return {
    'import.undoList': async () => {
      const backups = newestBackups(deps.vault);
      // A broken file only affects its own entry; a locked vault fails the call.
      const files = await Promise.all(
        backups.map(async (backup): Promise<UndoableView> => {
          const common = { file: backup.file, editedAt: backup.at };
          try {
            const [each] = (await planUndo([backup], deps)).found;
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
      const each = await findUndo(file, deps);
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
      if (deps.windows.decidesAll) {
        const command = `lanyard kubeconfig undo ${shellWord(file)}`;
        await deps.windows.open(await undoWindow(deps, file), command);
        return { message: null };
      }
      return { message: await undoUnchanged(file, { signal, say: () => {} }, deps) };
    },
  };
}

function stateOf({ state, now }: Undoable): UndoableView['state'] {
  return now === null ? 'gone' : state;
}

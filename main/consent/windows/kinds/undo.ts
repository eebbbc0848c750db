import { refusalError } from '../../../contract/broker-error.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { UndoDeps } from '../../../kubeconfig/import/undo.ts';
import { findUndo, mustBeUnchanged, undoUnchanged } from '../../../operations/undo-import.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { WindowKind } from '../window-kind.ts';

export interface UndoWindowDeps extends UndoDeps {
  clock: Pick<Clock, 'now'>;
  gate: Gate;
}

/** Restores a kubeconfig as it was before an import: its secrets are in it again. Throws BrokerError where it can't. */
export async function undoWindow(deps: UndoWindowDeps, file: string): Promise<WindowKind> {
  const locked = deps.gate();
  if (locked) {
    throw refusalError(locked);
  }
  const { backup, ...first } = await findUndo(file, deps);
  mustBeUnchanged({ backup, ...first });
  return {
    title: 'Restore a file',
    content: {
      heading: 'Restore this file as it was?',
      text: [
        'An import has edited it and moved its credentials into Lanyard’s vault. Tools that read it will then bypass Lanyard.',
      ],
      rows: [
        ['file', visibleText(file)],
        ['edited', clockText(backup.at, deps.clock.now())],
      ],
      danger: 'Its tokens, keys and passwords will be in plain text again.',
      yes: 'Restore',
      no: 'Keep',
    },
    person: { for: 'answer', reason: 'restore a file with its secrets' },
    async over() {
      if (deps.gate()) {
        return 'Lanyard was locked meanwhile.';
      }
      const now = await findUndo(file, deps).catch(() => null);
      return now?.backup.id === backup.id && now.state === first.state
        ? null
        : 'The file or its backup has changed meanwhile.';
    },
    async submit() {
      const waiting = { signal: AbortSignal.timeout(undoMilliseconds), say: () => undefined };
      const text = await undoUnchanged(file, waiting, deps);
      return { kind: 'done', good: true, heading: 'Restored', text: [text] };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'File not changed',
      text: ['Nothing was changed.'],
    }),
  };
}

/** How long another program may keep the file locked. */
const undoMilliseconds = 30_000;

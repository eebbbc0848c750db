import { useEffect, useRef, useState } from 'react';
import type { UndoableView } from '../../../main/contract/ui/calls/import.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { agoText, useNow } from '../../ui/time/index.ts';
import { useToast } from '../../ui/toast.tsx';
import styles from './import.module.css';

/** The files that an import has edited in place, with a button to restore them. */
export function UndoPanel() {
  const list = useCall('import.undoList', {});
  useWindowClosed(list.reload);
  if (list.failure) {
    return <Failure failure={list.failure} onRetry={list.reload} />;
  }
  if (!list.value) {
    return <Loading label="Checking files…" />;
  }
  return list.value.files.length === 0 ? (
    <Empty
      title="Nothing to undo"
      text="Lanyard hasn’t edited any kubeconfig. When it does, a backup is kept in the vault and can be restored here."
    />
  ) : (
    <div className={styles.wide}>
      <p className={styles.muted}>
        The original files are backed up in the vault. Restoring one doesn’t remove its accounts and clusters.
      </p>
      {list.value.files.map((file) => (
        <UndoRow key={`${file.file} ${file.editedAt}`} undoable={file} onDone={list.reload} />
      ))}
    </div>
  );
}

function UndoRow({ undoable, onDone }: { undoable: UndoableView; onDone(): void }) {
  const { file, editedAt, state, fault } = undoable;
  const [open, setOpen] = useState(false);
  const diff = useCall('import.undoDiff', { file }, { skip: !open });
  const undo = useAction('import.undo');
  const toast = useToast();
  const now = useNow(60_000);
  const refused = state === 'changed' || state === 'gone';
  const put = async () => {
    const done = await undo.run({ file });
    // Otherwise the app asks in its own dialog. The list is read again when that closes.
    if (done && done.message !== null) {
      toast.show(done.message);
      onDone();
    }
  };
  return (
    <div className={styles.undo}>
      <div className={styles.row}>
        <div className={styles.grow}>
          <div className="mono">{file}</div>
          <div className={styles.muted}>
            edited {agoText(editedAt, now)}; {fault ?? stateTexts[state]}
          </div>
        </div>
        {state !== 'unreadable' && (
          <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide the difference' : 'Show the difference'}
          </Button>
        )}
        {(state === 'asWritten' || state === 'asBefore') && (
          <Button busy={undo.busy} onClick={() => void put()}>
            Restore
          </Button>
        )}
      </div>
      {refused && (
        <div>
          <p>The file has changed since. Restore it from a terminal to review what you would lose:</p>
          <CommandLine command={`lanyard kubeconfig undo ${quoted(file)}`} />
        </div>
      )}
      {undo.failure && <Failure failure={undo.failure} onRetry={onDone} />}
      {open && diff.loading && <Loading label="Loading diff…" />}
      {open && diff.failure && <Failure failure={diff.failure} onRetry={diff.reload} />}
      {open && diff.value && (
        <>
          {diff.value.lost !== null && (
            <div>
              <p>
                {diff.value.lost.length === 0
                  ? 'Only comments and key order would be lost.'
                  : 'If it goes back:'}
              </p>
              <ul>
                {diff.value.lost.map((line) => (
                  <li key={line} className={styles.muted}>
                    {line}
                  </li>
                ))}
              </ul>
            </div>
          )}
          <DiffLines lines={diff.value.lines} label={`What would change in ${file}`} />
          {diff.value.moreLines > 0 && (
            <p className={styles.small}>… and {diff.value.moreLines} more lines.</p>
          )}
        </>
      )}
    </div>
  );
}

function useWindowClosed(onClosed: () => void): void {
  const isOpen = useBroker((state) => state.sections.window[''] !== undefined);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      onClosed();
    }
    wasOpen.current = isOpen;
  }, [isOpen, onClosed]);
}

const stateTexts: Readonly<Record<UndoableView['state'], string>> = {
  asWritten: 'not changed since',
  asBefore: 'already restored',
  changed: 'it has been changed since',
  gone: 'it is gone',
  unreadable: 'it can’t be read',
};

/** One word of a shell command, quoted if needed. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

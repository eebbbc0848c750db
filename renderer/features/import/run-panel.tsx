import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { ApprovePending } from '../confirming/approve-pending.tsx';
import { CardTitle } from './card-title.tsx';
import { DonePanel } from './done-panel.tsx';
import styles from './import.module.css';
import { type ImportRun, useImportRun } from './import-run.tsx';

/** A running import, or its result. */
export function RunPanel({ run }: { run: ImportRun }) {
  const { clear, takeBack } = useImportRun();
  switch (run.stage) {
    case 'doing':
      return (
        <div className={styles.card} aria-busy="true">
          <CardTitle>Importing</CardTitle>
          <p className={styles.muted} role="status">
            {run.what}
          </p>
        </div>
      );
    case 'held':
      return <PendingPanel run={run} />;
    case 'failed':
      return (
        <div className={styles.card}>
          <Failure failure={run.failure} />
          {run.wasPending && (
            <p className={styles.muted}>
              Pending changes stay pending until you approve or cancel them. Your own files are edited only by
              an import that you approved.
            </p>
          )}
          <div className={styles.row}>
            <Button kind="primary" calls onClick={clear}>
              Scan again
            </Button>
            {run.wasPending && (
              <Button calls onClick={takeBack}>
                Cancel import
              </Button>
            )}
          </div>
        </div>
      );
    case 'done':
      return <DonePanel result={run.result} />;
  }
}

function PendingPanel({ run }: { run: Extract<ImportRun, { stage: 'held' }> }) {
  const { leave, takeBack } = useImportRun();
  const isOpen = useBroker((state) => state.sections.window[''] !== undefined);
  const place = useBroker((state) => state.sections.broker['']?.windows);
  return (
    <div className={styles.card}>
      <CardTitle>One last step: approve the import</CardTitle>
      <p role="status">
        {isOpen
          ? `Lanyard’s approval window is open${place === 'browser' ? ' in your browser' : ''}. Approve the import there.`
          : 'The import is ready. Approve it in a Lanyard window.'}
      </p>
      <p className={styles.muted}>
        {run.count === 1 ? 'One entry is' : `${run.count} entries are`} new. For your security, web pages
        can’t approve this. Your own files are edited only after you approve.
      </p>
      <ApprovePending primary earlier={run.windowFailure} />
      <div className={styles.row}>
        <Button calls onClick={takeBack}>
          Cancel import
        </Button>
        <Button kind="quiet" onClick={leave}>
          Finish later
        </Button>
      </div>
    </div>
  );
}

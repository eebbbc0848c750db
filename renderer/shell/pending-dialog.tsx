import { useEffect } from 'react';
import { pendingCountText, pendingText } from '../../main/contract/pending-words.ts';
import { ApprovePending } from '../features/confirming/approve-pending.tsx';
import { useBroker } from '../stores/use-broker.tsx';
import { useCall } from '../stores/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DiffLines } from '../ui/diff-lines.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import styles from './pending-dialog.module.css';

/** The changes that are pending approval, and their effect until then. They can't be approved here. */
export function PendingDialog({ onClose }: { onClose(): void }) {
  const held = useBroker((state) => state.sections.held);
  const list = useCall('confirm.list', {}, { refreshOn: Object.keys(held).join('\n') });
  const done = Object.keys(held).length === 0;
  useEffect(() => {
    if (done) {
      onClose();
    }
  }, [done, onClose]);
  const { failure } = list;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="large"
      title={pendingCountText(held)}
      description={`${pendingText(Object.values(held))} A page can’t approve changes: approve them in a Lanyard window or in a terminal.`}
      footer={
        <>
          <div className={styles.ways}>
            <ApprovePending primary />
          </div>
          <Button onClick={onClose}>Later</Button>
        </>
      }
    >
      <div className={styles.body}>
        {failure && <Failure failure={failure} onRetry={list.reload} />}
        {!list.value && !failure && <Loading label="Loading changes…" />}
        {list.value?.changes.map(({ title, risks, lines, names }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two groups may have one title
          <section key={index}>
            <h3 className={styles.title}>{title}</h3>
            {risks.map((risk) => (
              <p key={risk} className={styles.risk}>
                {risk}
              </p>
            ))}
            {lines.length > 0 && <DiffLines lines={lines} label={title} />}
            {names && (
              <details>
                <summary>Names</summary>
                <DiffLines lines={names} label={`Names: ${title}`} />
              </details>
            )}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

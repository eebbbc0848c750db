import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './cluster.module.css';

/** What waits for a person's word, where it was set (rule 8). */
export function HeldNotice({ lines, isNew }: { lines: readonly string[]; isNew: boolean }) {
  const open = useAction('window.open');
  return (
    <section className={styles.held} aria-label="Not confirmed yet">
      <p>
        <strong>{isNew ? 'This cluster waits for your word.' : 'This change waits for your word.'}</strong>{' '}
        Until then nothing is handed out for it.
      </p>
      <DiffLines lines={lines} label="What is to be confirmed" />
      <div className={styles.actions}>
        <Button size="small" busy={open.busy} onClick={() => void open.run({ what: 'confirm' })}>
          Confirm in a window
        </Button>
      </div>
      <p className={styles.faint}>Or in a terminal:</p>
      <CommandLine command="lanyard confirm" />
      {open.failure && <Failure failure={open.failure} />}
    </section>
  );
}

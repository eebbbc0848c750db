import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { Section } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './accounts.module.css';

/** What waits for a person's word (rule 8), and where it is given: never in this page. */
export function HeldNotice({ held }: { held: NonNullable<AccountDetails['held']> }) {
  return (
    <Section title="Waits for your word">
      <p>
        {held.change === 'new' ? 'This account is new' : 'This account was changed'}: it is used once you have
        confirmed it.
      </p>
      <DiffLines lines={held.lines} label="What would come into force" />
      <ConfirmWays />
    </Section>
  );
}

/** The two places where a change is confirmed. */
export function ConfirmWays() {
  const open = useAction('window.open');
  return (
    <div className={styles.stack}>
      <div className={styles.ways}>
        <Button busy={open.busy} onClick={() => void open.run({ what: 'confirm' })}>
          Confirm in a window
        </Button>
        <span className={styles.muted}>or in a terminal:</span>
        <CommandLine command="lanyard confirm" />
      </div>
      {open.failure && <Failure failure={open.failure} />}
    </div>
  );
}

import { useState } from 'react';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Failure } from '../../ui/states.tsx';
import styles from './confirming.module.css';

export interface ApprovePendingProps {
  /** Whether it is the next step for the user. */
  primary?: boolean;
  /** Why a window that was requested before didn't open. */
  earlier?: UiFailure | null;
}

/** The two ways to approve what is pending (rule: approval-outside-page). The page itself never does. */
export function ApprovePending({ primary = false, earlier = null }: ApprovePendingProps) {
  const open = useAction('window.open');
  const isOpen = useBroker((state) => state.sections.window[''] !== undefined);
  const canOpen = useBroker((state) => state.sections.broker['']?.windows !== 'none');
  const [tried, setTried] = useState(false);
  const failure = open.failure ?? (tried ? null : earlier);
  return (
    <div className={styles.confirm}>
      <div className={styles.ways}>
        {canOpen && (
          <Button
            kind={primary && !isOpen ? 'primary' : 'plain'}
            busy={open.busy}
            onClick={() => {
              setTried(true);
              void open.run({ what: 'confirm' });
            }}
          >
            {isOpen ? 'Reopen approval window' : 'Review and approve…'}
          </Button>
        )}
        <span className={styles.or}>{canOpen ? 'or in a terminal:' : 'In a terminal:'}</span>
        <CommandLine command="lanyard confirm" />
      </div>
      {failure && <Failure failure={failure} />}
    </div>
  );
}

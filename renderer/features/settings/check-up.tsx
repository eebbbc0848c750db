import { useState } from 'react';
import type { FindingView } from '../../../main/contract/ui/calls/settings.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { Failure } from '../../ui/states.tsx';
import { Findings } from './findings.tsx';
import { Progress } from './progress.tsx';
import styles from './settings.module.css';

/** `lanyard doctor` in the page: the checks, the findings, and what to do about them. */
export function CheckUp() {
  const doctor = useAction('doctor.run');
  const [progress, setProgress] = useState<{ ended: number; all: number } | null>(null);
  const [findings, setFindings] = useState<readonly FindingView[] | null>(null);
  const run = async () => {
    setProgress(null);
    const found = await doctor.run({}, { onProgress: setProgress });
    if (found) {
      setFindings(found.findings);
    }
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>
        Looks at the whole way from kubectl to your clusters. It changes nothing. What lies in a terminal’s
        own environment, only a terminal can tell:
      </p>
      <CommandLine command="lanyard doctor" />
      <div className={styles.row}>
        <Button busy={doctor.busy} onClick={() => void run()}>
          {findings ? 'Look again' : 'Look now'}
        </Button>
        {doctor.busy && (
          <Button kind="quiet" onClick={doctor.cancel}>
            Stop
          </Button>
        )}
      </div>
      {doctor.busy && <Progress label="Looking" progress={progress} />}
      {doctor.failure && <Failure failure={doctor.failure} />}
      {findings && !doctor.busy && <Findings findings={findings} />}
    </div>
  );
}

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
        Checks everything from kubectl to your clusters. Read-only. For your shell’s environment, run:
      </p>
      <CommandLine command="lanyard doctor" />
      <div className={styles.row}>
        <Button busy={doctor.busy} onClick={() => void run()}>
          {findings ? 'Run again' : 'Run checks'}
        </Button>
        {doctor.busy && (
          <Button kind="quiet" onClick={doctor.cancel}>
            Stop
          </Button>
        )}
      </div>
      {doctor.busy && <Progress label="Checking" progress={progress} />}
      {doctor.failure && <Failure failure={doctor.failure} />}
      {findings && !doctor.busy && <Findings findings={findings} />}
    </div>
  );
}

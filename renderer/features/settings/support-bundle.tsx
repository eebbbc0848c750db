import { useState } from 'react';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { saveText } from '../../ui/save-text.ts';
import { Failure } from '../../ui/states.tsx';
import { Progress } from './progress.tsx';
import styles from './settings.module.css';

/** A text for support. The user makes it, reads it, and only then saves it. */
export function SupportBundle() {
  const make = useAction('bundle.make');
  const [names, setNames] = useState(false);
  const [progress, setProgress] = useState<{ ended: number; all: number } | null>(null);
  const [bundle, setBundle] = useState<CallOutput<'bundle.make'> | null>(null);
  const run = async () => {
    setProgress(null);
    setBundle(null);
    setBundle(await make.run({ names }, { onProgress: setProgress }));
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>
        Versions, findings, settings, and recent errors. No token, key or password is in it. Review it before
        you share it.
      </p>
      <Checkbox
        label="With names and addresses"
        hint="If off, names of accounts, clusters, hosts and users are replaced."
        checked={names}
        onCheckedChange={setNames}
      />
      <div className={styles.row}>
        <Button busy={make.busy} onClick={() => void run()}>
          {bundle ? 'Regenerate' : 'Create bundle'}
        </Button>
        {bundle && (
          <>
            <Button onClick={() => saveText(bundle.fileName, bundle.text)}>Save as {bundle.fileName}</Button>
            <CopyButton text={bundle.text} label="Copy" wide />
          </>
        )}
      </div>
      {make.busy && <Progress label="Checking" progress={progress} />}
      {make.failure && <Failure failure={make.failure} onRetry={() => void run()} />}
      {bundle && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section aria-label="The bundle’s text" tabIndex={0} className={styles.bundle}>
          <pre>{bundle.text}</pre>
        </section>
      )}
    </div>
  );
}

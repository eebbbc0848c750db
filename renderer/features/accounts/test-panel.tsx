import { useState } from 'react';
import type { AccountDraft, TestFinding } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import styles from './accounts.module.css';

const marks = { problem: 'bad', warning: 'soon', note: 'idle', ok: 'good' } as const;
const words = { problem: 'Problem', warning: 'Warning', note: 'Note', ok: 'Good' } as const;

/** Checks what the account depends on before it is saved. */
export function TestPanel({ draft, disabled }: { draft: AccountDraft; disabled: boolean }) {
  const test = useAction('account.test');
  const [doing, setDoing] = useState<string | null>(null);
  const [result, setResult] = useState<{ draft: AccountDraft; findings: readonly TestFinding[] } | null>(
    null,
  );
  const run = async () => {
    setDoing(null);
    setResult(null);
    const output = await test.run(draft, { onProgress: (progress) => setDoing(progress.doing) });
    if (output) {
      setResult({ draft, findings: output.findings });
    }
  };
  return (
    <section className={styles.test} aria-label="Test">
      <div className={styles.ways}>
        <Button busy={test.busy} disabled={disabled} onClick={run}>
          Test
        </Button>
        {test.busy && <Button onClick={test.cancel}>Cancel the test</Button>}
        <span className={styles.muted} role="status">
          {test.busy
            ? sentence(doing ?? 'checking').replace(/\.$/, '…')
            : 'Checks these settings without saving. Doesn’t use secrets or run programs.'}
        </span>
      </div>
      {test.failure && <Failure failure={test.failure} />}
      {result && (
        <>
          {result.draft !== draft && <p className={styles.muted}>Settings changed since this test.</p>}
          <ul className={styles.findings} aria-label="What the test found">
            {result.findings.map((finding) => (
              <li key={`${finding.check} ${finding.message}`} className={styles.finding}>
                <StatusMark health={marks[finding.level]} label={words[finding.level]} />
                <div>
                  <p>{sentence(finding.message)}</p>
                  {finding.hint && <p className={styles.muted}>{sentence(finding.hint)}</p>}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

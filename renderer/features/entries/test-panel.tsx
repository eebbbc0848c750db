import { useEffect, useRef } from 'react';
import type { TestFinding } from '../../../main/contract/ui/calls/accounts.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import type { Kind } from './account-words.ts';
import styles from './accounts.module.css';
import { type FieldSpec, fieldsOf } from './fields.ts';
import { hintInForm } from './finding-words.ts';
import type { DraftTest } from './use-test.ts';

const marks = { problem: 'bad', warning: 'soon', note: 'idle', ok: 'good' } as const;
const words = { problem: 'Problem', warning: 'Warning', note: 'Note', ok: 'Good' } as const;

/** What a test does or found. It scrolls into sight when it is there. `onShow`: leads to the field of a key. */
export function TestPanel({
  kind,
  test,
  onShow,
}: {
  kind: Kind;
  test: DraftTest;
  onShow(key: string): void;
}) {
  const { busy, doing, failure, findings, isOld } = test;
  const own = useRef<HTMLElement>(null);
  const isEmpty = findings === null && failure === null;
  useEffect(() => {
    if (!isEmpty) {
      own.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isEmpty]);
  return (
    <section ref={own} className={styles.test} aria-label="Test">
      <p className={styles.muted} role="status">
        {busy
          ? sentence(doing ?? 'checking').replace(/\.$/, '…')
          : findings === null
            ? 'Test checks these settings without saving them. It uses no secrets and runs no programs.'
            : summaryOf(findings)}
      </p>
      {failure && <Failure failure={failure} />}
      {findings && (
        <>
          {isOld && <p className={styles.muted}>Settings changed since this test.</p>}
          <ul className={styles.findings} aria-label="What the test found">
            {findings.map((finding) => (
              <Finding
                key={`${finding.check} ${finding.message}`}
                finding={finding}
                spec={fieldsOf[kind].find(({ key }) => key === finding.field) ?? null}
                onShow={onShow}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Finding({
  finding: { level, message, hint },
  spec,
  onShow,
}: {
  finding: TestFinding;
  spec: FieldSpec | null;
  onShow(key: string): void;
}) {
  return (
    <li className={styles.finding}>
      <StatusMark health={marks[level]} label={words[level]} />
      <div className={styles.found}>
        <p>{sentence(message)}</p>
        {hint && <p className={styles.muted}>{sentence(spec ? hintInForm(hint, spec) : hint)}</p>}
        {spec && (
          <div>
            <Button size="small" onClick={() => onShow(spec.key)}>
              Go to {spec.label}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function summaryOf(findings: readonly TestFinding[]): string {
  const count = (level: TestFinding['level']) => findings.filter((each) => each.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  return problems > 0
    ? `The test found ${problems === 1 ? 'a problem' : `${problems} problems`}.`
    : warnings > 0
      ? `The test found ${warnings === 1 ? 'a warning' : `${warnings} warnings`}, and no problem.`
      : 'The test found no problem.';
}

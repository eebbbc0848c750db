import { type ReactNode, useEffect, useRef } from 'react';
import type { TestFinding } from '../../../main/contract/ui/calls/finding.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import styles from './entries.module.css';
import { hintInForm } from './finding-words.ts';
import type { ShownTest } from './use-test.ts';

const marks = { problem: 'bad', warning: 'soon', note: 'idle', ok: 'good' } as const;
const words = { problem: 'Problem', warning: 'Warning', note: 'Note', ok: 'Good' } as const;

export interface TestPanelProps {
  test: ShownTest;
  /** What a test does, while there was none. */
  about: string;
  /** The label of a key’s field; null: the form has none. */
  labelOf(key: string): string | null;
  /** Leads to the field of a key. */
  onShow(key: string): void;
  /** More of what was found. */
  children?: ReactNode;
}

/** What a test does or found. It scrolls into sight when it is there. */
export function TestPanel({ test, about, labelOf, onShow, children }: TestPanelProps) {
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
            ? about
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
                label={finding.field === null ? null : labelOf(finding.field)}
                onShow={onShow}
              />
            ))}
          </ul>
          {children}
        </>
      )}
    </section>
  );
}

function Finding({
  finding: { level, message, hint, field },
  label,
  onShow,
}: {
  finding: TestFinding;
  label: string | null;
  onShow(key: string): void;
}) {
  const lead = field !== null && label !== null ? { key: field, label } : null;
  return (
    <li className={styles.finding}>
      <StatusMark health={marks[level]} label={words[level]} />
      <div className={styles.found}>
        <p>{sentence(message)}</p>
        {hint && <p className={styles.muted}>{sentence(lead ? hintInForm(hint, lead) : hint)}</p>}
        {lead && (
          <div>
            <Button size="small" onClick={() => onShow(lead.key)}>
              Go to {lead.label}
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

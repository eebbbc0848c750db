import { type ReactNode, useEffect, useState } from 'react';
import type { UiFailure } from '../../main/contract/ui/messages.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';
import { Button } from './button.tsx';
import styles from './states.module.css';

export interface EmptyProps {
  title: string;
  text: ReactNode;
  action?: ReactNode;
}

/** Nothing to show (yet): why, and how to change that. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className={styles.state}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** What went wrong, what can be done, and the code one click away. */
export function Failure({ failure, onRetry }: { failure: UiFailure; onRetry?: () => void }) {
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.message}>{sentence(failure.message)}</p>
      {failure.hint && <p className={styles.text}>{sentence(failure.hint)}</p>}
      <div className={styles.row}>
        {onRetry && (
          <Button size="small" calls onClick={onRetry}>
            Try again
          </Button>
        )}
        <details className={styles.details}>
          <summary>Details</summary>
          <code>{failure.code}</code>
        </details>
      </div>
    </div>
  );
}

/** Shows what is loading. Shows nothing for the first 200 ms, so that fast answers don't flash. */
export function Loading({ label }: { label: string }) {
  const late = useLate(200);
  return (
    <div className={styles.loading} aria-busy="true">
      {late && <p role="status">{label}</p>}
    </div>
  );
}

/** False at first, and true this many milliseconds after the first render. */
export function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}

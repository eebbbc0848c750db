import type { ReactNode } from 'react';
import type { UiFailure } from '../../main/contract/ui/messages.ts';
import { Button } from './button.tsx';
import styles from './selection-bar.module.css';
import { Failure } from './states.tsx';

export interface SelectionBarProps {
  /** `Selected clusters`. */
  label: string;
  count: string;
  /** What to know before one of the buttons is pressed. */
  notes: readonly string[];
  failure: UiFailure | null;
  onClear(): void;
  /** The buttons. */
  children: ReactNode;
}

/** How many rows of a list are selected, and what can be done with them. In the footer of the page. */
export function SelectionBar({ label, count, notes, failure, onClear, children }: SelectionBarProps) {
  return (
    <section className={styles.bar} aria-label={label}>
      <strong role="status">{count} selected</strong>
      {children}
      <Button size="small" kind="quiet" onClick={onClear}>
        Clear
      </Button>
      {notes.length > 0 && <span>{notes.join(' ')}</span>}
      {failure && (
        <div className={styles.whole}>
          <Failure failure={failure} />
        </div>
      )}
    </section>
  );
}

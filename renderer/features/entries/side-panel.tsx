import type { ReactNode } from 'react';
import styles from './entries.module.css';

/** What is selected in a list, beside it in a wide window. `actions` stay in sight below what scrolls. */
export function SidePanel({
  label,
  actions,
  children,
}: {
  label: string;
  actions: ReactNode;
  children: ReactNode;
}) {
  return (
    <aside className={styles.panel} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="At a glance" tabIndex={0} className={styles.glance}>
        {children}
      </section>
      <div className={styles.foot}>{actions}</div>
    </aside>
  );
}

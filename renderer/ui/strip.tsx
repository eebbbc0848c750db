import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './strip.module.css';

export interface StripProps {
  tone?: 'plain' | 'soon' | 'bad';
  icon?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  label: string;
  /** Screen readers announce it immediately. */
  live?: boolean;
}

/** A line above a view: what happened, what it means, what can be done. */
export function Strip({ tone = 'plain', icon, children, actions, label, live = false }: StripProps) {
  return (
    <section className={classes(styles.strip, styles[tone])} aria-label={label}>
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={styles.words} role={live ? 'status' : undefined}>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

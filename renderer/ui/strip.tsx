import { createContext, type ReactNode, useContext } from 'react';
import { classes } from './classes.ts';
import styles from './strip.module.css';

/** Where a strip stands among others. */
export interface StripPlace {
  /** Its words are only for screen readers: a more urgent one is shown. */
  folded: boolean;
  /** The button that shows the others; of the most urgent one. */
  more?: ReactNode;
}

export const StripPlaceContext = createContext<StripPlace>({ folded: false });

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
  const { folded, more } = useContext(StripPlaceContext);
  return (
    <section className={folded ? 'unseen' : classes(styles.strip, styles[tone])} aria-label={label}>
      {icon && !folded && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={styles.words} role={live ? 'status' : undefined}>
        {children}
      </div>
      {(actions || more) && !folded && (
        <div className={styles.actions}>
          {actions}
          {more}
        </div>
      )}
    </section>
  );
}

import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import styles from './login.module.css';

/** Opens a provider's page, which gets no referrer and no access to this page. */
export function OpenLink({
  href,
  icon,
  strong = false,
  children,
}: {
  /** From `safeAddress`. */
  href: string;
  icon: ReactNode;
  strong?: boolean;
  children: ReactNode;
}) {
  return (
    <a
      className={classes(styles.link, strong && styles.strong)}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      <span className={styles.linkIcon} aria-hidden="true">
        {icon}
      </span>
      {children}
    </a>
  );
}

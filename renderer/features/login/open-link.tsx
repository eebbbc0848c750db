import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import styles from './login.module.css';
import { useMainFocus } from './use-main-focus.ts';

/** Opens a provider's page, which gets no referrer and no access to this page. A step has one, with the focus. */
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
  const focused = useMainFocus<HTMLAnchorElement>();
  return (
    <a
      ref={focused}
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

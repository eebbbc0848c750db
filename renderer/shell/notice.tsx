import { type ReactNode, useEffect } from 'react';
import { BrandMark } from './brand-mark.tsx';
import styles from './notice.module.css';

export interface NoticeProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Another way, under the actions. */
  more?: ReactNode;
  icon?: ReactNode;
}

/** One message in the middle of the page. */
export function Notice({ title, children, actions, more, icon }: NoticeProps) {
  useEffect(() => {
    document.title = `${title} · Lanyard`;
  }, [title]);
  return (
    <div className={styles.notice}>
      <div className={styles.card}>
        <span className={styles.icon} aria-hidden="true">
          {icon ?? <BrandMark />}
        </span>
        <h1 className={styles.title}>{title}</h1>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
        {more}
      </div>
    </div>
  );
}

import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

export interface PageProps {
  title: string;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Under the title: filters, chips. */
  toolbar?: ReactNode;
  /** Stays at the bottom while the rest scrolls. */
  footer?: ReactNode;
  /** The view scrolls itself (a virtual list). Otherwise the page scrolls, with padding. */
  bare?: boolean;
  children: ReactNode;
}

/** A view's frame: its title, its actions, and its content, which scrolls. */
export function Page({ title, actions, toolbar, footer, bare = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Lanyard`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {toolbar && <div className={styles.toolbar}>{toolbar}</div>}
      <div className={bare ? styles.bare : styles.content}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </div>
  );
}

/** A part of a page under a small heading. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

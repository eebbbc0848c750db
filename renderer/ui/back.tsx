import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import styles from './back.module.css';

/** A link to the list. */
export function Back({ href, label }: { href: string; label: string }) {
  return (
    <a className={styles.back} href={href}>
      <ArrowLeft aria-hidden="true" /> {label}
    </a>
  );
}

/** Esc goes there, unless the user is typing. */
export function useLeaveKey(href: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isOthers = target?.closest('input, textarea, select, [role="dialog"], [role="menu"]') != null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isOthers) {
        event.preventDefault();
        window.location.hash = href;
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [href]);
}

import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { hrefOf } from '../../navigation/route.ts';
import { useGo } from '../../navigation/use-route.ts';
import styles from './registries.module.css';

/** A link to the list. */
export function Back() {
  return (
    <a className={styles.back} href={hrefOf('registries')}>
      <ArrowLeft aria-hidden="true" /> All registries
    </a>
  );
}

/** Esc goes back to the list, unless the user is typing. */
export function useLeaveKey(): void {
  const go = useGo();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isOthers = target?.closest('input, textarea, select, [role="dialog"], [role="menu"]') != null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isOthers) {
        event.preventDefault();
        go('registries');
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [go]);
}

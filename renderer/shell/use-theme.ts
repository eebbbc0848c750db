import { useEffect } from 'react';
import { useBroker } from '../stores/use-broker.tsx';

/** Light or dark, by config.yaml's `appearance`; `system` leaves it to the system. */
export function useTheme(): void {
  const theme = useBroker((state) => state.sections.appearance['']?.theme ?? 'system');
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'system') {
      delete dataset['theme'];
    } else {
      dataset['theme'] = theme;
    }
  }, [theme]);
}

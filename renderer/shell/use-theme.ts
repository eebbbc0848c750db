import { useEffect } from 'react';
import { useBroker } from '../stores/use-broker.tsx';

/** Applies config.yaml's `appearance` to the page. `system` follows the system. */
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

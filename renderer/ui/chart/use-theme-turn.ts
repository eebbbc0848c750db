import { useEffect, useState } from 'react';

const media = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** A number that changes whenever the colours may have changed: the canvas is then painted again. */
export function useThemeTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const changed = () => setTurn((before) => before + 1);
    const observer = new MutationObserver(changed);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const queries = media.map((each) => window.matchMedia(each));
    for (const query of queries) {
      query.addEventListener('change', changed);
    }
    return () => {
      observer.disconnect();
      for (const query of queries) {
        query.removeEventListener('change', changed);
      }
    };
  }, []);
  return turn;
}

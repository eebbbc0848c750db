import { type RefObject, useLayoutEffect, useState } from 'react';

/** One rem in pixels, by the user’s text size. `sized`: an element whose height is in rem. */
export function useRem(sized: RefObject<HTMLElement | null>): number {
  const [rem, setRem] = useState(13);
  useLayoutEffect(() => {
    const element = sized.current;
    if (!element) {
      return undefined;
    }
    const measure = () =>
      setRem(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 13);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [sized]);
  return rem;
}

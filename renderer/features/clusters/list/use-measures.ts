import { useLayoutEffect, useState } from 'react';

/**
 * One rem in pixels, by the user's text size, and what fits: names get the room that they need (`names`, in rem), the
 * lane the rest, and columns disappear where the list is narrow for texts of that size.
 */
export function useMeasures(grid: React.RefObject<HTMLDivElement | null>, names: number) {
  const [{ rem, width }, setMeasured] = useState({ rem: 13, width: 800 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) {
      return undefined;
    }
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 13;
      const width = element.clientWidth;
      // The observer also tells what is known: nothing is drawn again for that.
      setMeasured((before) => (before.rem === rem && before.width === width ? before : { rem, width }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Its height is in rem, so it changes with the user's text size.
    if (element.firstElementChild) {
      observer.observe(element.firstElementChild);
    }
    measure();
    return () => observer.disconnect();
  }, [grid]);
  const size = width < 43 * rem ? 'narrow' : width < 66 * rem ? 'middle' : 'wide';
  const room = width - (size === 'wide' ? 38.5 : 25.8) * rem;
  // The lane keeps what its hours need, unless that leaves too little of the names.
  const least = Math.max(120, Math.min(12.5 * rem, room - 11 * rem));
  const laneWidth = Math.round(Math.max(least, Math.min(48 * rem, room - names * rem)));
  return { rem, laneWidth, size } as const;
}

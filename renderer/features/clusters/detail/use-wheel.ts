import { type RefObject, useEffect, useRef } from 'react';

/** How much of the wheel is one step. */
const stepPixels = 80;

/** The wheel over a lane: sideways (or with Shift) moves it, with Ctrl zooms. Otherwise it scrolls the page. */
export function useWheel(
  box: RefObject<HTMLElement | null>,
  act: { pan(share: number): void; zoom(by: -1 | 1): void },
): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const element = box.current;
    let turned = 0;
    const onWheel = (event: WheelEvent) => {
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        turned += event.deltaY;
        if (Math.abs(turned) >= stepPixels) {
          latest.current.zoom(turned < 0 ? -1 : 1);
          turned = 0;
        }
      } else if (sideways !== 0) {
        event.preventDefault();
        latest.current.pan(sideways / Math.max(1, element?.clientWidth ?? 1));
      }
    };
    // React's own listener is passive, so it couldn't keep the browser from zooming the page.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [box]);
}

import { type PointerEvent, useRef } from 'react';

/** Less than this is a hand that isn't still, in pixels. */
const leastPixels = 3;

interface Drag {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  /** Whether it is dragged. */
  move(event: PointerEvent<HTMLElement>): boolean;
  onEnd(event: PointerEvent<HTMLElement>): void;
}

/** Drags something wide with the pointer. `onDrag` gets the value at the start, and the share of the width since. */
export function useDrag<From>(width: number, now: From, onDrag: (from: From, share: number) => void): Drag {
  const began = useRef<{ pointer: number; x: number; from: From; moved: boolean } | null>(null);
  return {
    onPointerDown(event) {
      if (event.button === 0) {
        began.current = { pointer: event.pointerId, x: event.clientX, from: now, moved: false };
      }
    },
    move(event) {
      const drag = began.current;
      if (!drag || drag.pointer !== event.pointerId) {
        return false;
      }
      const pixels = event.clientX - drag.x;
      if (!drag.moved && Math.abs(pixels) < leastPixels) {
        return false;
      }
      if (!drag.moved) {
        drag.moved = true;
        // So that it goes on where the pointer leaves it.
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      onDrag(drag.from, pixels / Math.max(1, width));
      return true;
    },
    onEnd(event) {
      if (began.current?.pointer === event.pointerId) {
        began.current = null;
      }
    },
  };
}

import { type PointerEvent, useRef } from 'react';

/** A shorter move isn't a drag, in pixels. */
const leastPixels = 3;

interface Drag {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  /** Whether it is dragged. */
  move(event: PointerEvent<HTMLElement>): boolean;
  onEnd(event: PointerEvent<HTMLElement>): void;
}

/** Drags an element of this width. `onDrag` gets the value at the start, and the share of the width since then. */
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
        // Keeps the drag when the pointer leaves the element.
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

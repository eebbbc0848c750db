import type { KeyboardEvent } from 'react';
import { moved } from './list-moves.ts';
import { useSingleKeys } from './single-keys.tsx';

export interface ListKeys {
  count: number;
  /** -1: none. */
  index: number;
  onMove(index: number): void;
  /** Enter. */
  onOpen?(index: number): void;
  /** Esc. */
  onClose?(): void;
  /** More keys, by name: `{ l: (index) => logIn(index) }`. */
  keys?: Readonly<Record<string, (index: number) => void>>;
  /** How many rows PageUp and PageDown move. */
  page?: number;
}

/** `onKeyDown` for a list: arrows, Home, End, pages, Enter, Esc and its own letters. Buttons in it keep their Enter. */
export function useListKeys({ count, index, onMove, onOpen, onClose, keys = {}, page }: ListKeys) {
  const { on } = useSingleKeys();
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
      return;
    }
    const run = handler(event);
    if (run) {
      event.preventDefault();
      run();
    }
  };

  function handler(event: KeyboardEvent<HTMLElement>): (() => void) | null {
    const to = moved(event.key, index, count, page);
    if (to !== null) {
      return () => onMove(to);
    }
    if (event.key === 'Escape') {
      return onClose ?? null;
    }
    const isControl = event.target instanceof Element && event.target.closest('button, a[href]') !== null;
    if (event.key === 'Enter') {
      return onOpen && index >= 0 && !isControl ? () => onOpen(index) : null;
    }
    const letter = event.key.toLowerCase();
    const own = Object.hasOwn(keys, letter) ? keys[letter] : undefined;
    return own && on && index >= 0 ? () => own(index) : null;
  }
}

/** Whether the user is typing text in this element. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
  );
}

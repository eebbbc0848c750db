import { type RefObject, useEffect, useRef } from 'react';

/** Focuses a step’s main control as the step appears: Enter does what most users want next. */
export function useMainFocus<Control extends HTMLElement>(): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => control.current?.focus(), []);
  return control;
}

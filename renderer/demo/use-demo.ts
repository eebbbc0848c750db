import { createContext, useContext } from 'react';

/** The demo with invented data, to try before anything is set up. */
export interface Demo {
  /** Whether the views show invented data. None of it reaches the broker. */
  running: boolean;
  /** Resolves when the demo is visible. Rejects if its part of the page can't be loaded. */
  enter(): Promise<void>;
  leave(): void;
}

export const DemoContext = createContext<Demo>({ running: false, enter: async () => {}, leave() {} });

export function useDemo(): Demo {
  return useContext(DemoContext);
}

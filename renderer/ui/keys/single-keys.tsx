import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** Whether single letters and signs (L, /, ?) are shortcuts. Users of speech input turn them off (WCAG 2.1.4). */
export interface SingleKeys {
  on: boolean;
  set(on: boolean): void;
}

const SingleKeysContext = createContext<SingleKeys>({ on: true, set() {} });
const kept = 'lanyard.singleKeys';

export function SingleKeysProvider({ children }: { children: ReactNode }) {
  const [on, setOn] = useState(() => window.sessionStorage.getItem(kept) !== 'off');
  const value = useMemo<SingleKeys>(
    () => ({
      on,
      set(next) {
        window.sessionStorage.setItem(kept, next ? 'on' : 'off');
        setOn(next);
      },
    }),
    [on],
  );
  return <SingleKeysContext value={value}>{children}</SingleKeysContext>;
}

export function useSingleKeys(): SingleKeys {
  return useContext(SingleKeysContext);
}

import { createContext, useContext } from 'react';

/** Why the broker can’t be asked now, in a few words. Null: it can. */
export const OutOfReachContext = createContext<string | null>(null);

/** For a control that calls the broker: it is disabled while there is a reason, and says it. */
export function useOutOfReach(): string | null {
  return useContext(OutOfReachContext);
}

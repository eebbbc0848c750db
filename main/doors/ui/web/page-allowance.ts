import { createAllowance } from '../../../base/allowance.ts';

/** Enough for scrolling through a thousand clusters, or sending a kubeconfig. A page that sends more is broken. */
const messages = { atOnce: 400, perSecond: 100 };
const bytes = { atOnce: 16 * 1024 * 1024, perSecond: 1024 * 1024 };

/** Limits the messages of one page, over any carrier. */
export interface PageAllowance {
  /** Counts one message; false: the page has sent too much. */
  take(sizeBytes: number): boolean;
}

export function createPageAllowance(clock: { boottime(): number }): PageAllowance {
  const mayCome = createAllowance(messages, clock);
  const mayWeigh = createAllowance(bytes, clock);
  return { take: (sizeBytes) => mayCome.take(1) && mayWeigh.take(sizeBytes) };
}

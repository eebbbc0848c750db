import { createAllowance } from '../../../base/allowance.ts';

/** A page scrolls through a thousand clusters, or brings a kubeconfig; a page that does more than that is broken. */
const messages = { atOnce: 400, perSecond: 100 };
const bytes = { atOnce: 16 * 1024 * 1024, perSecond: 1024 * 1024 };

/** What one page may say, whatever carries it. */
export interface PageAllowance {
  /** One message of that size; false: it is too much. */
  take(sizeBytes: number): boolean;
}

export function createPageAllowance(clock: { boottime(): number }): PageAllowance {
  const mayCome = createAllowance(messages, clock);
  const mayWeigh = createAllowance(bytes, clock);
  return { take: (sizeBytes) => mayCome.take(1) && mayWeigh.take(sizeBytes) };
}

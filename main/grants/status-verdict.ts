import type { Verdict } from '../ports/target-probe.ts';

/** A server that knows a credential answers 2xx, 403 or 404; one that doesn't 401. All else tells nothing. */
export function statusVerdict(status: number): Verdict {
  if (status === 401) {
    return 'rejected';
  }
  return (status >= 200 && status < 300) || status === 403 || status === 404 ? 'accepted' : 'unknown';
}

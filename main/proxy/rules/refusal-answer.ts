import type { Refusal } from '../../contract/refusal.ts';

/** The answer of HTTP that a client gets for a refusal. client-go asks the helper again after a 401: there the user can log in. */
export function statusOf({ reason }: Refusal): number {
  switch (reason) {
    case 'loginNeeded':
      return 401;
    case 'locked':
    case 'denied':
    case 'notPermitted':
    case 'notFound':
      return 403;
    case 'timedOut':
      return 504;
    default:
      return 502;
  }
}

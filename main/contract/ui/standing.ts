import type { ClusterView } from './state.ts';

/**
 * How a cluster stands, for a person. `need`: only a person can go on. `bad`: it fails, whatever a person does here.
 * `soon`: it ends soon and is not known to renew by itself. `good`: it works. `idle`: nothing is held, and it comes by
 * itself when it is asked for. `locked`: Lanyard is.
 */
export type Standing = 'good' | 'soon' | 'need' | 'bad' | 'locked' | 'idle';

/** With less life than this, and no renewal of its own that is due before its end, it ends soon. */
export const soonMilliseconds = 15 * 60_000;

/** How a cluster stands at a moment, milliseconds since 1970. */
export function standing(
  { state, credential, problem }: Pick<ClusterView, 'state' | 'credential' | 'problem'>,
  now: number,
): Standing {
  switch (state) {
    case 'locked':
      return 'locked';
    case 'loginNeeded':
    case 'interrupted':
    case 'secretMissing':
    case 'held':
      return 'need';
    case 'rejecting':
    case 'failing':
    case 'invalid':
    case 'unknownAccount':
      return 'bad';
    case 'ready':
      return ofCredential(credential, problem, now);
  }
}

function ofCredential(credential: ClusterView['credential'], problem: string | null, now: number): Standing {
  if (!credential) {
    return problem === null ? 'idle' : 'bad';
  }
  const { expiresAt, renewsAt } = credential;
  if (expiresAt === null) {
    return 'good';
  }
  if (expiresAt <= now) {
    return problem === null ? 'idle' : 'bad';
  }
  // A renewal that is late by more than a moment isn't one to count on.
  const renews = renewsAt !== null && renewsAt < expiresAt && renewsAt > now - lateMilliseconds;
  return expiresAt - now < soonMilliseconds && (!renews || problem !== null) ? 'soon' : 'good';
}

const lateMilliseconds = 30_000;

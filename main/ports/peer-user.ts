import type { Socket } from 'node:net';

/** Whose process is at the other end of a connection over loopback. */
export type PeerUser =
  /** This user, or root. */
  | 'own'
  /** Another user; or a connection that was closed immediately, whose user is no longer known. */
  | 'foreign'
  /** The system doesn't say. */
  | 'unknown';

/** Never rejects. */
export type LookUpPeer = (socket: Socket) => Promise<PeerUser>;

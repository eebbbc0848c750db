import { createHmac } from 'node:crypto';
import { Secret } from '../../base/secret.ts';

/** Who may send what where. */
export interface WayIn {
  cluster: string;
  /** Of the cluster: another one once its approval was taken back. */
  epoch: string;
  pid: number;
  /** When the process started, as the system counts it. */
  startTime: string;
  /** Of the system’s boot, with which pids and start times begin anew. */
  bootId: string;
  /** When it expires, in milliseconds of the boottime clock; null: with its process. */
  expiresAt: number | null;
}

const purpose = 'lanyard way in 1\n';

/**
 * The bearer token by which a process gets into the request proxy; native-helper/proxy/src/way_in.rs reads it.
 * (rule: way-in)
 * `key`: base64.
 */
export function mintWayIn(key: Secret, { cluster, epoch, pid, startTime, bootId, expiresAt }: WayIn): Secret {
  const payload = JSON.stringify({
    ...{ c: cluster, e: epoch, p: pid, s: startTime, b: bootId },
    ...(expiresAt !== null && { x: Math.floor(expiresAt / 1000) }),
  });
  const mac = createHmac('sha256', Buffer.from(key.reveal(), 'base64'))
    .update(purpose + payload)
    .digest('base64url');
  return new Secret(`${Buffer.from(payload).toString('base64url')}.${mac}`);
}

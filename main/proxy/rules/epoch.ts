import { createHash } from 'node:crypto';

/**
 * What ways into a cluster have to say. `random`: of the approval, another one after it was taken back; `shape`: what was
 * approved.
 */
export function epochOf(random: string, shape: string): string {
  return createHash('sha256')
    .update(JSON.stringify([random, shape]))
    .digest('base64url')
    .slice(0, 16);
}

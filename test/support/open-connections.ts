import { readFileSync } from 'node:fs';

/** Connected, not yet closed: `SS_CONNECTED` of the kernel (include/uapi/linux/net.h), as /proc/net/unix writes it. */
const connected = '03';

/** How many connections a local socket’s listener has accepted and not closed (Linux). The other ends have no path. */
export function openConnections(path: string): number {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , , , state, , of]) => state === connected && of === path).length;
}

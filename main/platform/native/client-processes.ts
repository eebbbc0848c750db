import { readFileSync } from 'node:fs';
import type { ClientProcesses } from '../../ports/client-processes.ts';

/** Linux, by proc(5). Elsewhere the request proxy serves no one. `read`: a file's text. */
export function createClientProcesses(
  ownUid: number,
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): ClientProcesses {
  const text = (path: string): string | null => {
    try {
      return read(path);
    } catch {
      return null;
    }
  };
  let boot: string | null = null;
  return {
    bootId() {
      boot ??= text('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
      return boot;
    },
    facts(pid) {
      const status = text(`/proc/${pid}/status`);
      const uids = status && numbersOf(status, 'Uid');
      if (!status || !uids) {
        return null;
      }
      return {
        // Real, effective and saved: a program with another user's rights is that user's, too.
        isOwn: uids.slice(0, 3).every((uid) => uid === ownUid),
        isInit: (numbersOf(status, 'NSpid') ?? [pid]).at(-1) === 1,
      };
    },
  };
}

function numbersOf(status: string, field: string): number[] | null {
  const found = new RegExp(`^${field}:((?:\\s+\\d+)+)$`, 'm').exec(status)?.[1];
  return found === undefined ? null : found.trim().split(/\s+/).map(Number);
}

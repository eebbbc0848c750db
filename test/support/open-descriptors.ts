import { readdirSync, readlinkSync } from 'node:fs';

/**
 * How many descriptors a process has open (Linux), but for those of the processes that it looked at last: a broker keeps
 * some of them (native-helper/native/src/looked_at.rs).
 */
export function openDescriptors(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => !isOfProcess(`${folder}/${name}`)).length;
}

function isOfProcess(descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith('/proc/');
  } catch {
    // Closed meanwhile.
    return true;
  }
}

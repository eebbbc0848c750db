import fs from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** What changes something on the disk. */
const operations = [
  'open',
  'rename',
  'unlink',
  'mkdir',
  'chmod',
  'symlink',
  'link',
  'rm',
  'writeFile',
] as const;
const handleOperations = ['write', 'writeFile', 'sync', 'datasync', 'chmod', 'truncate', 'close'] as const;

/**
 * From now on this process is killed with SIGKILL just before its operation number `at` (from 1) on files, as a power
 * cut would at that place. Gives the count of those that came. Files that are only read don't count.
 */
export async function killAt(at: number): Promise<() => number> {
  let count = 0;
  const next = () => {
    count++;
    if (count === at) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  const probe = await openFile('/dev/null', 'r');
  const handle = Object.getPrototypeOf(probe);
  await probe.close();
  const writing = new WeakSet<object>();
  const promises = fs.promises as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of operations) {
    const original = promises[name];
    if (!original) {
      throw new Error(`no fs.promises.${name} to count`);
    }
    promises[name] = async (...args: unknown[]) => {
      const flags = args[1];
      const reads =
        name === 'open' && (flags === undefined || flags === 'r' || flags === fs.constants.O_RDONLY);
      if (!reads) {
        next();
      }
      const result = await original.apply(fs.promises, args);
      if (name === 'open' && !reads) {
        writing.add(result as object);
      }
      return result;
    };
  }
  for (const name of handleOperations) {
    const original = handle[name];
    handle[name] = function (this: object, ...args: unknown[]) {
      // A folder is opened for reading, to have its names on the disk.
      if (writing.has(this) || name === 'sync') {
        next();
      }
      return original.apply(this, args);
    };
  }
  syncBuiltinESMExports();
  return () => count;
}

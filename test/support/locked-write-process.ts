/**
 * Writes a file as `lanyard kubeconfig import --in-place` does, and dies before its file operation of a number:
 * `locked-write-process.ts FILE EXPECTED TEXT OPERATION`. Prints the answer or the error, and how many operations there were.
 * Operation 0 is none: it ends well.
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [file = '', expected = '', text = '', operation = '0'] = process.argv.slice(2);
let count = 0;

/** Each call of the system counts; before the chosen one the process is killed, as by `kill -9`. */
function counted<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    count += 1;
    if (count === Number(operation)) {
      process.kill(process.pid, 'SIGKILL');
    }
    return run(...args);
  };
}

const open = fs.open;
Object.assign(fs, {
  lstat: counted(fs.lstat),
  stat: counted(fs.stat),
  readlink: counted(fs.readlink),
  realpath: counted(fs.realpath),
  readdir: counted(fs.readdir),
  readFile: counted(fs.readFile),
  symlink: counted(fs.symlink),
  unlink: counted(fs.unlink),
  rename: counted(fs.rename),
  open: counted(async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    for (const method of ['writeFile', 'sync', 'chmod', 'chown', 'close'] as const) {
      const original = handle[method].bind(handle) as (...args: unknown[]) => unknown;
      Object.defineProperty(handle, method, { value: counted(original) });
    }
    return handle;
  }),
});
syncBuiltinESMExports();

const { writeLocked } = await import('../../main/kubeconfig/edit/write-locked.ts');
const { BrokerError } = await import('../../main/contract/broker-error.ts');
const { loadAddon, createPeerIdentity } = await import('../../main/platform/native/addon.ts');
const { createSystemClock } = await import('../../main/platform/native/system-clock.ts');
const addon = loadAddon(join(import.meta.dirname, '../../dist/native/lanyard.node'));
count = 0;
const answer = await writeLocked(
  { file, expected, text, mode: 0o600, signal: AbortSignal.timeout(30_000) },
  { clock: createSystemClock(addon), host: 'here', processes: createPeerIdentity(addon, process.pid) },
).catch((error: unknown) => {
  if (!(error instanceof BrokerError)) {
    throw error;
  }
  return { error: error.code, message: error.message, hint: error.hint };
});
process.stdout.write(`${JSON.stringify({ ...answer, operations: count })}\n`);

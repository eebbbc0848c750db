/**
 * Kills the process just before its Nth change of the file system: `node --import kill-at.ts …` with LANYARD_TEST_KILL_AT.
 * Counted are the calls of node:fs/promises that change something, of a file's handle too.
 */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: never[]) => Promise<unknown>;

const killAt = Number(process.env['LANYARD_TEST_KILL_AT'] ?? 0);
const changing = ['copyFile', 'link', 'mkdir', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'writeFile'];
const ofHandles = ['truncate', 'write', 'writeFile'];
let count = 0;

function step(): void {
  count += 1;
  if (count === killAt) {
    process.kill(process.pid, 'SIGKILL');
  }
}

function counted(target: object, name: string): void {
  const call = Reflect.get(target, name) as Call;
  Reflect.set(target, name, (...args: never[]) => {
    step();
    return call.apply(target, args);
  });
}

for (const name of changing) {
  counted(promises, name);
}
const { open } = promises;
promises.open = async (path, flags, mode) => {
  if (typeof flags === 'string' && flags !== 'r') {
    step();
  }
  const handle = await open(path, flags, mode);
  for (const name of ofHandles) {
    counted(handle, name);
  }
  return handle;
};
syncBuiltinESMExports();

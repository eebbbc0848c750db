import { expect } from 'vitest';
import { jsonLines } from './json-lines.ts';
import { run } from './processes.ts';

/**
 * Goes before a command: a mount of its own, which ends with it. As root, or in a user namespace: there a remount names its
 * device, or mount(8) adds the options of before, whose user the namespace doesn’t have.
 */
export const ownMount: readonly string[] =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--mount', '--map-root-user'];

/** False where this machine allows no mount of one's own. */
export async function canMount(): Promise<boolean> {
  const [command = '', ...args] = [...ownMount, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'];
  return (await run(command, args)).code === 0;
}

/** Runs a shell script that must end well, and reads the lines of JSON that it printed. `prefix` goes before the shell. */
export async function runScript(text: string, env: Readonly<Record<string, string>>, ...prefix: string[]) {
  const [command = 'sh', ...args] = [...prefix, 'sh', '-euc', text];
  const done = await run(command, args, { env });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return jsonLines(done.stdout);
}

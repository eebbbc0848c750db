import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const limitMilliseconds = 600_000;

/**
 * Downloads Debian’s packages by apt-get, and unpacks them into the folder: nothing is installed, and no root is needed.
 * Throws where a package is not to be had.
 */
export function unpackPackages(packages: readonly string[], into: string): void {
  const work = mkdtempSync(join(tmpdir(), 'lanyard-packages-'));
  try {
    run('apt-get', ['download', '-q', ...packages], work);
    mkdirSync(into, { recursive: true });
    for (const archive of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      run('dpkg-deb', ['-x', archive, into], work);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The packages that apt-get would install, by the names that this release has for them, as far as `of` matches. Throws
 * where one is not to be had.
 */
export function withNeeded(packages: readonly string[], of: RegExp): readonly string[] {
  const simulated = ['install', '--simulate', '--reinstall', '--no-install-recommends', ...packages];
  const names = run('apt-get', simulated, tmpdir()).matchAll(/^Inst (\S+)/gm);
  return [...names].flatMap(([, name = '']) => (of.test(name) ? [name] : []));
}

/** What it prints. Throws with its last line where it fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: limitMilliseconds });
  if (done.status !== 0) {
    const why = done.error?.message ?? done.stderr.trim().split('\n').at(-1);
    throw new Error(`${command} ${args.join(' ')}: ${why}`);
  }
  return done.stdout;
}

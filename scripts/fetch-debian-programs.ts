import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts programs of Debian’s that tests and bench run beside ours into .cache/tools: nginx, which the request proxy is
 * measured against, and microsocks, a SOCKS5 proxy. Takes them out of their packages: nothing is installed, and no root is
 * needed. Run: node scripts/fetch-debian-programs.ts
 */
const programs = [
  { name: 'nginx', path: 'usr/sbin/nginx' },
  { name: 'microsocks', path: 'usr/bin/microsocks' },
] as const;

const limitMilliseconds = 120_000;
const tools = join(import.meta.dirname, '..', '.cache', 'tools');

/** Throws where the program is not to be had. */
function fetchProgram(name: string, path: string): void {
  const work = mkdtempSync(join(tmpdir(), 'lanyard-tools-'));
  try {
    run('apt-get', ['download', '-q', name], work);
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    run('dpkg-deb', ['-x', archive ?? '', 'unpacked'], work);
    mkdirSync(tools, { recursive: true });
    // Two runs at a time must not see half a file.
    const partial = join(tools, `.${name}-${process.pid}`);
    copyFileSync(join(work, 'unpacked', path), partial);
    renameSync(partial, join(tools, name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: limitMilliseconds });
  if (done.status !== 0) {
    const why = done.error?.message ?? done.stderr.trim().split('\n').at(-1);
    throw new Error(`${command} ${args.join(' ')}: ${why}`);
  }
}

for (const { name, path } of programs) {
  if (!existsSync(join(tools, name))) {
    try {
      fetchProgram(name, path);
      console.log(`fetched ${name}`);
    } catch (error) {
      console.error(`fetch-debian-programs: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}

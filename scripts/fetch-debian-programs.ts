import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Puts programs of Debian’s that tests and bench run beside ours into .cache/tools: nginx, which the request proxy is
 * measured against, microsocks, a SOCKS5 proxy, and SoftHSM, a PKCS#11 token in files. Takes them out of their packages:
 * nothing is installed, and no root is needed. Run: node scripts/fetch-debian-programs.ts
 */
const programs = [
  { name: 'nginx', packages: ['nginx'], files: { nginx: 'usr/sbin/nginx' } },
  { name: 'microsocks', packages: ['microsocks'], files: { microsocks: 'usr/bin/microsocks' } },
  {
    name: 'SoftHSM',
    packages: ['softhsm2', 'libsofthsm2'],
    files: {
      'softhsm/softhsm2-util': 'usr/bin/softhsm2-util',
      'softhsm/libsofthsm2.so': 'usr/lib/softhsm/libsofthsm2.so',
    },
  },
] as const;

const limitMilliseconds = 120_000;
const tools = join(import.meta.dirname, '..', '.cache', 'tools');

/** Throws where a package or a file is not to be had. `files`: where each lies here, and in its package. */
function fetchFiles(packages: readonly string[], files: Readonly<Record<string, string>>): void {
  const work = mkdtempSync(join(tmpdir(), 'lanyard-tools-'));
  try {
    run('apt-get', ['download', '-q', ...packages], work);
    for (const archive of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      run('dpkg-deb', ['-x', archive, 'unpacked'], work);
    }
    for (const [name, path] of Object.entries(files)) {
      const to = join(tools, name);
      mkdirSync(dirname(to), { recursive: true });
      // Two runs at a time must not see half a file.
      const partial = `${to}-${process.pid}`;
      copyFileSync(join(work, 'unpacked', path), partial);
      renameSync(partial, to);
    }
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

for (const { name, packages, files } of programs) {
  if (!Object.keys(files).every((file) => existsSync(join(tools, file)))) {
    try {
      fetchFiles(packages, files);
      console.log(`fetched ${name}`);
    } catch (error) {
      console.error(`fetch-debian-programs: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}

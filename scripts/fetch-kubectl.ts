import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts the distribution's kubectl (Debian: 1.20, which knows v1beta1 at most) into .cache/kubectl, beside which
 * the tests look for old clients. Takes the package's file out of its archive: nothing is installed, and no root
 * is needed. Run: node scripts/fetch-kubectl.ts
 */
export type FetchedKubectl =
  | { ok: true; path: string; fetched: boolean }
  | { ok: false; message: string; hint: string };

const packageName = 'kubernetes-client';
const hint = 'put any real kubectl binary at .cache/kubectl/kubectl-MAJOR.MINOR, or on PATH';
const limitMilliseconds = 120_000;

function tool(command: string, args: readonly string[], cwd: string): { ok: boolean; text: string } {
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: limitMilliseconds });
  const text = done.error ? done.error.message : (done.stderr.trim().split('\n').at(-1) ?? '');
  return { ok: done.status === 0, text };
}

function readVersion(kubectl: string): string | null {
  const done = spawnSync(kubectl, ['version', '--client', '-o', 'json'], {
    encoding: 'utf8',
    env: { HOME: tmpdir(), KUBECONFIG: '/dev/null' },
    timeout: 10_000,
  });
  return /"gitVersion":\s*"v?(\d+\.\d+)/.exec(done.stdout ?? '')?.[1] ?? null;
}

function unpack(work: string, cache: string): FetchedKubectl {
  const downloaded = tool('apt-get', ['download', '-q', packageName], work);
  const archive = readdirSync(work).find((name) => name.endsWith('.deb'));
  if (!downloaded.ok || archive === undefined) {
    return { ok: false, message: `apt-get download ${packageName} failed: ${downloaded.text}`, hint };
  }
  const unpacked = tool('dpkg-deb', ['-x', archive, 'unpacked'], work);
  const binary = join(work, 'unpacked', 'usr', 'bin', 'kubectl');
  const version = unpacked.ok && existsSync(binary) ? readVersion(binary) : null;
  if (version === null) {
    return { ok: false, message: `${archive} holds no kubectl that runs here: ${unpacked.text}`, hint };
  }
  mkdirSync(cache, { recursive: true });
  const path = join(cache, `kubectl-${version}`);
  // Two runs at a time must not see half a file.
  const partial = join(cache, `.partial-${process.pid}`);
  copyFileSync(binary, partial);
  renameSync(partial, path);
  return { ok: true, path, fetched: true };
}

/** Fetches it unless there is one already. Never throws for what the machine lacks. */
export function fetchKubectl(root: string = join(import.meta.dirname, '..')): FetchedKubectl {
  const cache = join(root, '.cache', 'kubectl');
  const present = existsSync(cache) ? readdirSync(cache).find((name) => /^kubectl-\d/.test(name)) : undefined;
  if (present !== undefined) {
    return { ok: true, path: join(cache, present), fetched: false };
  }
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) {
    return { ok: false, message: 'an old kubectl is fetched on Debian and Ubuntu only', hint };
  }
  const work = mkdtempSync(join(tmpdir(), 'lanyard-kubectl-'));
  try {
    return unpack(work, cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const result = fetchKubectl();
  if (result.ok) {
    console.log(`${result.fetched ? 'fetched' : 'already there'}: ${result.path}`);
  } else {
    console.error(`fetch-kubectl: ${result.message}\nhint: ${result.hint}`);
    process.exitCode = 1;
  }
}

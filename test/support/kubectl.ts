import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type Ended, type RunOptions, run } from './processes.ts';

/** A real kubectl binary: not one that picks another by the server's version. */
export interface Kubectl {
  /** Major and minor, such as `1.27`. */
  version: string;
  path: string;
}

/** What its exec entries may say: kubectl before 1.22 knows v1beta1 at most, and tells no `spec.interactive`. */
export function execVersion({ version }: Pick<Kubectl, 'version'>): 'v1' | 'v1beta1' {
  return minor(version) < minor('1.22') ? 'v1beta1' : 'v1';
}

export interface Kubectls {
  /** Each version once, oldest first. */
  all: readonly Kubectl[];
  oldest: Kubectl;
  newest: Kubectl;
}

const repository = join(import.meta.dirname, '..', '..');

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Binaries of a folder whose names tell their version: `kubectl.1.27`, `kubectl-1.20`. */
function named(folder: string): Kubectl[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const version = /^kubectl[.-](\d+\.\d+)$/.exec(name)?.[1];
    const path = join(folder, name);
    return version !== undefined && isExecutable(path) ? [{ version, path }] : [];
  });
}

function fromPath(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, 'kubectl')).find(isExecutable) ?? null;
}

/** The version a binary says of itself; null for a dispatcher and for what isn't a kubectl. */
function ownVersion(path: string): string | null {
  const done = spawnSync(path, ['version', '--client', '-o', 'json'], {
    encoding: 'utf8',
    env: { HOME: tmpdir(), KUBECONFIG: '/dev/null' },
    timeout: 20_000,
  });
  const found = /"gitVersion":\s*"v?(\d+\.\d+)([^"]*)"/.exec(done.stdout ?? '');
  return found?.[1] !== undefined && !found[2]?.includes('dispatcher') ? found[1] : null;
}

function minor(version: string): number {
  const [major = 0, minorPart = 0] = version.split('.').map(Number);
  return major * 1000 + minorPart;
}

/**
 * The kubectl binaries of this machine: PATH's, those beside it where PATH's is a dispatcher, and .cache/kubectl
 * (scripts/fetch-kubectl.ts). Throws where there is none, since a test without kubectl shows nothing.
 */
export function findKubectls(): Kubectls {
  const onPath = fromPath();
  const found = named(join(repository, '.cache', 'kubectl'));
  if (onPath !== null) {
    const real = realpathSync(onPath);
    found.push(...named(dirname(real)));
    const version = ownVersion(onPath);
    if (version !== null) {
      found.push({ version, path: real });
    }
  }
  const byVersion = new Map(found.map((kubectl) => [kubectl.version, kubectl]));
  const all = [...byVersion.values()].sort((a, b) => minor(a.version) - minor(b.version));
  const [oldest, newest] = [all[0], all.at(-1)];
  if (!oldest || !newest) {
    throw new Error('no kubectl here: put one on PATH, or run node scripts/fetch-kubectl.ts');
  }
  return { all, oldest, newest };
}

/** Runs kubectl with a kubeconfig's file and the variables of a home (see home.ts); its cache is there too. */
export function runKubectl(
  kubectl: Kubectl,
  kubeconfigFile: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  return run(kubectl.path, args, { ...options, env: { ...options.env, KUBECONFIG: kubeconfigFile } });
}

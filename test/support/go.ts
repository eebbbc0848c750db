import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isLong, whyNotLong } from './long.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** The one module of the tests' Go programs: `test/support/go`. */
export const goModule = join(import.meta.dirname, 'go');

const repository = join(import.meta.dirname, '..', '..');
/** As in its go.mod. */
const minimum = { major: 1, minor: 26 };
const buildLimitMilliseconds = 1_800_000;

export type Go = { ok: true; path: string } | { ok: false; why: string };

/** Go, on PATH or where its own installer puts it; `why`: one line for whoever reads that a test was skipped. */
export function findGo(): Go {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];
  for (const path of folders.map((folder) => join(folder, 'go'))) {
    if (existsSync(path)) {
      const { stdout } = spawnSync(path, ['env', 'GOVERSION'], { encoding: 'utf8', env: environment() });
      const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
      return Number(major) === minimum.major && Number(minor) >= minimum.minor
        ? { ok: true, path }
        : { ok: false, why: `${path} is older than Go ${minimum.major}.${minimum.minor}` };
    }
  }
  return { ok: false, why: `there is no Go ${minimum.major}.${minimum.minor} or newer` };
}

/** Null where the tests' Go programs can be built, which only the long form does; otherwise why not. */
export function whyNoGo(): string | null {
  if (!isLong) {
    return whyNotLong;
  }
  const go = findGo();
  return go.ok ? null : go.why;
}

/** Go's own path. Throws where `whyNoGo` has a reason. */
export function goPath(): string {
  const go = findGo();
  if (!go.ok) {
    throw new Error(go.why);
  }
  return go.path;
}

export interface GoBuild {
  /** Its test program (`go test -c`). */
  test?: boolean;
  /** Another module than the one of most programs. */
  module?: string;
  /** A program of another project that the module names, by its import path, in place of a package of the module. */
  program?: string;
  /** Else .cache/go/NAME. */
  output?: string;
  limitMilliseconds?: number;
}

/**
 * Builds one package of the module (`./restclient-metrics`), and gives the program's path. The first time
 * modules are fetched and client-go is compiled, which takes a minute or more; Go's own cache keeps that.
 * Throws with Go's words where it doesn't build.
 */
export async function buildGo(go: string, name: string, build: GoBuild = {}): Promise<string> {
  const { test = false, module = goModule, limitMilliseconds = buildLimitMilliseconds } = build;
  const { program = `./${name}` } = build;
  const output = build.output ?? join(repository, '.cache', 'go', name);
  mkdirSync(dirname(output), { recursive: true });
  const verb = test ? ['test', '-c'] : ['build'];
  // Whoever runs at the same time, or is killed meanwhile, leaves no half a program under the name.
  const unfinished = `${output}.${process.pid}`;
  const flags = ['-buildvcs=false', '-ldflags=-s -w'];
  // Several at a time would compile the same: Go's cache has what is ready alone.
  await oneAtATime(`${output}.lock`, () =>
    promisify(execFile)(go, [...verb, ...flags, '-o', unfinished, program], {
      cwd: module,
      env: environment(),
      timeout: limitMilliseconds,
    }),
  );
  renameSync(unfinished, output);
  return output;
}

/**
 * Builds a program of another project at an exact version (`oras.land/oras/cmd/oras`, `v1.3.6`) through the Go module
 * proxy, with that project's own dependencies; Go checks them by its checksum database. Gives the program's path. Built
 * once for each version. Throws with Go's words.
 */
export async function installGo(go: string, program: string, version: string): Promise<string> {
  const name = program.slice(program.lastIndexOf('/') + 1);
  const folder = join(repository, '.cache', 'go', `${name}-${version}`);
  const output = join(folder, name);
  if (!existsSync(output)) {
    mkdirSync(folder, { recursive: true });
    const flags = ['-buildvcs=false', '-ldflags=-s -w'];
    await promisify(execFile)(go, ['install', ...flags, `${program}@${version}`], {
      env: { ...environment(), GOBIN: folder },
      timeout: buildLimitMilliseconds,
    });
  }
  return output;
}

/**
 * A module's source at an exact version, through the Go module proxy, for what is no program: a CRD. Gives its folder in
 * Go's cache. Throws with Go's words.
 */
export async function downloadGo(go: string, moduleAtVersion: string): Promise<string> {
  const { stdout } = await promisify(execFile)(go, ['mod', 'download', '-json', moduleAtVersion], {
    cwd: tmpdir(),
    env: environment(),
    timeout: buildLimitMilliseconds,
  });
  return JSON.parse(stdout).Dir;
}

/** The module says which versions; nothing is fetched for another Go, and go.mod stays as it is. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-mod=readonly',
    GOWORK: 'off',
    CGO_ENABLED: '0',
  };
}

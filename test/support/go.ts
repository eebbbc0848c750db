import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The one module of the tests' Go programs: `test/support/go`. */
export const goModule = join(import.meta.dirname, 'go');

const repository = join(import.meta.dirname, '..', '..');
/** As in its go.mod. */
const minimum = { major: 1, minor: 26 };
const buildLimitMilliseconds = 600_000;

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

/**
 * Builds one package of the module (`./restclient-metrics`) into .cache/go/NAME, and gives its path. The first time
 * modules are fetched and client-go is compiled, which takes a minute or more; Go's own cache keeps that.
 * `test`: its test program (`go test -c`). Throws with Go's words where it doesn't build.
 */
export async function buildGo(go: string, name: string, { test = false } = {}): Promise<string> {
  const folder = join(repository, '.cache', 'go');
  mkdirSync(folder, { recursive: true });
  const output = join(folder, name);
  const verb = test ? ['test', '-c'] : ['build'];
  await promisify(execFile)(go, [...verb, '-buildvcs=false', '-o', output, `./${name}`], {
    cwd: goModule,
    env: environment(),
    timeout: buildLimitMilliseconds,
  });
  return output;
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

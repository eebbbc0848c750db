import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findGo, installGo } from '../go.ts';
import type { TestHome } from '../home.ts';
import { baseEnvironment, type Ended, run } from '../processes.ts';
import { writeOciLayout } from './oci-layout.ts';

/** A real client of registries, as its user runs it. Registries are `127.0.0.1:PORT`, over http. */
export interface RegistryClient {
  readonly name: string;
  login(host: string, userName: string, password: string): Promise<Ended>;
  /** Pushes something small. `path`: a repository; the tag is v1. */
  push(host: string, path: string): Promise<Ended>;
  pull(host: string, path: string): Promise<Ended>;
  logout(host: string): Promise<Ended>;
}

/** Built at exactly these versions; the others are what Debian has. */
const orasVersion = 'v1.3.6';
const helmVersion = 'v3.22.0';

/** Why a client isn't here, in a line; or what makes it for a home. */
export type FoundClient =
  | { name: string; why: string }
  | { name: string; make(home: TestHome): RegistryClient };

/** skopeo, podman and buildah on PATH; oras and helm, built through the Go module proxy the first time (2 min). */
export async function findClients(): Promise<FoundClient[]> {
  const installed = ['skopeo', 'podman', 'buildah'] as const;
  return [
    ...installed.map((name): FoundClient => {
      const isHere = (process.env['PATH'] ?? '')
        .split(delimiter)
        .some((each) => existsSync(join(each, name)));
      return isHere
        ? { name, make: (home) => makers[name](home, name) }
        : { name, why: 'it is not installed' };
    }),
    await built('oras', 'oras.land/oras/cmd/oras', orasVersion),
    await built('helm', 'helm.sh/helm/v3/cmd/helm', helmVersion),
  ];
}

async function built(name: 'oras' | 'helm', source: string, version: string): Promise<FoundClient> {
  const go = findGo();
  if (!go.ok) {
    return { name, why: go.why };
  }
  try {
    const program = await installGo(go.path, source, version);
    return { name, make: (home) => makers[name](home, program) };
  } catch (error) {
    return { name, why: `it was not built: ${String((error as Error).message).slice(0, 400)}` };
  }
}

/** Runs a program as the user of the home, with docker’s helper on PATH. */
function runner(home: TestHome, program: string) {
  const runtime = join(home.outside, 'run');
  const env = {
    ...home.env,
    PATH: [join(home.outside, 'helpers'), baseEnvironment()['PATH']].join(delimiter),
    XDG_RUNTIME_DIR: runtime,
  };
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  return (
    args: readonly string[],
    more: { input?: string; cwd?: string; env?: Record<string, string> } = {},
  ) => run(program, args, { ...more, env: { ...env, ...more.env } });
}

/** What containers/image wants to be told of signatures: any image is taken. */
function writePolicy({ env }: TestHome): void {
  const folder = join(env['HOME'] ?? '', '.config', 'containers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'policy.json'),
    JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }),
  );
}

const plain = '--tls-verify=false';

function skopeo(home: TestHome, program: string): RegistryClient {
  writePolicy(home);
  const call = runner(home, program);
  const layout = join(home.outside, 'layout-skopeo');
  writeOciLayout(layout, 'skopeo');
  return {
    name: 'skopeo',
    login: (host, user, password) =>
      call(['login', plain, '-u', user, '--password-stdin', host], { input: password }),
    push: (host, path) =>
      call(['copy', '--dest-tls-verify=false', `oci:${layout}:v1`, `docker://${host}/${path}:v1`]),
    pull: (host, path) =>
      call(['copy', '--src-tls-verify=false', `docker://${host}/${path}:v1`, `oci:${layout}-pulled:v1`]),
    logout: (host) => call(['logout', host]),
  };
}

/** podman and buildah: their stores are in the home’s folder, and need no kernel’s help (vfs). */
function withStore(home: TestHome, program: string): RegistryClient {
  writePolicy(home);
  const own = join(home.outside, program);
  const call = runner(home, program);
  // The layout's relative path becomes the image's name, which has lower case alone.
  const stored = (...args: string[]) =>
    call(['--root', join(own, 'root'), '--runroot', join(own, 'run'), '--storage-driver', 'vfs', ...args], {
      cwd: own,
    });
  writeOciLayout(join(own, 'layout'), program);
  return {
    name: program,
    login: (host, user, password) =>
      call(['login', plain, '-u', user, '--password-stdin', host], { input: password }),
    async push(host, path) {
      const loaded = await stored('pull', '-q', 'oci:layout:v1');
      return loaded.code === 0
        ? stored('push', plain, loaded.stdout.trim(), `docker://${host}/${path}:v1`)
        : loaded;
    },
    // buildah is content with what it has.
    pull: (host, path) =>
      stored(
        'pull',
        plain,
        ...(program === 'buildah' ? ['--policy=always'] : []),
        `docker://${host}/${path}:v1`,
      ),
    logout: (host) => call(['logout', host]),
  };
}

function oras(home: TestHome, program: string): RegistryClient {
  const call = runner(home, program);
  const cwd = join(home.outside, 'oras');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'file.txt'), 'of oras\n');
  const over = ['--plain-http'];
  return {
    name: 'oras',
    login: (host, user, password) =>
      call(['login', ...over, '-u', user, '--password-stdin', host], { input: password }),
    push: (host, path) => call(['push', ...over, `${host}/${path}:v1`, 'file.txt'], { cwd }),
    pull: (host, path) => call(['pull', ...over, '-o', 'pulled', `${host}/${path}:v1`], { cwd }),
    logout: (host) => call(['logout', host]),
  };
}

function helm(home: TestHome, program: string): RegistryClient {
  const call = runner(home, program);
  const cwd = join(home.outside, 'helm');
  const chart = join(cwd, 'chart');
  mkdirSync(chart, { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 0.1.0\n');
  const over = ['--plain-http'];
  return {
    name: 'helm',
    login: (host, user, password) =>
      call(['registry', 'login', ...over, '-u', user, '--password-stdin', host], { input: password }),
    async push(host, path) {
      const packed = await call(['package', chart], { cwd });
      return packed.code === 0
        ? call(['push', ...over, 'small-0.1.0.tgz', `oci://${host}/${path}`], { cwd })
        : packed;
    },
    pull: (host, path) =>
      call(['pull', ...over, `oci://${host}/${path}/small`, '--version', '0.1.0', '-d', cwd], { cwd }),
    logout: (host) => call(['registry', 'logout', host]),
  };
}

const makers = { skopeo, podman: withStore, buildah: withStore, oras, helm };

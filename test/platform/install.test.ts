import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, type RunOptions, run } from '../support/processes.ts';
import { PlatformHome } from './platform-home.ts';

// What Lanyard puts into a user’s folders: its tools, docker’s credential store, the kubelet’s provider. Each is run as
// its program runs it, and nothing is left after an uninstall.

const isWindows = process.platform === 'win32';
const exe = isWindows ? '.exe' : '';
const home = new PlatformHome();
const bin = join(home.outside, 'my tools');
const docker = join(home.outside, 'docker');
const dockerConfig = join(docker, 'config.json');
const dockerText = JSON.stringify(
  { auths: { 'a.example.com': { auth: Buffer.from('alice:secret-a').toString('base64') } } },
  null,
  '\t',
).replaceAll('\n', '\r\n');
let before: string[] = [];

/** All files of the user’s, wherever they are. */
const files = () =>
  readdirSync(home.outside, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(home.outside, name)).isFile())
    .sort();

beforeAll(async () => {
  mkdirSync(docker, { mode: 0o700 });
  home.write(join('docker', 'config.json'), dockerText);
  before = files();
  home.writeConfig({
    accounts: { hub: { registry: { userName: 'robot' } } },
    registries: { hub: { matchImages: ['hub.example.com'], account: 'hub' } },
  });
  await home.startAgent();
  good(await home.lanyard(['secret', 'set', 'hub'], { input: 'secret-of-the-hub' }));
});
afterAll(() => home.dispose());

function good({ code, stdout, stderr }: Ended): string {
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
}

const install = () => home.lanyard(['install', '--into', bin]);
const tool = (name: string, args: readonly string[], options: RunOptions = {}) =>
  run(join(bin, `${name}${exe}`), args, { env: home.env, ...options });

/** The files of a folder with what is in them. */
const contents = (folder: string) =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return [name, statSync(path).mtimeMs, createHash('sha256').update(readFileSync(path)).digest('hex')];
  });

test('Lanyard’s tools are there under each of their names, and run; again nothing changes', async () => {
  expect(good(await install())).not.toContain('FAILED');
  expect(readdirSync(bin).sort()).toEqual(
    ['docker-credential-lanyard', 'kubectl-lanyard', 'kubectl_complete-lanyard', 'lanyard'].map(
      (name) => `${name}${exe}`,
    ),
  );
  for (const name of ['lanyard', 'kubectl-lanyard']) {
    expect(JSON.parse(good(await tool(name, ['status', '--json']))).broker.home).toBe(home.path);
  }
  const installed = contents(bin);
  good(await install());
  expect(contents(bin)).toEqual(installed);
});

test('docker’s logins move into the vault, where docker’s own question finds them', async () => {
  const env = { DOCKER_CONFIG: docker, PATH: [bin, home.env['PATH']].join(delimiter) };
  const done = await home.lanyard(['docker', 'install'], { env });
  expect(`${good(done)}${done.stderr}`).not.toContain('secret-a');
  expect(JSON.parse(readFileSync(dockerConfig, 'utf8'))).toEqual({
    auths: { 'a.example.com': {} },
    credsStore: 'lanyard',
  });
  for (const [server, answer] of [
    ['https://a.example.com', { Username: 'alice', Secret: 'secret-a' }],
    ['hub.example.com', { Username: 'robot', Secret: 'secret-of-the-hub' }],
  ] as const) {
    const told = good(await tool('docker-credential-lanyard', ['get'], { input: server }));
    expect(JSON.parse(told)).toMatchObject(answer);
  }
  const missing = await tool('docker-credential-lanyard', ['get'], { input: 'other.example.com' });
  expect([missing.code, missing.stdout]).toEqual([1, 'credentials not found in native keychain\n']);
});

test('the kubelet’s provider answers by the name that its configuration has', async () => {
  const config = good(await home.lanyard(['image', 'config']));
  const [, name = ''] = /^\s*(?:- )?name: "?([^"\n]+)"?$/m.exec(config) ?? [];
  expect(name).toBe(`lanyard-credential-provider${exe}`);
  const asked = {
    apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
    kind: 'CredentialProviderRequest',
    image: 'hub.example.com/team/app',
  };
  const done = await run(join(home.path, 'bin', name), [], { env: home.env, input: JSON.stringify(asked) });
  const { auth } = JSON.parse(good(done));
  expect(Object.values(auth)).toEqual([{ username: 'robot', password: 'secret-of-the-hub' }]);
});

test('a file that isn’t Lanyard’s is left, and said', async () => {
  const other = join(home.outside, 'other tools');
  mkdirSync(other, { mode: 0o700 });
  const file = home.write(join('other tools', `lanyard${exe}`), 'another program');
  const done = await home.lanyard(['install', '--into', other]);
  expect([done.code, done.stdout]).toEqual([13, expect.stringContaining(file)]);
  expect(readFileSync(file, 'utf8')).toBe('another program');
  before = [...before, join('other tools', `lanyard${exe}`)].sort();
});

test('uninstalled, Lanyard restores docker’s file byte for byte, and leaves nothing behind', async () => {
  good(await home.lanyard(['uninstall', '--yes', '--with-vault', '--with-config']));
  await home.ended();
  expect(readFileSync(dockerConfig, 'utf8')).toBe(dockerText);
  expect(files()).toEqual(before);
  expect([existsSync(bin), existsSync(home.path)]).toEqual([false, false]);
});

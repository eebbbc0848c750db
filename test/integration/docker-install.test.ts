import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';

/** `lanyard docker install`, `status` and `undo` with the built helper and broker, and real files. */
let home: TestHome;
let agent: TestAgent;
let helper: DockerHelper;
let person: string;
let file: string;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({ version: 1 });
  helper = linkDockerHelper(home);
  agent = await startAgent({ home, passphrase: 'of docker’s file' });
});
afterAll(async () => {
  await agent?.dispose();
  home.dispose();
});
beforeEach(() => {
  person = join(home.outside, 'person');
  rmSync(person, { recursive: true, force: true });
  mkdirSync(join(person, '.docker'), { recursive: true });
  file = join(person, '.docker', 'config.json');
});

const lanyard = (args: string[], env: Record<string, string> = {}) =>
  run(builtHelper, ['docker', ...args], {
    env: { ...home.env, HOME: person, PATH: `${helper.folder}:${process.env['PATH']}`, ...env },
  });

const login = (text: string) => ({ auth: Buffer.from(text).toString('base64') });

test('moves logins into the vault, where docker gets them, and restores the file', async () => {
  const before = JSON.stringify({ auths: { 'a.example.com': login('alice:secret-a') } }, null, '\t');
  writeFileSync(file, before, { mode: 0o640 });
  const dry = await lanyard(['install', '--dry-run', '--json']);
  mustBeGood(dry);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, changed: true, moved: ['a.example.com'] });
  expect(readFileSync(file, 'utf8')).toBe(before);

  const done = await lanyard(['install', '--podman']);
  mustBeGood(done);
  expect(done.stderr).toContain('lanyard: the nodes of kind, and other programs that read auths alone');
  expect(`${done.stdout}${done.stderr}`).not.toContain('secret-a');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    auths: { 'a.example.com': {} },
    credsStore: 'lanyard',
  });
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(await helper.get('https://a.example.com')).toBe('alice:secret-a');
  const podman = join(person, '.config/containers/registries.conf.d/50-lanyard.conf');
  expect(readFileSync(podman, 'utf8')).toBe('credential-helpers = ["lanyard"]\n');
  const status = JSON.parse((await lanyard(['status', '--json'])).stdout);
  expect(status).toMatchObject({ file, credsStore: 'lanyard', plaintext: [], edited: true, podman: true });
  expect((await home.lanyard(['uninstall', '--dry-run'])).stdout).toContain(`restore   ${file}`);

  const undone = await lanyard(['undo']);
  mustBeGood(undone);
  expect(undone.stdout).toContain('Stored logins stay in the vault.');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(() => statSync(join(person, '.config'))).toThrow('ENOENT');
  expect(await helper.get('a.example.com')).toBe('alice:secret-a');
  expect((await lanyard(['undo'])).stderr).toContain('Lanyard has changed nothing');
});

test('a login that can’t move stays readable; a store that another program names is said, until it is fixed', async () => {
  const latin1 = { auth: Buffer.from('robot:p\xe4ss', 'latin1').toString('base64') };
  const before = JSON.stringify({ auths: { 'm.example.com': login('u:secret-m'), 'l.example.com': latin1 } });
  writeFileSync(file, before);
  const done = await lanyard(['install']);
  mustBeGood(done);
  expect(done.stdout).toMatch(/^left l\.example\.com in the file: .*; docker goes on reading it there$/m);
  expect(done.stderr).toContain('has docker read the login of l.example.com from the file');
  const installed = JSON.parse(readFileSync(file, 'utf8'));
  expect(installed.credHelpers).toEqual({ 'l.example.com': '' });

  writeFileSync(file, JSON.stringify({ ...installed, credsStore: 'desktop' }));
  const said = `docker no longer asks Lanyard: its credsStore is desktop, and only Lanyard has the login of `;
  const command = 'lanyard docker install';
  const status = await lanyard(['status']);
  expect(status.stdout).toContain(`${said}`);
  expect(status.stdout).toContain(`to fix it: ${command}`);
  for (const args of [['status'], ['doctor']]) {
    const { stdout } = await home.lanyard(args);
    expect(stdout).toContain(`${file}: ${said}`);
    expect(stdout).toMatch(/m\.example\.com\n +lanyard docker install\n/);
    expect(stdout).not.toContain('secret-m');
  }
  writeFileSync(file, JSON.stringify(installed));
  expect((await home.lanyard(['status'])).stdout).not.toContain('no longer asks');
  mustBeGood(await lanyard(['undo']));
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('--podman moves podman’s logins, too, and restores its file; one with a path stays', async () => {
  const auth = join(person, 'run/containers/auth.json');
  const env = { XDG_RUNTIME_DIR: join(person, 'run') };
  mkdirSync(join(person, 'run/containers'), { recursive: true });
  const before = JSON.stringify({
    auths: { 'p.example.com': login('pod:secret-p'), 'q.example.com/org': login('pod:secret-q') },
  });
  writeFileSync(auth, before, { mode: 0o600 });
  mustBeGood(await lanyard(['install'], env));
  expect(readFileSync(auth, 'utf8')).toBe(before);
  const dry = JSON.parse((await lanyard(['install', '--podman', '--dry-run', '--json'], env)).stdout);
  const moves = { file: auth, moved: ['p.example.com'], left: [{ server: 'q.example.com/org' }] };
  expect(dry.podman).toMatchObject({ outcome: 'made', logins: [moves] });
  expect(await helper.get('p.example.com')).toBeNull();
  const done = await lanyard(['install', '--podman'], env);
  mustBeGood(done);
  expect(`${done.stdout}${done.stderr}`).not.toContain('secret-');
  expect(done.stdout).toContain(
    'left q.example.com/org in the file: its helper is asked for the host alone; podman no longer finds it',
  );
  expect(await helper.get('p.example.com')).toBe('pod:secret-p');
  expect(JSON.parse(readFileSync(auth, 'utf8'))).toEqual({
    auths: { 'p.example.com': {}, 'q.example.com/org': login('pod:secret-q') },
  });
  mustBeGood(await lanyard(['undo'], env));
  expect(readFileSync(auth, 'utf8')).toBe(before);
});

test('--podman moves nothing where it can’t set podman up, or can’t read its logins', async () => {
  const env = { XDG_CONFIG_HOME: join(person, '.config') };
  const auth = join(person, '.config/containers/auth.json');
  const conf = join(person, '.config/containers/registries.conf.d');
  mkdirSync(conf, { recursive: true });
  const before = JSON.stringify({ auths: { 's.example.com': login('pod:secret-s') } });
  writeFileSync(auth, before);
  writeFileSync(join(conf, '50-lanyard.conf'), 'mine = true\n');
  expect((await lanyard(['install', '--podman'], env)).code).not.toBe(0);
  expect(readFileSync(auth, 'utf8')).toBe(before);
  rmSync(join(conf, '50-lanyard.conf'));
  writeFileSync(auth, 'not JSON');
  const refused = await lanyard(['install', '--podman'], env);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining(`${auth} isn’t valid JSON`) });
  expect(() => statSync(join(conf, '50-lanyard.conf'))).toThrow('ENOENT');
  await lanyard(['undo'], env);
});

test('--registry and DOCKER_CONFIG name what is changed', async () => {
  const other = join(person, 'other');
  mustBeGood(await lanyard(['install', '--registry', 'b.example.com'], { DOCKER_CONFIG: other }));
  expect(JSON.parse(readFileSync(join(other, 'config.json'), 'utf8'))).toEqual({
    credHelpers: { 'b.example.com': 'lanyard' },
  });
  mustBeGood(await lanyard(['undo'], { DOCKER_CONFIG: other }));
  expect(() => statSync(other)).toThrow('ENOENT');
});

test.each([
  [['install', '--registry', 'a.io/path'], /has a path, or http/],
  [['install', '--registry', 'https://u:canary@a.io'], /has a user name or a password in it/],
  [['install', 'word'], /unexpected argument/],
])('docker %j is refused', async (args, said) => {
  writeFileSync(file, '{}');
  const refused = await lanyard(args);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(said) });
  expect(refused.stderr).not.toContain('canary');
  expect(refused.code).not.toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test('without the helper on PATH, with another store, or locked, nothing is changed', async () => {
  writeFileSync(file, '{"credsStore":"pass"}');
  expect((await lanyard(['install'])).stderr).toContain('is unchanged: it names the store pass');
  expect((await lanyard(['install'], { PATH: '/nowhere' })).stderr).toContain('is not on your PATH');
  mustBeGood(await home.lanyard(['lock']));
  for (const action of ['install', 'status', 'undo']) {
    expect((await lanyard([action])).stderr).toContain('lanyard unlock');
  }
  expect(readFileSync(file, 'utf8')).toBe('{"credsStore":"pass"}');
});

import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { mustBeGood } from '../support/stage.ts';

/**
 * `lanyard docker install`, `status` and `undo` with the built helper and broker, and real files: those with logins in
 * plain text, those that name another credential store, and helm’s.
 */
let home: TestHome;
let agent: TestAgent;
let helper: DockerHelper;
let bin: string;
let person: string;
let file: string;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({ version: 1 });
  helper = linkDockerHelper(home);
  bin = join(home.outside, 'stores');
  mkdirSync(bin);
  put('shop', 'wrapped:shop-canary');
  put('cloud', 'AWS:cloud-canary');
  agent = await startAgent({ home, passphrase: 'of docker’s file' });
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});
beforeEach(() => {
  person = join(home.outside, 'person');
  rmSync(person, { recursive: true, force: true });
  mkdirSync(join(person, '.docker'), { recursive: true });
  file = join(person, '.docker', 'config.json');
});

/** A store that has one login, for all servers but `public.example.com`. */
function put(name: string, login: string): void {
  const [userName, secret] = login.split(':');
  const path = join(bin, `docker-credential-${name}`);
  const answer = `{"ServerURL":"x","Username":"${userName}","Secret":"${secret}"}`;
  writeFileSync(
    path,
    `#!/bin/sh\nread -r server\n[ "$server" = public.example.com ] || { echo '${answer}'; exit 0; }\necho credentials not found in native keychain\nexit 1\n`,
  );
  chmodSync(path, 0o755);
}

const environment = (more: Record<string, string> = {}) => ({
  ...home.env,
  HOME: person,
  XDG_CONFIG_HOME: join(person, '.config'),
  PATH: `${helper.folder}:${bin}:${process.env['PATH']}`,
  ...more,
});
const docker = (args: string[], more: Record<string, string> = {}) =>
  run(builtHelper, ['docker', ...args], { env: environment(more) });

/** On a terminal, where each program is approved. */
async function approving(...args: string[]): Promise<string> {
  const terminal = startOnTerminal(builtHelper, ['docker', ...args], { env: environment() });
  try {
    const isDone = terminal.ended.then(() => true);
    for (let asked = 1; ; asked += 1) {
      const next = terminal.waitForText(new RegExp(`(with this program\\?[\\s\\S]*){${asked}}`));
      if (
        await Promise.race([
          isDone,
          next.then(
            () => false,
            () => true,
          ),
        ])
      ) {
        break;
      }
      terminal.send('y\r');
    }
    const { code } = await terminal.ended;
    expect(code, terminal.shown()).toBe(0);
    return terminal.shown();
  } finally {
    await terminal.dispose();
  }
}

describe('another store', () => {
  const before = '{"auths":{"plain.example.com":{"auth":"dTpw"}},"credsStore":"shop"}\n';

  test('stays as it is without a terminal to approve its helper on, or without a program', async () => {
    writeFileSync(file, before);
    const refused = await docker(['install']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      'docker would no longer find unless Lanyard asks docker-credential-shop',
    );
    for (const store of ['nowhere', '../shop', 'a b']) {
      writeFileSync(file, JSON.stringify({ credsStore: store }));
      const { code, stdout, stderr } = await docker(['install']);
      expect(stderr).toContain(`is unchanged: it names the store ${store}`);
      // A dry run says the same, and ends so.
      expect(await docker(['install', '--dry-run'])).toMatchObject({ code, stdout, stderr });
      expect(readFileSync(file, 'utf8')).toBe(JSON.stringify({ credsStore: store }));
    }
    expect(readFileSync(join(home.path, 'config.yaml'), 'utf8')).not.toContain('credentialHelper');
  });

  test('is asked by Lanyard once its helper is approved; undo restores the file', async () => {
    writeFileSync(file, before);
    const dry = await docker(['install', '--dry-run']);
    mustBeGood(dry);
    expect(dry.stdout).toContain('Lanyard would ask the store shop where it has no login');
    expect(readFileSync(file, 'utf8')).toBe(before);

    const shown = await approving('install');
    expect(shown).toContain('the logins in the store shop stay there');
    expect(shown).toMatch(/program of shop: \S+docker-credential-shop, owner /);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      auths: { 'plain.example.com': {} },
      credsStore: 'lanyard',
    });
    expect(await helper.get('plain.example.com')).toBe('u:p');
    expect(await helper.get('other.example.com')).toBe('wrapped:shop-canary');
    expect(await helper.get('public.example.com')).toBeNull();
    expect((await helper.call('erase', 'plain.example.com')).stdout).toContain('but the store shop has one');
    expect(JSON.parse((await docker(['status', '--json'])).stdout)).toMatchObject({
      credsStore: 'lanyard',
      fallback: { account: 'shop', helper: 'shop' },
      plaintext: [],
    });

    const undone = await docker(['undo']);
    mustBeGood(undone);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(undone.stdout).toContain('The account shop stays, too: lanyard account remove shop');
    // Approved already: no terminal is needed.
    mustBeGood(await docker(['install']));
    mustBeGood(await docker(['undo']));
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('of a second kind is refused: one fallback at most', async () => {
    writeFileSync(file, '{"credsStore":"cloud"}');
    const refused = await docker(['install']);
    expect(refused.stderr).toContain('Lanyard asks shop already, which is the fallback');
    expect(readFileSync(file, 'utf8')).toBe('{"credsStore":"cloud"}');
  });

  test('of a single registry becomes that registry’s', async () => {
    const helped = '{"credHelpers":{"cloud.example.com":"cloud","else.example.com":"cloud"}}';
    writeFileSync(file, helped);
    mustBeGood(await docker(['install']));
    expect(JSON.parse(readFileSync(file, 'utf8')).credHelpers).toEqual(JSON.parse(helped).credHelpers);
    mustBeGood(await docker(['undo']));
    const refused = await docker(['install', '--registry', 'cloud.example.com']);
    expect(refused.stderr).toContain('it names the helper cloud for cloud.example.com, whose logins');
    expect(refused.stderr).toContain(
      'approve that on a terminal: lanyard docker install --registry cloud.example.com',
    );
    writeFileSync(file, '{"credHelpers":{"cloud.example.com":"nowhere"}}');
    expect((await docker(['install', '--registry', 'cloud.example.com'])).stderr).toContain(
      'remove cloud.example.com from its credHelpers',
    );
    writeFileSync(file, helped);
    expect(readFileSync(file, 'utf8')).toBe(helped);
    const shown = await approving('install', '--registry', 'cloud.example.com');
    expect(shown).toContain('Lanyard asks docker-credential-cloud for cloud.example.com');
    expect(shown).not.toContain('where it has none');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      credHelpers: { 'cloud.example.com': 'lanyard', 'else.example.com': 'cloud' },
    });
    expect(await helper.get('cloud.example.com')).toBe('AWS:cloud-canary');
    mustBeGood(await docker(['undo']));
    expect(readFileSync(file, 'utf8')).toBe(helped);
  });
});

test('helm’s registry config is set up and restored with docker’s', async () => {
  const helm = join(person, '.config/helm/registry/config.json');
  const before = JSON.stringify({ auths: { 'charts.example.com': { auth: 'aGVsbTpjaGFydC1jYW5hcnk=' } } });
  mkdirSync(join(person, '.config/helm/registry'), { recursive: true });
  writeFileSync(helm, before, { mode: 0o600 });
  const without = await docker(['install', '--dry-run']);
  expect(without.stderr).toContain(
    `helm has logins in plain text in ${helm}: lanyard docker install --helm moves them`,
  );

  const done = await docker(['install', '--helm']);
  mustBeGood(done);
  expect(done.stdout).toContain(`changed ${helm}\nmoved the login of charts.example.com into the vault`);
  expect(JSON.parse(readFileSync(helm, 'utf8'))).toEqual({
    auths: { 'charts.example.com': {} },
    credsStore: 'lanyard',
  });
  expect(await helper.get('charts.example.com')).toBe('helm:chart-canary');
  expect((await docker(['status'])).stdout).toContain(`helm: ${helm}, credsStore: lanyard`);
  const written = readFileSync(helm);
  writeFileSync(helm, '{');
  const broken = await docker(['status']);
  mustBeGood(broken);
  expect(broken.stdout).toContain(`helm: ${helm} isn’t valid JSON`);
  writeFileSync(helm, written);
  expect((await home.lanyard(['uninstall', '--dry-run'])).stdout).toContain(`restore   ${helm}`);

  const undone = JSON.parse((await docker(['undo', '--json'])).stdout);
  expect(undone).toMatchObject({ config: 'removed', helm: 'restored' });
  expect(readFileSync(helm, 'utf8')).toBe(before);
  expect(() => statSync(file)).toThrow('ENOENT');
});

test('a registry’s helper that helm’s file names, too, is adopted once; another one there is refused', async () => {
  const helm = join(person, '.config/helm/registry/config.json');
  const names = (helper: string) => JSON.stringify({ credHelpers: { 'both.example.com': helper } });
  mkdirSync(join(person, '.config/helm/registry'), { recursive: true });
  writeFileSync(file, names('cloud'));
  writeFileSync(helm, names('shop'));
  const words = ['install', '--helm', '--registry', 'both.example.com'];
  expect((await docker(words)).stderr).toContain(
    'it names the helper shop for both.example.com, and docker’s config.json cloud',
  );
  writeFileSync(helm, names('cloud'));
  await approving(...words);
  expect([file, helm].map((each) => readFileSync(each, 'utf8'))).toEqual([
    names('lanyard'),
    names('lanyard'),
  ]);
  expect(await helper.get('both.example.com')).toBe('AWS:cloud-canary');
  mustBeGood(await docker(['undo']));
  expect(readFileSync(helm, 'utf8')).toBe(names('cloud'));
});

test('without the account that asks the store, docker finds none of its logins, and the removal says so', async () => {
  const before = '{"credsStore":"shop"}';
  writeFileSync(file, before);
  mustBeGood(await docker(['install']));
  const { stderr } = await home.lanyard(['account', 'remove', 'shop', '--yes'], { env: environment() });
  expect(stderr).toContain('docker finds no login of the store shop any more');
  expect(stderr).toContain('lanyard docker undo');
  expect(await helper.get('other.example.com')).toBeNull();
  mustBeGood(await docker(['undo']));
  expect(readFileSync(file, 'utf8')).toBe(before);
});

const login = (text: string) => ({ auth: Buffer.from(text).toString('base64') });

test('moves logins into the vault, where docker gets them, and restores the file', async () => {
  const before = JSON.stringify({ auths: { 'a.example.com': login('alice:secret-a') } }, null, '\t');
  writeFileSync(file, before, { mode: 0o640 });
  const dry = await docker(['install', '--dry-run', '--json']);
  mustBeGood(dry);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, changed: true, moved: ['a.example.com'] });
  expect(readFileSync(file, 'utf8')).toBe(before);

  const done = await docker(['install', '--podman']);
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
  const status = JSON.parse((await docker(['status', '--json'])).stdout);
  expect(status).toMatchObject({ file, credsStore: 'lanyard', plaintext: [], edited: true, podman: true });
  expect((await home.lanyard(['uninstall', '--dry-run'])).stdout).toContain(`restore   ${file}`);

  const undone = await docker(['undo']);
  mustBeGood(undone);
  expect(undone.stdout).toContain('Stored logins stay in the vault.');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(() => statSync(join(person, '.config'))).toThrow('ENOENT');
  expect(await helper.get('a.example.com')).toBe('alice:secret-a');
  expect((await docker(['undo'])).stderr).toContain('Lanyard has changed nothing');
});

test('a store that another program names is said, until it is fixed', async () => {
  const before = JSON.stringify({ auths: { 'm.example.com': login('u:secret-m') } });
  writeFileSync(file, before);
  mustBeGood(await docker(['install']));
  const installed = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...installed, credsStore: 'desktop' }));
  const said = `${file}: docker no longer asks Lanyard: its credsStore is desktop, and only Lanyard has the login of `;
  for (const command of ['status', 'doctor']) {
    const { stdout } = await home.lanyard([command]);
    expect(stdout).toContain(said);
    expect(stdout).toMatch(/m\.example\.com\n +lanyard docker install\n/);
    expect(stdout).not.toContain('secret-m');
  }
  writeFileSync(file, JSON.stringify(installed));
  expect((await home.lanyard(['status'])).stdout).not.toContain('no longer asks');
  mustBeGood(await docker(['undo']));
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
  mustBeGood(await docker(['install'], env));
  expect(readFileSync(auth, 'utf8')).toBe(before);
  const dry = JSON.parse((await docker(['install', '--podman', '--dry-run', '--json'], env)).stdout);
  const moves = { file: auth, moved: ['p.example.com'], left: [{ server: 'q.example.com/org' }] };
  expect(dry.podman).toMatchObject({ outcome: 'made', logins: [moves] });
  expect(await helper.get('p.example.com')).toBeNull();
  const done = await docker(['install', '--podman'], env);
  mustBeGood(done);
  expect(`${done.stdout}${done.stderr}`).not.toContain('secret-');
  expect(done.stdout).toContain(
    'left q.example.com/org in the file: its helper is asked for the host alone; podman no longer finds it',
  );
  expect(await helper.get('p.example.com')).toBe('pod:secret-p');
  expect(JSON.parse(readFileSync(auth, 'utf8'))).toEqual({
    auths: { 'p.example.com': {}, 'q.example.com/org': login('pod:secret-q') },
  });
  mustBeGood(await docker(['undo'], env));
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
  expect((await docker(['install', '--podman'], env)).code).not.toBe(0);
  expect(readFileSync(auth, 'utf8')).toBe(before);
  rmSync(join(conf, '50-lanyard.conf'));
  writeFileSync(auth, 'not JSON');
  const refused = await docker(['install', '--podman'], env);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining(`${auth} isn’t valid JSON`) });
  expect(() => statSync(join(conf, '50-lanyard.conf'))).toThrow('ENOENT');
  await docker(['undo'], env);
});

test('--registry and DOCKER_CONFIG name what is changed', async () => {
  const other = join(person, 'other');
  mustBeGood(await docker(['install', '--registry', 'b.example.com'], { DOCKER_CONFIG: other }));
  expect(JSON.parse(readFileSync(join(other, 'config.json'), 'utf8'))).toEqual({
    credHelpers: { 'b.example.com': 'lanyard' },
  });
  mustBeGood(await docker(['undo'], { DOCKER_CONFIG: other }));
  expect(() => statSync(other)).toThrow('ENOENT');
});

test.each([
  [['install', '--registry', 'a.io/path'], /has a path, or http/],
  [['install', '--registry', 'https://u:canary@a.io'], /has a user name or a password in it/],
  [['install', 'word'], /unexpected argument/],
])('docker %j is refused', async (args, said) => {
  writeFileSync(file, '{}');
  const refused = await docker(args);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(said) });
  expect(refused.stderr).not.toContain('canary');
  expect(refused.code).not.toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('{}');
});

test('without the helper on PATH, with another store, or locked, nothing is changed', async () => {
  writeFileSync(file, '{"credsStore":"pass"}');
  expect((await docker(['install'])).stderr).toContain('is unchanged: it names the store pass');
  expect((await docker(['install'], { PATH: '/nowhere' })).stderr).toContain('is not on your PATH');
  mustBeGood(await home.lanyard(['lock']));
  for (const action of ['install', 'status', 'undo']) {
    expect((await docker([action])).stderr).toContain('lanyard unlock');
  }
  expect(readFileSync(file, 'utf8')).toBe('{"credsStore":"pass"}');
});

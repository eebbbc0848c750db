import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { mustBeGood } from '../support/stage.ts';

/** `lanyard docker install` into files that name another credential store, and into helm’s. */
let home: TestHome;
let agent: TestAgent;
let docker: DockerHelper;
let bin: string;
let person: string;
let file: string;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({ version: 1 });
  docker = linkDockerHelper(home);
  bin = join(home.outside, 'stores');
  mkdirSync(bin);
  put('shop', 'wrapped:shop-canary');
  put('cloud', 'AWS:cloud-canary');
  agent = await startAgent({ home, passphrase: 'of the stores' });
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

const env = () => ({
  ...home.env,
  HOME: person,
  XDG_CONFIG_HOME: join(person, '.config'),
  PATH: `${docker.folder}:${bin}:${process.env['PATH']}`,
});
const lanyard = (...args: string[]) => run(builtHelper, args, { env: env() });

/** On a terminal, where each program is approved. */
async function approving(...args: string[]): Promise<string> {
  const terminal = startOnTerminal(builtHelper, args, { env: env() });
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
    const refused = await lanyard('docker', 'install');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      'docker would no longer find unless Lanyard asks docker-credential-shop',
    );
    for (const store of ['nowhere', '../shop', 'a b']) {
      writeFileSync(file, JSON.stringify({ credsStore: store }));
      const { code, stdout, stderr } = await lanyard('docker', 'install');
      expect(stderr).toContain(`is unchanged: it names the store ${store}`);
      // A dry run says the same, and ends so.
      expect(await lanyard('docker', 'install', '--dry-run')).toMatchObject({ code, stdout, stderr });
      expect(readFileSync(file, 'utf8')).toBe(JSON.stringify({ credsStore: store }));
    }
    expect(readFileSync(join(home.path, 'config.yaml'), 'utf8')).not.toContain('credentialHelper');
  });

  test('is asked by Lanyard once its helper is approved; undo restores the file', async () => {
    writeFileSync(file, before);
    const dry = await lanyard('docker', 'install', '--dry-run');
    mustBeGood(dry);
    expect(dry.stdout).toContain('Lanyard would ask the store shop where it has no login');
    expect(readFileSync(file, 'utf8')).toBe(before);

    const shown = await approving('docker', 'install');
    expect(shown).toContain('the logins in the store shop stay there');
    expect(shown).toMatch(/program of shop: \S+docker-credential-shop, owner /);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      auths: { 'plain.example.com': {} },
      credsStore: 'lanyard',
    });
    expect(await docker.get('plain.example.com')).toBe('u:p');
    expect(await docker.get('other.example.com')).toBe('wrapped:shop-canary');
    expect(await docker.get('public.example.com')).toBeNull();
    expect((await docker.call('erase', 'plain.example.com')).stdout).toContain('but the store shop has one');
    expect(JSON.parse((await lanyard('docker', 'status', '--json')).stdout)).toMatchObject({
      credsStore: 'lanyard',
      fallback: { account: 'shop', helper: 'shop' },
      plaintext: [],
    });

    const undone = await lanyard('docker', 'undo');
    mustBeGood(undone);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(undone.stdout).toContain('The account shop stays, too: lanyard account remove shop');
    // Approved already: no terminal is needed.
    mustBeGood(await lanyard('docker', 'install'));
    mustBeGood(await lanyard('docker', 'undo'));
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('of a second kind is refused: one fallback at most', async () => {
    writeFileSync(file, '{"credsStore":"cloud"}');
    const refused = await lanyard('docker', 'install');
    expect(refused.stderr).toContain('Lanyard asks shop already, which is the fallback');
    expect(readFileSync(file, 'utf8')).toBe('{"credsStore":"cloud"}');
  });

  test('of a single registry becomes that registry’s', async () => {
    const helped = '{"credHelpers":{"cloud.example.com":"cloud","else.example.com":"cloud"}}';
    writeFileSync(file, helped);
    mustBeGood(await lanyard('docker', 'install'));
    expect(JSON.parse(readFileSync(file, 'utf8')).credHelpers).toEqual(JSON.parse(helped).credHelpers);
    mustBeGood(await lanyard('docker', 'undo'));
    const refused = await lanyard('docker', 'install', '--registry', 'cloud.example.com');
    expect(refused.stderr).toContain('it names the helper cloud for cloud.example.com, whose logins');
    expect(refused.stderr).toContain(
      'approve that on a terminal: lanyard docker install --registry cloud.example.com',
    );
    writeFileSync(file, '{"credHelpers":{"cloud.example.com":"nowhere"}}');
    expect((await lanyard('docker', 'install', '--registry', 'cloud.example.com')).stderr).toContain(
      'remove cloud.example.com from its credHelpers',
    );
    writeFileSync(file, helped);
    expect(readFileSync(file, 'utf8')).toBe(helped);
    const shown = await approving('docker', 'install', '--registry', 'cloud.example.com');
    expect(shown).toContain('Lanyard asks docker-credential-cloud for cloud.example.com');
    expect(shown).not.toContain('where it has none');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      credHelpers: { 'cloud.example.com': 'lanyard', 'else.example.com': 'cloud' },
    });
    expect(await docker.get('cloud.example.com')).toBe('AWS:cloud-canary');
    mustBeGood(await lanyard('docker', 'undo'));
    expect(readFileSync(file, 'utf8')).toBe(helped);
  });
});

test('helm’s registry config is set up and restored with docker’s', async () => {
  const helm = join(person, '.config/helm/registry/config.json');
  const before = JSON.stringify({ auths: { 'charts.example.com': { auth: 'aGVsbTpjaGFydC1jYW5hcnk=' } } });
  mkdirSync(join(person, '.config/helm/registry'), { recursive: true });
  writeFileSync(helm, before, { mode: 0o600 });
  const without = await lanyard('docker', 'install', '--dry-run');
  expect(without.stderr).toContain(
    `helm has logins in plain text in ${helm}: lanyard docker install --helm moves them`,
  );

  const done = await lanyard('docker', 'install', '--helm');
  mustBeGood(done);
  expect(done.stdout).toContain(`changed ${helm}\nmoved the login of charts.example.com into the vault`);
  expect(JSON.parse(readFileSync(helm, 'utf8'))).toEqual({
    auths: { 'charts.example.com': {} },
    credsStore: 'lanyard',
  });
  expect(await docker.get('charts.example.com')).toBe('helm:chart-canary');
  expect((await lanyard('docker', 'status')).stdout).toContain(`helm: ${helm}, credsStore: lanyard`);
  const written = readFileSync(helm);
  writeFileSync(helm, '{');
  const broken = await lanyard('docker', 'status');
  mustBeGood(broken);
  expect(broken.stdout).toContain(`helm: ${helm} isn’t valid JSON`);
  writeFileSync(helm, written);
  expect((await home.lanyard(['uninstall', '--dry-run'])).stdout).toContain(`restore   ${helm}`);

  const undone = JSON.parse((await lanyard('docker', 'undo', '--json')).stdout);
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
  const words = ['docker', 'install', '--helm', '--registry', 'both.example.com'];
  expect((await lanyard(...words)).stderr).toContain(
    'it names the helper shop for both.example.com, and docker’s config.json cloud',
  );
  writeFileSync(helm, names('cloud'));
  await approving(...words);
  expect([file, helm].map((each) => readFileSync(each, 'utf8'))).toEqual([
    names('lanyard'),
    names('lanyard'),
  ]);
  expect(await docker.get('both.example.com')).toBe('AWS:cloud-canary');
  mustBeGood(await lanyard('docker', 'undo'));
  expect(readFileSync(helm, 'utf8')).toBe(names('cloud'));
});

test('without the account that asks the store, docker finds none of its logins, and the removal says so', async () => {
  const before = '{"credsStore":"shop"}';
  writeFileSync(file, before);
  mustBeGood(await lanyard('docker', 'install'));
  const { stderr } = await lanyard('account', 'remove', 'shop', '--yes');
  expect(stderr).toContain('docker finds no login of the store shop any more');
  expect(stderr).toContain('lanyard docker undo');
  expect(await docker.get('other.example.com')).toBeNull();
  mustBeGood(await lanyard('docker', 'undo'));
  expect(readFileSync(file, 'utf8')).toBe(before);
});

import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import { mustBeGood } from '../support/stage.ts';

/** Other credential helpers of docker’s, asked by the built broker: for a registry, and as the fallback. */
let home: TestHome;
let agent: TestAgent;
let docker: DockerHelper;
let bin: string;

const hub = 'https://index.docker.io/v1/';

/** A helper that notes its arguments, its standard input and its environment, then does this. */
function put(name: string, body: string): void {
  const path = join(bin, `docker-credential-${name}`);
  writeFileSync(
    path,
    `#!/bin/sh\nread -r server\necho "$* $server" >> ${bin}/${name}.asked\nenv > ${bin}/${name}.env\n${body}\n`,
  );
  chmodSync(path, 0o755);
}

const asked = (name: string) =>
  existsSync(join(bin, `${name}.asked`)) ? readFileSync(join(bin, `${name}.asked`), 'utf8').split('\n') : [];

const answer = (userName: string, secret: string) =>
  `printf '{"ServerURL":"x","Username":"${userName}","Secret":"${secret}"}\\n'`;
const none = 'echo "credentials not found in native keychain"; exit 1';

const bodies: Readonly<Record<string, string>> = {
  good: answer('robot', 'good-canary'),
  token: answer('<token>', 'token-canary'),
  nothing: none,
  fails: `echo "error decrypting: the keyring is locked"; echo "asked at stderr" >&2; exit 1`,
  leaks: `${answer('robot', 'leaked-canary')}; exit 1`,
  text: 'echo no-json-canary',
  huge: 'head -c 10485760 /dev/zero',
  forks: 'sleep 300 & echo $! > $0.child\nexit 1',
  store: `case "$server" in stored.example.com|https://stored.example.com|${hub}) ${answer('wrapped', 'store-canary')};; *) ${none};; esac`,
};
const kinds = [...Object.keys(bodies), 'missing', 'linked', 'chain'];

beforeAll(async () => {
  home = makeHome();
  bin = join(home.outside, 'other');
  mkdirSync(bin);
  docker = linkDockerHelper(home);
  for (const [name, body] of Object.entries(bodies)) {
    put(name, body);
  }
  symlinkSync(builtHelper, join(bin, 'docker-credential-linked'));
  put('chain', `echo "$server" | ${docker.folder}/docker-credential-lanyard get`);
  home.writeConfig({
    version: 1,
    accounts: Object.fromEntries(
      kinds.map((helper) => [
        helper,
        {
          credentialHelper: {
            helper,
            searchPath: `${bin}:/usr/bin:/bin`,
            ...(helper === 'good' && { env: [{ name: 'AWS_PROFILE', value: 'dev' }] }),
            ...(helper === 'store' && { fallback: true }),
          },
        },
      ]),
    ),
    registries: Object.fromEntries(
      kinds
        .filter((name) => name !== 'store')
        .map((name) => [name, { matchImages: [`${name}.example.com`], account: name }]),
    ),
  });
  agent = await startAgent({ home, passphrase: 'of the helpers', env: { AWS_PROFILE: 'other' } });
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

describe('for a registry of config.yaml', () => {
  test('its answer goes to docker; it was asked for the host, with its own variables alone', async () => {
    expect(await docker.get('https://good.example.com')).toBe('robot:good-canary');
    expect(await docker.get('token.example.com')).toBe('<token>:token-canary');
    expect(asked('good')).toEqual(['get good.example.com', '']);
    const env = readFileSync(join(bin, 'good.env'), 'utf8').split('\n');
    expect(env).toContain('AWS_PROFILE=dev');
    expect(env.filter((line) => line.startsWith('LANYARD_'))).toEqual(['LANYARD_CREDENTIAL_HELPER=1']);
  });

  test.each([
    [
      'fails',
      /docker-credential-fails - err: exit status 1, out: error decrypting: the keyring is locked: asked at stderr/,
    ],
    ['leaks', /err: exit status 1, out: \(not shown/],
    ['text', /returned no JSON object/],
    ['huge', /wrote more than 64 KiB/],
    ['forks', /exit status 1/],
    ['missing', /there is no such program/],
    ['linked', /is Lanyard’s own helper/],
    ['chain', /Lanyard would ask itself/],
  ])('one that %s is an error in docker’s form, without a secret', async (name, text) => {
    const { code, stdout, stderr } = await docker.call('get', `${name}.example.com`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^lanyard: /);
    expect(stdout).toMatch(text);
    expect(stdout).not.toContain('canary');
    if (name === 'forks') {
      const child = Number(readFileSync(join(bin, 'docker-credential-forks.child'), 'utf8'));
      expect(() => process.kill(child, 0)).toThrow('ESRCH');
    }
  });

  test('the doctor says how to see more of what failed', async () => {
    const { stdout } = await home.lanyard(['doctor', '--json']);
    const findings: { subject: string | null; level: string; hint: string | null }[] =
      JSON.parse(stdout).findings;
    const hints = findings.flatMap(({ subject, level, hint }) =>
      subject === 'fails' && level === 'warning' ? [hint] : [],
    );
    expect(hints).toEqual(['run it yourself to see: echo SERVER | docker-credential-fails get']);
  });

  test('one that fails is shown as failing, whatever it answered before', async () => {
    const stateNow = async () => {
      const { stdout } = await home.lanyard(['account', 'list', '--json']);
      const accounts: { name: string; state: string; problem: string | null }[] = JSON.parse(stdout);
      return accounts.find(({ name }) => name === 'token')?.state;
    };
    expect(await docker.get('token.example.com')).toBe('<token>:token-canary');
    expect(await stateNow()).toBe('ready');
    put('token', 'exit 1');
    expect((await docker.call('get', 'token.example.com')).stdout).toContain('exit status 1');
    expect(await stateNow()).toBe('failing');
  });

  test('Lanyard never stores, erases or lists there', async () => {
    expect((await docker.store('good.example.com', 'u', 'p')).stdout).toContain(
      'the registry good of config.yaml',
    );
    expect((await docker.call('erase', 'good.example.com')).stdout).toContain('nothing was erased');
    expect(asked('good').every((line) => line === '' || line.startsWith('get '))).toBe(true);
  });
});

describe('as the fallback', () => {
  test('it is asked where neither a registry nor a stored entry matches, by docker’s own names', async () => {
    expect(await docker.get('stored.example.com')).toBe('wrapped:store-canary');
    expect(await docker.get('docker.io')).toBe('wrapped:store-canary');
    expect(await docker.get('public.example.com')).toBeNull();
    expect((await home.lanyard(['image', 'why', 'stored.example.com/app'])).stdout).toContain(
      'docker gets a stored login, if there is one',
    );
    expect(asked('store')).toEqual(['get stored.example.com', `get ${hub}`, 'get public.example.com', '']);
    mustBeGood(await docker.store('stored.example.com', 'mine', 'entry'));
    expect(await docker.get('stored.example.com')).toBe('mine:entry');
    expect(JSON.parse((await docker.call('list')).stdout)).toEqual({ 'stored.example.com': 'mine' });
  });

  test('its entry stays at an erase, which says so; another server’s erase is good', async () => {
    const erased = await docker.call('erase', 'stored.example.com');
    expect(erased).toMatchObject({ code: 1, stderr: '' });
    expect(erased.stdout).toContain('the store store has one');
    expect(erased.stdout).toContain('echo stored.example.com | docker-credential-store erase');
    expect((await docker.call('erase', 'https://stored.example.com')).stdout).toContain(
      "echo 'https://stored.example.com' | docker-credential-store erase",
    );
    expect(JSON.parse((await docker.call('list')).stdout)).toEqual({});
    expect(await docker.get('stored.example.com')).toBe('wrapped:store-canary');
    mustBeGood(await docker.call('erase', 'public.example.com'));
    expect(asked('store').every((line) => line === '' || line.startsWith('get '))).toBe(true);
  });

  test('what it gave is on record, with its account; what it didn’t have is not', async () => {
    const { stdout } = await home.lanyard(['audit', '--json', '--account', 'store']);
    const calls = jsonLines(stdout).filter(({ kind }) => kind === 'call');
    expect(new Set(calls.map(({ target }) => target.name))).toEqual(
      new Set(['stored.example.com', 'docker.io']),
    );
    expect(stdout).not.toContain('canary');
  });
});

test('while locked no helper runs: a registry’s is refused, the fallback has nothing, and no logout is a success', async () => {
  const before = asked('store').length;
  mustBeGood(await home.lanyard(['lock']));
  expect((await docker.call('get', 'good.example.com')).stdout).toContain('locked');
  expect(await docker.get('stored.example.com')).toBeNull();
  expect(await docker.call('erase', 'stored.example.com')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('locked'),
  });
  expect(asked('store')).toHaveLength(before);
});

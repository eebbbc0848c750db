import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { type Ended, run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';

/** Provider plugins of a kubelet, run by the built broker, through both doors (KEP-2133/execution, KEP-2133/caching). */
const group = 'credentialprovider.kubelet.k8s.io';

let home: TestHome;
let agent: TestAgent;
let bin: string;
let links: string;

function response(fields: object): string {
  return JSON.stringify({ kind: 'CredentialProviderResponse', apiVersion: `${group}/v1`, ...fields });
}

function auth(keys: readonly string[], username: string, password: string) {
  return Object.fromEntries(keys.map((key) => [key, { username, password }]));
}

/** A plugin that notes its request, then does this. */
function put(name: string, body: string): string {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\ncat >> ${bin}/${name}.asked\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const says = (fields: object) => `cat <<'END'\n${response(fields)}\nEND`;

const ecr = '123456789012.dkr.ecr.eu-central-1.amazonaws.com';
const bodies: Readonly<Record<string, string>> = {
  ecr: says({ cacheKeyType: 'Registry', cacheDuration: '12h0m0s', auth: auth([ecr], 'AWS', 'ecr-canary') }),
  acr: says({
    cacheKeyType: 'Registry',
    cacheDuration: '1h0m0s',
    auth: {
      ...auth(['*.azurecr.io', '*.azurecr.cn'], '', ''),
      ...auth(['corp.azurecr.io'], 'robot', 'acr-canary'),
    },
  }),
  fails: 'echo "no role: said-on-stderr" >&2\necho stdout-canary\nexit 3',
  huge: 'head -c 10485760 /dev/zero',
  field: says({ cacheKeyType: 'Image', auth: null, extra: 'field-canary' }),
  forks: 'sleep 300 & echo $! > $0.child\nexit 1',
  open: 'exit 0',
};

const hosts: Readonly<Record<string, string[]>> = {
  ecr: [ecr],
  acr: ['*.azurecr.io'],
};
const hostOf = (name: string) => `${name}.example.com`;
const names = [...Object.keys(bodies), 'missing'];

beforeAll(async () => {
  home = makeHome();
  bin = join(home.outside, 'plugins');
  links = join(home.outside, 'bin');
  mkdirSync(bin);
  mkdirSync(links);
  for (const name of ['lanyard-credential-provider', 'docker-credential-lanyard']) {
    symlinkSync(builtHelper, join(links, name));
  }
  for (const [name, body] of Object.entries(bodies)) {
    put(name, body);
  }
  chmodSync(join(bin, 'open'), 0o777);
  home.writeConfig({
    version: 1,
    accounts: Object.fromEntries(
      names.map((name) => [
        name,
        {
          credentialProvider: {
            apiVersion: `${group}/v1`,
            command: join(bin, name),
            ...(name === 'ecr' && {
              args: ['get-credentials'],
              env: [{ name: 'AWS_REGION', value: 'eu-central-1' }, { name: 'ECR_TOKEN' }],
            }),
          },
        },
      ]),
    ),
    registries: Object.fromEntries(
      names.map((name) => [
        name,
        { matchImages: hosts[name] ?? [hostOf(name)], account: name, cacheDuration: '15m' },
      ]),
    ),
  });
  agent = await startAgent({ home, passphrase: 'of the plugins' });
  mustBeGood(await home.lanyard(['secret', 'set', 'ecr/env.ECR_TOKEN'], { input: 'variable-canary' }));
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

function ask(image: string): Promise<Ended> {
  const input = JSON.stringify({ kind: 'CredentialProviderRequest', apiVersion: `${group}/v1`, image });
  return run(join(links, 'lanyard-credential-provider'), [], { env: home.env, input });
}

async function answer(image: string) {
  const ended = await ask(image);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

function docker(server: string): Promise<Ended> {
  return run(join(links, 'docker-credential-lanyard'), ['get'], { env: home.env, input: server });
}

/** The images that a plugin was asked for, in order. */
function asked(name: string): string[] {
  const text = readFileSync(join(bin, `${name}.asked`), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line).image);
}

describe('a plugin’s answer', () => {
  test('for a registry is cached for its images, and told to a kubelet under the image’s own host', async () => {
    expect(await answer(`${ecr}/team/app`)).toMatchObject({
      apiVersion: `${group}/v1`,
      cacheKeyType: 'Image',
      cacheDuration: '15m0s',
      auth: { [ecr]: { username: 'AWS', password: 'ecr-canary' } },
    });
    expect(await answer(`${ecr}/team/other`)).toMatchObject({ auth: { [ecr]: { username: 'AWS' } } });
    expect(JSON.parse((await docker(ecr)).stdout)).toMatchObject({ Username: 'AWS', Secret: 'ecr-canary' });
    expect(asked('ecr')).toEqual([`${ecr}/team/app`]);
    const request = JSON.parse(readFileSync(join(bin, 'ecr.asked'), 'utf8'));
    expect(request).toEqual({
      kind: 'CredentialProviderRequest',
      apiVersion: `${group}/v1`,
      image: `${ecr}/team/app`,
    });
  });

  test('with wildcards and empty credentials: the most exact key counts, and docker gets nothing empty', async () => {
    expect(await answer('corp.azurecr.io/app')).toMatchObject({
      auth: { 'corp.azurecr.io': { username: 'robot', password: 'acr-canary' } },
    });
    expect((await answer('public.azurecr.io/app')).auth).toEqual({
      'public.azurecr.io': { username: '', password: '' },
    });
    expect(await docker('public.azurecr.io')).toMatchObject({
      code: 1,
      stdout: 'credentials not found in native keychain\n',
    });
  });
});

describe('a plugin that', () => {
  test.each([
    ['fails', /exit status 3: no role: said-on-stderr/],
    ['huge', /wrote more than 1 MiB/],
    ['field', /error decoding/],
    ['missing', /there is no such program/],
    ['open', /can write/],
  ])('%s: one line on stderr, and never an answer', async (name, line) => {
    const ended = await ask(`${hostOf(name)}/app`);
    expect(ended.code).not.toBe(0);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr).not.toMatch(/canary/);
    expect(await docker(hostOf(name))).toMatchObject({ code: 1, stdout: expect.stringMatching(line) });
    const why = await run(builtHelper, ['image', 'why', `${hostOf(name)}/app`, '--json'], { env: home.env });
    expect(JSON.parse(why.stdout).problem).toEqual(expect.any(String));
  });

  test('leaves a process behind: it is ended with the plugin', async () => {
    expect(await ask('forks.example.com/app')).toMatchObject({ stdout: '' });
    const child = Number(readFileSync(join(bin, 'forks.child'), 'utf8'));
    expect(() => process.kill(child, 0)).toThrow('ESRCH');
  });
});

test('locked, nothing runs; after the unlock what was cached is asked for again', async () => {
  const before = asked('ecr').length;
  mustBeGood(await home.lanyard(['lock']));
  expect(await ask(`${ecr}/team/app`)).toMatchObject({ code: 11, stdout: '' });
  mustBeGood(await home.lanyard(['unlock', '--passphrase-file', home.write('passphrase', 'of the plugins')]));
  await answer(`${ecr}/team/app`);
  expect(asked('ecr')).toHaveLength(before + 1);
});

test('no secret is on record, in the metrics, or among what is told of plugins', async () => {
  const { stdout } = await home.lanyard(['audit', '--json']);
  expect(stdout).toContain('"kind":"registry"');
  const metrics = (await home.lanyard(['metrics'])).stdout;
  expect(metrics).toMatch(/^kubelet_credential_provider_plugin_errors_total\{plugin_name="fails"\} [1-9]/m);
  expect(metrics).not.toContain('plugin_errors_total{plugin_name="field"}');
  expect(metrics).toMatch(/^kubelet_credential_provider_plugin_duration_count\{plugin_name="field"\} [1-9]/m);
  expect(metrics).toMatch(/^kubelet_credential_provider_config_info\{hash="sha256:[0-9a-f]{64}"\} 1$/m);
  expect(metrics).not.toContain('rest_client_exec_plugin_call_total');
  const shown = (await home.lanyard(['plugin', 'show', 'fails'])).stdout;
  expect(shown).toMatch(/in the agent +fails +failed: credentialProvider\.failed \(exit code 3\)/);
  expect(shown).toContain('said-on-stderr');
  expect([stdout, metrics, shown].join()).not.toMatch(/canary/);
});

test('lanyard account add shows the program, and writes the account', async () => {
  const program = put('added', says({ cacheKeyType: 'Image', cacheDuration: '0s', auth: null }));
  const words = ['--credential-provider', program, '--arg', 'get', '--default-cache', '12h', '--pin'];
  const added = await home.lanyard(['account', 'add', 'added', ...words]);
  // There is no terminal to approve it on.
  expect(added.code).toBe(20);
  expect(added.stderr + added.stdout).toContain(program);
  const config = readFileSync(join(home.path, 'config.yaml'), 'utf8');
  expect(config).toMatch(/added: \{ credentialProvider: \{/);
  expect(config).toContain('defaultCacheDuration: 12h');
  const wrong = await home.lanyard([
    'account',
    'add',
    'wrong',
    '--credential-provider',
    'x',
    '--default-cache',
    '1w',
  ]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--default-cache') });
});

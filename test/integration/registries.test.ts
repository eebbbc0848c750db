import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { type Ended, run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';

/** Registries of config.yaml, through the doors of a kubelet and of docker, with the built helper and broker. */
const config = {
  version: 1,
  accounts: {
    hub: { registry: { userName: 'robot' } },
    azure: { registry: {} },
    cloud: { staticToken: {} },
    empty: { registry: { userName: 'nobody' } },
  },
  registries: {
    hub: { matchImages: ['docker.io'], account: 'hub' },
    azure: { matchImages: ['*.azurecr.io'], account: 'azure' },
    ghcr: { matchImages: ['ghcr.io'], account: 'hub', cacheDuration: '15m' },
    team: { matchImages: ['ghcr.io/team/'], account: 'cloud', userName: 'oauth2accesstoken' },
    work: { matchImages: ['quay.io/work'], account: 'hub', calledAs: 'work' },
    local: { matchImages: ['localhost:5000'], account: 'hub' },
    bare: { matchImages: ['bare.example.com'], account: 'empty' },
  },
};

let home: TestHome;
let agent: TestAgent;
let folder: string;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig(config);
  folder = join(home.outside, 'bin');
  mkdirSync(folder);
  for (const name of ['docker-credential-lanyard', 'docker-credential-lanyard-work']) {
    symlinkSync(builtHelper, join(folder, name));
  }
  agent = await startAgent({ home, passphrase: 'of the registries' });
  for (const [word, secret] of [
    ['hub/password', 'password-canary'],
    ['azure/identityToken', 'identity-canary'],
    ['cloud/token', 'token-canary'],
  ] as const) {
    mustBeGood(await home.lanyard(['secret', 'set', word], { input: secret }));
  }
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

const group = 'credentialprovider.kubelet.k8s.io';

function provider(input: string, args: string[] = []): Promise<Ended> {
  return run(join(home.path, 'bin/lanyard-credential-provider'), args, { env: home.env, input });
}

function ask(image: string, version = 'v1', more: object = {}): Promise<Ended> {
  return provider(
    JSON.stringify({ kind: 'CredentialProviderRequest', apiVersion: `${group}/${version}`, image, ...more }),
  );
}

async function answer(image: string, version?: string, more?: object) {
  const ended = await ask(image, version, more);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

function docker(action: string, input: string, name = 'docker-credential-lanyard'): Promise<Ended> {
  return run(join(folder, name), [action], { env: home.env, input });
}

const hub = { username: 'robot', password: 'password-canary' };
const nothing = { cacheKeyType: 'Image', cacheDuration: '0s', auth: null };

describe('as a kubelet’s provider', () => {
  test.each(['v1', 'v1beta1', 'v1alpha1'])(
    'KEP-2133/versions: an answer has the request’s version: %s',
    async (version) => {
      expect(await answer('docker.io/library/nginx', version)).toEqual({
        kind: 'CredentialProviderResponse',
        apiVersion: `${group}/${version}`,
        cacheKeyType: 'Registry',
        cacheDuration: '0s',
        auth: { 'docker.io': hub },
      });
    },
  );

  test.each([
    ['localhost:5000/app', { cacheKeyType: 'Registry', auth: { 'localhost:5000': hub } }],
    ['ghcr.io/other/app', { cacheKeyType: 'Image', cacheDuration: '15m0s', auth: { 'ghcr.io': hub } }],
    [
      'ghcr.io/team/app',
      {
        cacheKeyType: 'Image',
        cacheDuration: '0s',
        auth: { 'ghcr.io/team/': { username: 'oauth2accesstoken', password: 'token-canary' } },
      },
    ],
    ['quay.io/work/app', nothing],
  ])('%s', async (image, expected) => {
    expect(await answer(image)).toMatchObject(expected);
  });

  test('KEP-2133/response: an account without a secret, and an identity token, are errors: never a null auth', async () => {
    expect(await ask('bare.example.com/app')).toMatchObject({
      code: 15,
      stdout: '',
      stderr: expect.stringContaining('lanyard secret set empty/password'),
    });
    expect(await ask('corp.azurecr.io/app')).toMatchObject({
      code: 13,
      stdout: '',
      stderr: expect.stringContaining('a kubelet can’t pass on'),
    });
  });

  test.each([
    ['no request', 'canary', /invalid character|JSON/],
    ['10 MiB', 'x'.repeat(10 * 1024 * 1024), /larger than 327680 bytes/],
  ])('%s: one line on stderr', async (_, input, line) => {
    const ended = await provider(input);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(line);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('a field that a newer kubelet sends is no reason to refuse it', async () => {
    const more = {
      serviceAccountToken: 'sa-canary',
      serviceAccountAnnotations: { account: 'cloud' },
      later: 1,
    };
    expect(await answer('docker.io/library/nginx', 'v1', more)).toMatchObject({ auth: { 'docker.io': hub } });
  });

  test('a kubeconfig can’t run it', async () => {
    const env = { ...home.env, KUBERNETES_EXEC_INFO: '{}' };
    const ended = await run(join(home.path, 'bin/lanyard-credential-provider'), [], { env, input: '{}' });
    expect(ended).toMatchObject({ code: 13, stdout: '' });
  });
});

describe('as docker’s helper', () => {
  test('a configured registry comes before what is stored, and is neither changed nor listed', async () => {
    mustBeGood(await docker('store', '{"ServerURL":"quay.io","Username":"me","Secret":"stored-canary"}'));
    expect(JSON.parse((await docker('get', 'https://index.docker.io/v1/')).stdout)).toEqual({
      ServerURL: 'https://index.docker.io/v1/',
      Username: 'robot',
      Secret: 'password-canary',
    });
    const refused = await docker('store', '{"ServerURL":"docker.io","Username":"me","Secret":"x"}');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('registry hub') });
    expect(await docker('erase', 'docker.io')).toMatchObject({ code: 1 });
    expect((await docker('list', '')).stdout).toBe('{"quay.io":"me"}\n');
  });

  test('a pattern with a path answers where the helper has the registry’s own name', async () => {
    expect(JSON.parse((await docker('get', 'quay.io')).stdout)).toMatchObject({ Secret: 'stored-canary' });
    expect(
      JSON.parse((await docker('get', 'quay.io', 'docker-credential-lanyard-work')).stdout),
    ).toMatchObject({
      Username: 'robot',
    });
    expect(JSON.parse((await docker('get', 'ghcr.io')).stdout)).toMatchObject({ Username: 'robot' });
  });

  test('an identity token has docker’s name for it; http gets nothing', async () => {
    expect(JSON.parse((await docker('get', 'corp.azurecr.io')).stdout)).toMatchObject({
      Username: '<token>',
      Secret: 'identity-canary',
    });
    expect((await docker('get', 'http://corp.azurecr.io')).stdout).toBe(
      'credentials not found in native keychain\n',
    );
  });
});

test('a path that no image has gets nothing', async () => {
  for (const image of [
    'ghcr.io/team/../other',
    'ghcr.io/team%2fx',
    'ghcr.io#@evil.com/x',
    'ghcr.io/Team/x',
    `ghcr.io/${'a/'.repeat(5000)}a`,
  ]) {
    expect(await ask(image), image).toMatchObject({ code: 2, stdout: '' });
  }
  for (const server of [
    'ghcr.io/team/../other',
    'ghcr.io/team%2fx',
    'https://index.docker.io/v1/access-token',
  ]) {
    expect((await docker('get', server)).stdout, server).toBe('credentials not found in native keychain\n');
  }
});

test('lanyard image why says which, and why not the others', async () => {
  const ended = await home.lanyard(['image', 'why', 'ghcr.io/team/app:1.2', '--json']);
  mustBeGood(ended);
  const found = JSON.parse(ended.stdout);
  expect(found).toMatchObject({
    image: 'ghcr.io/team/app',
    registry: 'team',
    account: 'cloud',
    problem: null,
  });
  const of = (registry: string) =>
    found.patterns.find((each: { registry: string }) => each.registry === registry);
  expect(of('team')).toMatchObject({ matches: true, chosen: true });
  expect(of('ghcr')).toMatchObject({ matches: true, chosen: false });
  expect(of('local')).toMatchObject({
    matches: false,
    why: 'its host has one part, the image’s has 2 parts',
  });
  expect(of('hub')).toMatchObject({ matches: false, why: 'it is for another host' });
  const text = await home.lanyard(['image', 'why', 'ghcr.io/team/app']);
  expect(text.stdout).toContain('gets the credential of cloud');
  expect(await home.lanyard(['image', 'why', 'Not An Image'])).toMatchObject({ code: 2 });
});

test('lanyard image config is a kubelet’s config for the patterns, each once', async () => {
  const ended = await home.lanyard(['image', 'config']);
  mustBeGood(ended);
  expect(ended.stdout).toContain('name: lanyard-credential-provider');
  expect(ended.stdout).toContain('- "docker.io"');
  expect(ended.stdout).not.toContain('azurecr.io');
  expect(ended.stderr).toContain('azure is left out: azure has an identity token, which a kubelet');
  expect(ended.stdout).toContain(`env:\n      - name: LANYARD_HOME\n        value: "${home.path}"`);
  expect(ended.stderr).toContain(`--image-credential-provider-bin-dir=${join(home.path, 'bin')}\n`);
});

test('what is pending approval gets nothing', async () => {
  home.writeConfig({
    ...config,
    registries: { ...config.registries, later: { matchImages: ['later.example.com'], account: 'hub' } },
  });
  await expect
    .poll(async () => await ask('later.example.com/app'))
    .toMatchObject({ code: 13, stdout: '', stderr: expect.stringContaining('pending approval') });
  // Another entry of an approved registry, too: not as an image of none.
  home.writeConfig({
    ...config,
    registries: {
      ...config.registries,
      hub: { matchImages: ['docker.io', 'wider.example.com'], account: 'hub' },
    },
  });
  await expect.poll(async () => await ask('wider.example.com/app')).toMatchObject({ code: 13, stdout: '' });
  expect(await docker('get', 'wider.example.com')).toMatchObject({ code: 1 });
  expect(await answer('docker.io/library/nginx')).toMatchObject({ auth: { 'docker.io': hub } });
  home.writeConfig(config);
});

test('with a config.yaml that has errors since the start, no image is taken for one of no registry', async () => {
  home.writeConfig({ ...config, registries: { hub: { matchImages: ['docker.io'], account: 'nobody' } } });
  await agent.stop();
  agent = await startAgent({ home, passphrase: 'of the registries' });
  expect(await ask('docker.io/library/nginx')).toMatchObject({
    code: 13,
    stdout: '',
    stderr: expect.stringContaining('config.yaml has errors'),
  });
  expect(await docker('get', 'docker.io')).toMatchObject({ code: 1 });
  home.writeConfig(config);
  await expect.poll(async () => (await ask('docker.io/library/nginx')).code).toBe(0);
});

test('each issue is on record, without a secret', async () => {
  const { stdout } = await home.lanyard(['audit', '--json']);
  expect(stdout).toContain('"door":"image"');
  expect(stdout).toContain('"kind":"registry"');
  expect(stdout).not.toMatch(/canary/);
});

test('locked, a registry’s images are refused, and others go on', async () => {
  mustBeGood(await home.lanyard(['lock']));
  expect(await ask('docker.io/library/nginx')).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringContaining('locked'),
  });
  expect(await answer('registry.k8s.io/pause')).toMatchObject(nothing);
  expect(await docker('get', 'docker.io')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('locked'),
  });
});

import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProviderConfig } from '../../main/domain/image/provider-config.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { jsonLines } from '../support/json-lines.ts';
import type { TokenExchange } from '../support/openid/token-exchange.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { type Ended, run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { mustBeGood } from '../support/stage.ts';

/** Service account tokens of a kubelet: exchanged, and passed on to a plugin (KEP-2133/service-accounts) (rule: service-account-token). */
const group = 'credentialprovider.kubelet.k8s.io';
const passphrase = 'of the service accounts';
const aud = 'registry.example.com';

let provider: OpenIdProvider;
let exchange: TokenExchange;
let home: TestHome;
let agent: TestAgent;
let logs = '';
let docker: string;
let plugin: string;

beforeAll(async () => {
  provider = await startOpenIdProvider({ tls: {}, accessToken: 'jwt', exchangeAudiences: [aud] });
  exchange = provider.tokenExchange as TokenExchange;
  home = makeHome();
  const folder = join(home.outside, 'plugins');
  mkdirSync(folder);
  plugin = join(folder, 'plugin');
  const response = {
    kind: 'CredentialProviderResponse',
    apiVersion: `${group}/v1`,
    cacheKeyType: 'Registry',
    cacheDuration: '1h0m0s',
    auth: { 'plugin.example.com': { username: 'u', password: 'plugin-canary' } },
  };
  writeFileSync(plugin, `#!/bin/sh\ncat >> ${plugin}.asked\ncat <<'END'\n${JSON.stringify(response)}\nEND\n`);
  chmodSync(plugin, 0o755);
  docker = join(folder, 'docker-credential-lanyard');
  symlinkSync(builtHelper, docker);
  const { issuer, confidentialClient, caPem } = provider;
  home.writeConfig({
    version: 1,
    accounts: {
      pods: {
        oidc: {
          issuer,
          clientId: confidentialClient.id,
          flow: 'serviceAccountToken',
          certificateAuthority: home.write('provider-ca.pem', caPem ?? ''),
        },
      },
      plugin: {
        credentialProvider: {
          apiVersion: `${group}/v1`,
          command: plugin,
          tokenAttributes: {
            serviceAccountTokenAudience: 'plugin',
            cacheType: 'ServiceAccount',
            requireServiceAccount: true,
            optionalServiceAccountAnnotationKeys: ['tenant'],
          },
        },
      },
      hub: { registry: { userName: 'robot' } },
    },
    registries: {
      pods: { matchImages: [aud], account: 'pods', userName: 'token', audience: aud, cacheDuration: '24h' },
      plugin: { matchImages: ['plugin.example.com'], account: 'plugin' },
      hub: { matchImages: ['docker.io'], account: 'hub' },
      // A port where no registry listens.
      local: { matchImages: ['127.0.0.1:9'], account: 'pods', userName: 'token', audience: aud },
    },
  });
  agent = await startAgent({ home, passphrase });
  mustBeGood(await home.lanyard(['secret', 'set', 'hub'], { input: 'hub-canary' }));
  mustBeGood(
    await home.lanyard(['secret', 'set', 'pods/clientSecret'], { input: confidentialClient.secret }),
  );
});
afterAll(async () => {
  await agent?.dispose();
  await provider?.dispose();
  home?.dispose();
});

let minted = 0;

/** A token as a cluster signs it, with a key that Lanyard doesn’t know. */
function mint(subject = 'system:serviceaccount:default:app'): Promise<string> {
  minted += 1;
  return new SignJWT({ sub: subject, aud: [provider.issuer], jti: String(minted) })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('the cluster’s key, unknown here'));
}

function ask(image: string, token?: string, annotations?: object, name = 'lanyard-credential-provider') {
  const input = JSON.stringify({
    kind: 'CredentialProviderRequest',
    apiVersion: `${group}/v1`,
    image,
    serviceAccountToken: token,
    serviceAccountAnnotations: annotations,
  });
  return run(join(home.path, 'bin', name), [], { env: home.env, input });
}

async function answer(...words: Parameters<typeof ask>) {
  const ended = await ask(...words);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

const unlock = () => home.lanyard(['unlock', '--passphrase-file', home.write('passphrase', passphrase)]);
const asked = () => jsonLines(readFileSync(`${plugin}.asked`, 'utf8'));

describe('an exchanged token', () => {
  test('is the registry’s password, for no longer than its provider says', async () => {
    const token = await mint();
    const { auth, cacheDuration } = await answer(`${aud}/app`, token, { audience: 'other', account: 'hub' });
    expect(auth[aud].username).toBe('token');
    expect(auth[aud].password).not.toBe(token);
    expect(exchange.records).toMatchObject([{ audience: aud, subject: 'system:serviceaccount:default:app' }]);
    // 24h is configured; the provider gives ten minutes.
    expect(cacheDuration).toMatch(/^(10m0s|9m\d)/);
  });

  test('is the registry’s own in lanyard status, not that of another registry with the account', async () => {
    const { stdout } = await home.lanyard(['status', '--json']);
    const { registries } = JSON.parse(stdout) as { registries: { name: string; expiresAt: number | null }[] };
    const ends = Object.fromEntries(registries.map(({ name, expiresAt }) => [name, expiresAt !== null]));
    expect(ends).toEqual({ pods: true, plugin: false, hub: false, local: false });
  });

  test('is forgotten by a lock, and by a logout', async () => {
    const token = await mint();
    const first = await answer(`${aud}/app`, token);
    mustBeGood(await home.lanyard(['lock']));
    expect(await ask(`${aud}/app`, token)).toMatchObject({ code: 11, stdout: '' });
    mustBeGood(await unlock());
    const second = await answer(`${aud}/app`, token);
    expect(second.auth[aud].password).not.toBe(first.auth[aud].password);
    await home.lanyard(['logout', 'pods']);
    const third = await answer(`${aud}/app`, token);
    expect(third.auth[aud].password).not.toBe(second.auth[aud].password);
  });

  test('without a token is a refusal that says what to do, at both doors', async () => {
    const refused = await ask(`${aud}/app`);
    expect(refused).toMatchObject({ code: 13, stdout: '' });
    expect(refused.stderr).toMatch(/the request has none.*\n.*lanyard image config/);
    const { code, stdout } = await run(docker, ['get'], { env: home.env, input: aud });
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('lanyard image config'),
    });
  });
});

describe('a plugin', () => {
  test('gets the token, and the annotations that its account names', async () => {
    expect(await answer('plugin.example.com/app', 'sa-canary-1', { tenant: 't', other: 'o' })).toMatchObject({
      auth: { 'plugin.example.com': { username: 'u', password: 'plugin-canary' } },
    });
    expect(asked()).toMatchObject([
      {
        image: 'plugin.example.com/app',
        serviceAccountToken: 'sa-canary-1',
        serviceAccountAnnotations: { tenant: 't' },
      },
    ]);
    expect(asked()[0].serviceAccountAnnotations).toEqual({ tenant: 't' });
  });
});

describe('lanyard image get', () => {
  const file = () => home.write('sa-token', 'sa-canary-4\n');
  const words = ['image', 'get', 'plugin.example.com/app', '--service-account-token-file'];

  test('takes a token from a file, and annotations, at a terminal', async () => {
    const path = file();
    const terminal = startOnTerminal(
      builtHelper,
      [...words, path, '--service-account-annotation', 'tenant=x'],
      {
        env: home.env,
      },
    );
    await terminal.waitForText(/\[[^\]]*N\] ?/);
    terminal.send('y\r');
    const ended = await terminal.ended;
    expect(ended.code).toBe(0);
    expect(asked().at(-1)).toMatchObject({
      serviceAccountToken: 'sa-canary-4',
      serviceAccountAnnotations: { tenant: 'x' },
    });
  });

  test.each([
    ['no such file', ['/does/not/exist'], undefined, /there is no file/],
    ['an empty file', ['-'], ' ', /is empty/],
    ['two lines', ['-'], 'a\nb', /more than one line/],
    ['an annotation without a value', ['-', '--service-account-annotation', 'tenant'], 'x', /NAME=VALUE/],
  ])('%s is an error', async (_, more, input, line) => {
    const ended = await home.lanyard([...words, ...more], input === undefined ? {} : { input });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
  });
});

test('lanyard registry test takes a token, too', async () => {
  const without = await home.lanyard(['registry', 'test', 'local']);
  expect(without).toMatchObject({ code: 13, stderr: expect.stringContaining('the request has none') });
  const token = await mint();
  const words = ['registry', 'test', 'local', '--service-account-token-file', home.write('sa-token', token)];
  const before = exchange.records.length;
  expect((await home.lanyard(words)).stderr).not.toContain('the request has none');
  expect(exchange.records).toHaveLength(before + 1);
});

test('lanyard image config has a provider for each kind of token, and the helper its name', async () => {
  const printed = await home.lanyard(['image', 'config']);
  mustBeGood(printed);
  const read = readProviderConfig([{ path: 'c.yaml', bytes: Buffer.from(printed.stdout) }]);
  if (!read.ok) {
    throw new Error(read.message);
  }
  const shown = read.providers.map(({ name, matchImages, tokenAttributes }) => ({
    name,
    matchImages,
    tokenAttributes,
  }));
  expect(shown).toEqual([
    { name: 'lanyard-credential-provider', matchImages: ['docker.io'], tokenAttributes: null },
    {
      name: 'lanyard-credential-provider-2',
      matchImages: [aud, '127.0.0.1:9'],
      tokenAttributes: {
        audience: provider.issuer,
        cacheType: 'Token',
        isRequired: true,
        requiredAnnotationKeys: [],
        optionalAnnotationKeys: [],
      },
    },
    {
      name: 'lanyard-credential-provider-3',
      matchImages: ['plugin.example.com'],
      tokenAttributes: {
        audience: 'plugin',
        cacheType: 'ServiceAccount',
        isRequired: true,
        requiredAnnotationKeys: [],
        optionalAnnotationKeys: ['tenant'],
      },
    },
  ]);
  for (const { name } of shown) {
    expect(await answer('docker.io/library/nginx', undefined, undefined, name)).toMatchObject({
      auth: { 'docker.io': { username: 'robot' } },
    });
  }
});

test('no token is on record, in the log or on disk', async () => {
  const audit: Ended = await home.lanyard(['audit', '--json']);
  expect(audit.stdout).toContain('oidc.serviceAccount.none');
  logs = agent.log();
  await agent.stop();
  const files = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'));
  for (const text of [audit.stdout, logs, ...files]) {
    expect(text).not.toMatch(/sa-canary|eyJhbGciOiJIUzI1NiJ9/);
  }
});

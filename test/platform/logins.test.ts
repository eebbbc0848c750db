import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { fingerprint, type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { PlatformHome } from './platform-home.ts';

// Static and OpenID logins at a local provider, up to a local API server that takes the token.

const botToken = 'token-of-the-bot';
const home = new PlatformHome();
/** Without it a Linux has no browser to open. */
const display = { DISPLAY: ':99' };
/** What the account’s browser was to open, each address in its line. */
const opened = join(home.outside, 'opened');
let provider: OpenIdProvider;
let api: KubernetesApi;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const { issuer, jwksUri, clientId, caPem } = provider;
  api = await startKubernetesApi({
    oidc: { issuer, jwksUri, audience: clientId, caPem },
    staticTokens: { [botToken]: { name: 'bot', groups: [] } },
  });
  const noteAddress = home.write(
    'note-address.mjs',
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(opened)}, process.argv.at(-1) + '\\n');`,
  );
  const oidc = {
    issuer,
    clientId,
    scopes: ['openid', 'offline_access', 'email'],
    certificateAuthority: home.write('provider.pem', caPem ?? ''),
    browser: [process.execPath, noteAddress],
  };
  const cluster = { server: api.server, certificateAuthority: home.write('api.pem', api.caPem) };
  home.writeConfig({
    accounts: { bot: { staticToken: {} }, corp: { oidc } },
    clusters: { bot: { ...cluster, account: 'bot' }, corp: { ...cluster, account: 'corp' } },
  });
  await home.startAgent({ env: display });
});
afterAll(async () => {
  await home.dispose();
  await provider?.dispose();
  await api?.dispose();
});

/** As kubectl runs the helper. */
function ask(account: string) {
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: {
        server: api.server,
        'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
      },
    },
  };
  return home.lanyard(['kube-credential', '--account', account, '--cluster', account], {
    env: { KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
}

async function tokenOf(account: string): Promise<string> {
  const { code, stdout, stderr } = await ask(account);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout).status.token;
}

/** Whom the API server takes the bearer of this token for. */
function userOf(token: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const options = { ca: api.caPem, headers: { authorization: `Bearer ${token}` } };
    request(`${api.server}/api/v1/namespaces/default/pods`, options, (response) => {
      response.resume().once('end', () => resolve(api.requests.at(-1)?.user ?? null));
    })
      .once('error', reject)
      .end();
  });
}

async function logInByCode(): Promise<void> {
  const running = home.begin(['login', 'corp', '--device']);
  const [, code = ''] = await running.waitForLine(/enter the code (\S+)/, 60_000);
  await provider.person.approveDevice(code);
  expect(await running.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Logged in to corp as alice@example.com'),
  });
}

test('a static token is kept in the vault, and the API server takes it', async () => {
  expect((await ask('bot')).code).toBe(exitCodes.loginNeeded);
  const set = await home.lanyard(['secret', 'set', 'bot'], { input: botToken });
  expect([set.code, set.stderr]).toEqual([0, expect.any(String)]);
  expect(await userOf(await tokenOf('bot'))).toBe('bot');
});

test('without a login the helper says that one is needed', async () => {
  const { code, stdout, stderr } = await ask('corp');
  expect([code, stdout, stderr]).toEqual([
    exitCodes.loginNeeded,
    '',
    expect.stringContaining('lanyard login corp'),
  ]);
});

test('a login by a code, typed on another device', async () => {
  await logInByCode();
  expect(await userOf(await tokenOf('corp'))).toContain('alice');
});

test('a login in the browser, which comes back to this machine', async () => {
  const running = home.begin(['login', 'corp', '--browser']);
  // What has no end yet is being written.
  const address = await vi.waitFor(() => /^(.+)\n/.exec(readFileSync(opened, 'utf8'))?.[1] ?? expect.fail(), {
    timeout: 60_000,
  });
  const { status, html } = await provider.person.logInAt(address);
  expect([status, html]).toEqual([200, expect.stringContaining('You are logged in')]);
  expect(await running.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Logged in to corp as alice@example.com'),
  });
  expect(await userOf(await tokenOf('corp'))).toContain('alice');
});

test('a token that has ended is renewed without anybody, also by the next broker', async () => {
  const { idTokenSeconds } = provider.lifetimes;
  provider.lifetimes.idTokenSeconds = 1;
  await logInByCode();
  provider.lifetimes.idTokenSeconds = idTokenSeconds;
  await home.killBroker();
  await home.startAgent({ env: display });
  const renewed = await tokenOf('corp');
  expect(await userOf(renewed)).toContain('alice');
  expect(provider.refreshes.map(({ status }) => status)).toContain(200);
  expect(await tokenOf('corp')).toBe(renewed);
});

test('after a logout the provider knows its refresh token no more, and a login is needed again', async () => {
  const held = () => [...provider.issued].filter((token) => provider.knows(token)).map(fingerprint);
  const last = provider.refreshes.at(-1)?.issued;
  expect(held()).toContain(last);
  const { code, stderr } = await home.lanyard(['logout', 'corp']);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(held()).not.toContain(last);
  expect((await ask('corp')).code).toBe(exitCodes.loginNeeded);
});

import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DockerHelper, linkDockerHelper } from '../support/docker-helper.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';

/**
 * Standard token protocols beside logins (KEP-541/standard-protocols): token exchange (RFC 8693), client credentials, a
 * client's own key. A registry takes such accounts, too: their token is the password.
 */
let stage: Stage;
let audienceApi: KubernetesApi;
let kubeconfig: string;
let docker: DockerHelper;
const { newest } = findKubectls();
const audience = 'https://prod.example.com';
const ofRegistry = 'https://registry.example.com';
const apiVersion = 'client.authentication.k8s.io/v1';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  stage = await Stage.open({
    provider: {
      accessToken: 'jwt',
      exchangeAudiences: [audience, ofRegistry],
      clients: [
        {
          client_id: 'robot-with-key',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: 'ES256',
          jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
        },
      ],
    },
    extend: async (config, { provider, home, api }) => {
      const { issuer, jwksUri, caPem } = provider;
      audienceApi = await startKubernetesApi({ oidc: { issuer, jwksUri, audience, caPem } });
      const certificateAuthority = home.write('provider-own.pem', caPem ?? '');
      const robot = (clientId: string) => ({
        oidc: { issuer, clientId, flow: 'clientCredentials', token: 'access', certificateAuthority },
      });
      config.accounts['robot'] = robot(provider.confidentialClient.id);
      config.accounts['signer'] = robot('robot-with-key');
      const prod = config.clusters['prod'] as { certificateAuthority: string };
      config.clusters['exchanged'] = {
        server: audienceApi.server,
        certificateAuthority: home.write('audience-ca.pem', audienceApi.caPem),
        account: 'corp',
        audience,
      };
      config.clusters['robot-prod'] = { ...prod, server: api.server, account: 'robot' };
      config.clusters['signer-prod'] = { ...prod, server: api.server, account: 'signer' };
      const status = { token: 'of-the-plugin', expirationTimestamp: '2099-01-01T00:00:00Z' };
      const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
      const command = home.write(
        'plugin',
        `#!/bin/sh\necho run >> ${home.outside}/runs\ncat <<'END'\n${answer}\nEND\n`,
      );
      chmodSync(command, 0o755);
      config.accounts['plugin'] = { execPlugin: { apiVersion, command, interactiveMode: 'Never' } };
      const registry = (name: string, account: string, userName?: string, more = {}) => {
        return { matchImages: [`${name}.example.com`], account, userName, ...more };
      };
      config.registries = {
        login: registry('login', 'corp', 'oidc'),
        exchanged: registry('exchanged', 'corp', 'oidc', { audience: ofRegistry }),
        robot: registry('robot', 'robot', 'oauth2accesstoken'),
        plugin: registry('plugin', 'plugin', 'oauth2accesstoken'),
        identity: registry('identity', 'plugin'),
      };
    },
  });
  await stage.logIn('corp');
  kubeconfig = await stage.writeKubeconfig('v1');
  docker = linkDockerHelper(stage.home);
});
afterAll(async () => {
  await stage?.dispose();
  await audienceApi?.dispose();
});

const getPods = (context: string) => stage.kubectl(newest, kubeconfig, ['--context', context, 'get', 'pods']);

function askFor(cluster: string, account: string, api: KubernetesApi) {
  const info = stage.execInfo({
    cluster: {
      server: api.server,
      'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
    },
  });
  return stage.ask(account, info, { args: ['--cluster', cluster] });
}

test('KEP-541/standard-protocols: a cluster with its own audience gets a token that is valid there, and nowhere else', async () => {
  mustBeGood(await getPods('exchanged'));
  mustBeGood(await getPods('prod'));
  expect(audienceApi.requests.every(({ status }) => status !== 401)).toBe(true);
  const own = credentialIn(await askFor('prod', 'corp', stage.api)).token;
  const exchanged = credentialIn(await askFor('exchanged', 'corp', audienceApi)).token;
  expect(exchanged).not.toBe(own);
  expect(stage.provider.tokenExchange?.records).toMatchObject([{ audience, subject: 'alice' }]);
});

test('KEP-541/standard-protocols: a program’s own account gets its token with a secret, without a login', async () => {
  const without = await askFor('robot-prod', 'robot', stage.api);
  expect(without).toMatchObject({
    code: 14,
    stderr: expect.stringContaining('lanyard secret set robot/clientSecret'),
  });
  const { secret } = stage.provider.confidentialClient;
  mustBeGood(await stage.lanyard(['secret', 'set', 'robot/clientSecret'], { input: secret }));
  mustBeGood(await getPods('robot-prod'));
  expect(stage.api.requests.at(-1)).toMatchObject({ via: 'token', status: 200 });
  const asked = stage.provider.counts.tokenRequests.client_credentials;
  mustBeGood(await getPods('robot-prod'));
  expect(stage.provider.counts.tokenRequests.client_credentials).toBe(asked);
});

test('KEP-541/standard-protocols: … or with a key (private_key_jwt), which never leaves the vault', async () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  mustBeGood(await stage.lanyard(['secret', 'set', 'signer/clientKey'], { input: pem }));
  mustBeGood(await getPods('signer-prod'));
  const form = stage.provider.lastRequest('token')?.form ?? {};
  expect(form['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
  expect(JSON.stringify(form)).not.toContain(pem.slice(30, 60));
  const status = await stage.status();
  expect(status.accounts.find(({ name }: { name: string }) => name === 'signer')).toMatchObject({
    state: 'ready',
    subject: 'robot-with-key',
  });
});

describe('a registry', () => {
  const kubelet = (host: string) =>
    run(join(stage.home.path, 'bin/lanyard-credential-provider'), [], {
      env: stage.home.env,
      input: JSON.stringify({
        kind: 'CredentialProviderRequest',
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        image: `${host}/app`,
      }),
    });

  async function loginOf(host: string) {
    const ended = await docker.call('get', host);
    mustBeGood(ended);
    return JSON.parse(ended.stdout);
  }

  test('of a login: docker is told to log in, and then gets the token', async () => {
    await stage.lanyard(['logout', 'corp']);
    expect(await docker.call('get', 'login.example.com')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^lanyard: .*lanyard login corp.*\n$/),
    });
    expect((await kubelet('login.example.com')).code).not.toBe(0);
    await stage.logIn();
    const { Username, Secret } = await loginOf('login.example.com');
    expect([Username, decodeJwt(Secret).iss]).toEqual(['oidc', stage.provider.issuer]);
    const { stdout } = await kubelet('login.example.com');
    expect(JSON.parse(stdout).auth).toEqual({
      'login.example.com': { username: 'oidc', password: Secret },
    });
  });

  test('with its own audience gets a token that is exchanged for it', async () => {
    const { Secret } = await loginOf('exchanged.example.com');
    expect([decodeJwt(Secret).aud].flat()).toEqual([ofRegistry]);
  });

  test('of a program’s own account, without a login', async () => {
    const { Username, Secret } = await loginOf('robot.example.com');
    const { id } = stage.provider.confidentialClient;
    expect([Username, decodeJwt(Secret).client_id]).toEqual(['oauth2accesstoken', id]);
  });

  test('of an exec plugin, which runs once; without a user name its token is an identity token', async () => {
    const own = { Username: 'oauth2accesstoken', Secret: 'of-the-plugin' };
    expect(await loginOf('plugin.example.com')).toMatchObject(own);
    expect(JSON.parse((await kubelet('plugin.example.com')).stdout).auth).toEqual({
      'plugin.example.com': { username: own.Username, password: own.Secret },
    });
    expect(await loginOf('identity.example.com')).toMatchObject({ ...own, Username: '<token>' });
    expect(await kubelet('identity.example.com')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/identity token.*\n.*set userName for the registry identity/),
    });
    expect(readFileSync(join(stage.home.outside, 'runs'), 'utf8')).toBe('run\n');
  });
});

/** An administrator ends it, or disables the user, or it was idle for too long. */
test('a session that the provider ends: clients, status and doctor say why, after a restart, until the next login', async () => {
  const reason = 'the provider ended the session of corp';
  const ask = async () => (await stage.ask('corp')).stderr.replaceAll(/\s+/g, ' ');
  stage.provider.lifetimes.idTokenSeconds = 2;
  await stage.logIn();
  expect((await stage.ask('corp')).code).toBe(0);
  stage.provider.setFault('token', {
    kind: 'oauthError',
    error: 'invalid_grant',
    description: 'Session not active',
  });
  const refused = await until(async () => {
    const done = await stage.ask('corp');
    return done.code === 0 ? null : done;
  }, 'the end of the session');
  expect(refused).toMatchObject({ code: 15, stdout: '' });

  for (const round of ['the same broker', 'another broker']) {
    if (round === 'another broker') {
      await stage.startAgent();
    }
    const told = await ask();
    expect(told, round).toContain(reason);
    expect(told, round).toContain('invalid_grant: Session not active');
    expect(told, round).toContain('lanyard login corp');
    expect(told, round).not.toContain('offline_access');
    const { accounts } = await stage.status();
    expect(accounts).toContainEqual(
      expect.objectContaining({
        name: 'corp',
        state: 'loginNeeded',
        problem: expect.stringContaining(reason),
      }),
    );
    const doctor = await stage.lanyard(['doctor', '--json']);
    const about = JSON.parse(doctor.stdout).findings.filter(
      (each: { check: string; subject: string }) => each.check === 'account.login' && each.subject === 'corp',
    );
    expect(about).toMatchObject([
      { message: expect.stringContaining('Session not active'), hint: 'lanyard login corp' },
    ]);
  }

  stage.provider.clearFaults();
  await stage.logIn();
  expect((await stage.ask('corp')).code).toBe(0);
  const { accounts } = await stage.status();
  expect(accounts.find(({ name }: { name: string }) => name === 'corp').problem).toBeNull();
});

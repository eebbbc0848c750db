import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';

/**
 * Standard token protocols beside logins (KEP-541/standard-protocols): token exchange (RFC 8693), client credentials, a
 * client's own key.
 */
let stage: Stage;
let audienceApi: KubernetesApi;
let kubeconfig: string;
const { newest } = findKubectls();
const audience = 'https://prod.example.com';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  stage = await Stage.open({
    provider: {
      accessToken: 'jwt',
      exchangeAudiences: [audience],
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
    },
  });
  await stage.logIn('corp');
  kubeconfig = await stage.writeKubeconfig('v1');
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

test('KEP-541/standard-protocols: a logout takes the exchanged token away, too', async () => {
  await stage.lanyard(['logout', 'corp']);
  expect(await askFor('exchanged', 'corp', audienceApi)).toMatchObject({ code: 15, stdout: '' });
  await stage.logIn('corp');
  mustBeGood(await getPods('exchanged'));
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

import { Agent, fetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { createCa, createIntermediateCa, issueClientCertificate, largeCaBundle } from './certificates.ts';
import { makeHome } from './home.ts';
import { type KubeconfigCluster, type KubeconfigUser, kubeconfigText } from './kubeconfig.ts';
import { findKubectls, runKubectl } from './kubectl.ts';
import { type KubernetesApiOptions, startKubernetesApi } from './kubernetes-api.ts';
import { createRelyingParty } from './openid/relying-party.ts';
import { fingerprint, startOpenIdProvider } from './openid-provider.ts';

const pods = ['get', 'pods'];
const { oldest, newest } = findKubectls();
/** `auth whoami` is in kubectl from 1.28 on. */
const knowsWhoami = Number(newest.version.split('.')[1]) >= 28;
const bot = { name: 'bot', groups: ['robots'] };

describe.each([...new Set([oldest, newest])])(
  'the Kubernetes API of the tests, with kubectl $version',
  (kubectl) => {
    let opened: Disposables;
    beforeEach(() => {
      opened = new Disposables();
    });
    afterEach(() => opened.dispose());

    async function setUp(options: KubernetesApiOptions) {
      const home = opened.add(makeHome());
      const api = opened.add(await startKubernetesApi(options));
      const call = (
        user: KubeconfigUser,
        args: readonly string[],
        cluster: Partial<KubeconfigCluster> = {},
      ) => {
        const text = kubeconfigText({ server: api.server, caPem: api.caPem, ...cluster }, user);
        return runKubectl(kubectl, home.write('kubeconfig', text), args, { env: home.env });
      };
      return { api, call };
    }

    it('lists pods for a static token, as columns and as JSON', async () => {
      const { api, call } = await setUp({ staticTokens: { 'static-token': bot } });
      const listed = await call({ token: 'static-token' }, pods);
      expect(listed).toMatchObject({ code: 0, stderr: '' });
      expect(listed.stdout).toMatch(/^NAME +READY +STATUS/);
      expect(listed.stdout).toContain('web-0');
      const json = await call({ token: 'static-token' }, [...pods, '-o', 'json']);
      expect(JSON.parse(json.stdout).items).toHaveLength(3);
      expect(await call({ token: 'static-token' }, ['version'])).toMatchObject({ code: 0 });
      expect(api.requests.at(-1)).toMatchObject({
        path: '/version',
        user: 'bot',
        via: 'token',
        status: 200,
        token: fingerprint('static-token'),
      });
      expect(JSON.stringify(api.requests)).not.toContain('static-token');
    });

    it('takes a client certificate, with its intermediate, of the right CA alone and in its time', async () => {
      const ca = await createCa('clients');
      const { api, call } = await setUp({ clientCa: ca });
      const who = { commonName: 'carol', organizations: ['dev', 'ops'] };
      const intermediate = await createIntermediateCa(ca, 'between');
      const good = await issueClientCertificate(ca, { ...who, intermediate });
      const show = ({ chainPem, keyPem }: typeof good) => call({ certificatePem: chainPem, keyPem }, pods);
      expect(await show(good)).toMatchObject({ code: 0 });
      expect(api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate', token: null });
      expect(api.requests.at(-1)?.groups).toEqual(['dev', 'ops', 'system:authenticated']);

      const long = new Date(Date.now() - 60_000);
      const ended = await issueClientCertificate(ca, { ...who, notBefore: new Date(0), notAfter: long });
      const foreign = await issueClientCertificate(await createCa('others'), who);
      for (const bad of [ended, foreign]) {
        expect(await show(bad)).toMatchObject({ code: 1 });
        expect(api.requests.at(-1)).toMatchObject({ user: null, via: 'certificate', status: 401 });
      }
    });

    it('takes an id token of its provider while it lives', async () => {
      const provider = opened.add(await startOpenIdProvider());
      const party = opened.add(createRelyingParty(provider));
      const { issuer, jwksUri, clientId: audience, caPem } = provider;
      const { api, call } = await setUp({ oidc: { issuer, jwksUri, audience, caPem } });
      const { idToken, refreshToken } = await party.logIn();
      expect(await call({ token: idToken }, pods)).toMatchObject({ code: 0 });
      expect(api.requests.at(-1)).toMatchObject({ user: 'alice@example.com', via: 'token' });
      expect(api.requests.at(-1)?.groups).toContain('developers');

      await provider.rotateKeys();
      provider.lifetimes.idTokenSeconds = 1;
      // Another client: openid-client keeps the keys it knows for a while.
      const brief = await opened.add(createRelyingParty(provider)).refresh(refreshToken);
      await expect.poll(() => Date.now() / 1000).toBeGreaterThan(Number(brief.claims['exp']));
      expect(await call({ token: brief.idToken }, pods)).toMatchObject({ code: 1 });
      expect(api.requests.at(-1)?.why).toContain('"exp"');
    });

    it('rejects on request', async () => {
      const { api, call } = await setUp({ staticTokens: { one: bot, two: bot } });
      api.rejectTokens('one');
      const refused = await call({ token: 'one' }, pods);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/Unauthorized|provide credentials/);
      expect(await call({ token: 'two' }, pods)).toMatchObject({ code: 0 });
      api.rejectAll(true);
      expect(await call({ token: 'two' }, pods)).toMatchObject({ code: 1 });
      api.acceptAll();
      expect(await call({ token: 'one' }, pods)).toMatchObject({ code: 0 });
    });

    it('is reached through a large bundle, and under another name', async () => {
      const ca = await createCa('cluster');
      const { api, call } = await setUp({ ca, hosts: ['api.example.com'], staticTokens: { one: bot } });
      const caPem = await largeCaBundle(ca, 90 * 1024);
      expect(await call({ token: 'one' }, pods)).toMatchObject({ code: 1 });
      expect(api.requests).toEqual([]);
      const named = { caPem, tlsServerName: 'api.example.com' };
      expect(await call({ token: 'one' }, pods, named)).toMatchObject({ code: 0 });
    });
  },
);

describe('the Kubernetes API of the tests', () => {
  it.skipIf(!knowsWhoami)('tells a newer kubectl who it is', async () => {
    const home = makeHome();
    const api = await startKubernetesApi({ staticTokens: { one: bot } });
    try {
      const text = kubeconfigText({ server: api.server, caPem: api.caPem }, { token: 'one' });
      const file = home.write('kubeconfig', text);
      const asked = await runKubectl(newest, file, ['auth', 'whoami'], { env: home.env });
      expect(api.requests.some((request) => request.path.endsWith('/selfsubjectreviews'))).toBe(true);
      expect(asked.stdout).toContain('robots');
    } finally {
      await api.dispose();
      home.dispose();
    }
  });

  it('knows no user without a credential, and says so as Kubernetes does', async () => {
    const api = await startKubernetesApi();
    const agent = new Agent({ connect: { ca: api.caPem } });
    try {
      const response = await fetch(`${api.server}/version`, { dispatcher: agent });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
      expect(api.requests).toMatchObject([{ via: 'none', why: 'no credential', user: null }]);
    } finally {
      await agent.destroy();
      await api.dispose();
    }
  });
});

import { Agent, fetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { createCa, createIntermediateCa, issueClientCertificate } from './certificates.ts';
import { type KubernetesApi, type KubernetesApiOptions, startKubernetesApi } from './kubernetes-api.ts';
import { createRelyingParty } from './openid/relying-party.ts';
import { startOpenIdProvider } from './openid-provider.ts';

/** What it denies: a server that took any credential would let the product’s tests pass. */
describe('the Kubernetes API of the tests', () => {
  let opened: Disposables;
  beforeEach(() => {
    opened = new Disposables();
  });
  afterEach(() => opened.dispose());

  const setUp = async (options: KubernetesApiOptions) => opened.add(await startKubernetesApi(options));

  async function ask(
    api: KubernetesApi,
    { token, ...certificate }: { token?: string; cert?: string; key?: string } = {},
  ) {
    const agent = new Agent({ connect: { ca: api.caPem, ...certificate } });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(`${api.server}/version`, { dispatcher: agent, headers });
      return { status: response.status, body: await response.json() };
    } finally {
      await agent.destroy();
    }
  }

  it('knows no user without a credential, or by another token, and says so as Kubernetes does', async () => {
    const api = await setUp({ staticTokens: { 'static-token': { name: 'bot', groups: [] } } });
    const refused = { status: 401, body: { kind: 'Status', reason: 'Unauthorized', code: 401 } };
    expect(await ask(api)).toMatchObject(refused);
    expect(await ask(api, { token: 'another' })).toMatchObject(refused);
    expect(await ask(api, { token: 'static-token' })).toMatchObject({ status: 200 });
    expect(api.requests).toMatchObject([
      { via: 'none', why: 'no credential', user: null },
      { via: 'token', user: null },
      { via: 'token', user: 'bot' },
    ]);
    expect(JSON.stringify(api.requests)).not.toContain('static-token');
  });

  it('takes a client certificate, with its intermediate, of the right CA alone and in its time', async () => {
    const ca = await createCa('clients');
    const api = await setUp({ clientCa: ca });
    const who = { commonName: 'carol', organizations: ['dev', 'ops'] };
    const intermediate = await createIntermediateCa(ca, 'between');
    const good = await issueClientCertificate(ca, { ...who, intermediate });
    const show = ({ chainPem, keyPem }: typeof good) => ask(api, { cert: chainPem, key: keyPem });
    expect(await show(good)).toMatchObject({ status: 200 });
    expect(api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate', token: null });
    expect(api.requests.at(-1)?.groups).toEqual(['dev', 'ops', 'system:authenticated']);

    const past = { notBefore: new Date(0), notAfter: new Date(Date.now() - 60_000) };
    const ended = await issueClientCertificate(ca, { ...who, ...past });
    const foreign = await issueClientCertificate(await createCa('others'), who);
    for (const bad of [ended, foreign]) {
      expect(await show(bad)).toMatchObject({ status: 401 });
      expect(api.requests.at(-1)).toMatchObject({ user: null, via: 'certificate' });
    }
  });

  it('takes an id token of its provider while it lives', async () => {
    const provider = opened.add(await startOpenIdProvider({ algorithm: 'ES256' }));
    const party = opened.add(createRelyingParty(provider));
    const { issuer, jwksUri, clientId: audience, caPem } = provider;
    const api = await setUp({ oidc: { issuer, jwksUri, audience, caPem } });
    const { idToken, refreshToken } = await party.logIn();
    expect(await ask(api, { token: idToken })).toMatchObject({ status: 200 });
    expect(api.requests.at(-1)).toMatchObject({ user: 'alice@example.com', via: 'token' });
    expect(api.requests.at(-1)?.groups).toContain('developers');

    provider.lifetimes.idTokenSeconds = 1;
    const brief = await party.refresh(refreshToken);
    await expect.poll(() => Date.now() / 1000).toBeGreaterThan(Number(brief.claims['exp']));
    expect(await ask(api, { token: brief.idToken })).toMatchObject({ status: 401 });
    expect(api.requests.at(-1)?.why).toContain('"exp"');
  });
});

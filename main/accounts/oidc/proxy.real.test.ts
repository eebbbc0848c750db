import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../../../test/support/certificates.ts';
import { type ProxyFault, startConnectProxy } from '../../../test/support/connect-proxy.ts';
import { providerForFile } from '../../../test/support/openid/for-file.ts';
import { createFetch, defaultHttpLimits } from '../../platform/network/bounded-fetch.ts';
import { chooseProxy } from '../../platform/network/choose-proxy.ts';

const { provider, open: openBench } = await providerForFile();
const proxy = await startConnectProxy();
afterAll(() => proxy.dispose());
beforeEach(() => {
  proxy.fault = { kind: 'none' };
});

const host = () => new URL(provider.issuer).host;
const open = (limits = { ...defaultHttpLimits }, proxyUrl = proxy.url) =>
  openBench({ config: { proxyUrl }, limits });

test('login and renewal go through the account’s proxy, and nothing passes it by', async () => {
  const bench = open();
  expect((await bench.login()).ok).toBe(true);
  expect((await bench.renew()).ok).toBe(true);
  // The requests of the user’s browser aren’t the client’s.
  const { discovery, jwks, device_authorization, token } = provider.counts.requests;
  expect(proxy.opened).toBe(discovery + jwks + device_authorization + token);
  expect(new Set(proxy.targets)).toEqual(new Set([host()]));
  await expect.poll(() => proxy.connections()).toBe(0);
});

describe('a proxy that fails is told apart from the provider, and nothing was sent', () => {
  test.each<[ProxyFault, string, string]>([
    [{ kind: 'status', status: 407 }, 'oidc.proxy.login', 'the proxy PROXY wants another login (407)'],
    [{ kind: 'status', status: 502 }, 'oidc.proxy.refused', 'the proxy PROXY answered with HTTP status 502'],
    [{ kind: 'status', status: 403 }, 'oidc.proxy.refused', 'the proxy PROXY answered with HTTP status 403'],
    [{ kind: 'hangUp' }, 'oidc.proxy.unreachable', 'the proxy PROXY can’t be, either'],
    [{ kind: 'endless' }, 'oidc.proxy.unreachable', 'the proxy PROXY can’t be, either'],
    [{ kind: 'silent' }, 'oidc.proxy.timeout', 'the proxy PROXY did not open a connection in time'],
  ])('%j', async (fault, code, message) => {
    const limits = { ...defaultHttpLimits };
    const bench = open(limits);
    await bench.login();
    const before = bench.session();
    const asked = provider.counts.requests.token;
    proxy.fault = fault;
    limits.connectMilliseconds = fault.kind === 'silent' ? 300 : limits.connectMilliseconds;
    expect(await bench.renew()).toMatchObject({
      ok: false,
      reason: 'provider',
      code,
      message: `${host()} can’t be reached: ${message.replace('PROXY', proxy.host)}`,
    });
    expect(bench.session()).toEqual(before);
    expect(provider.counts.requests.token).toBe(asked);
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  test('a tunnel that lets nothing through is the provider’s silence, within the connection’s limit', async () => {
    const limits = { ...defaultHttpLimits };
    const bench = open(limits);
    await bench.login();
    const before = bench.session();
    proxy.fault = { kind: 'stall' };
    limits.connectMilliseconds = 300;
    expect(await bench.renew()).toMatchObject({ code: 'oidc.timeout' });
    expect(bench.session()).toEqual(before);
  });

  test('one that isn’t there', async () => {
    const gone = await startConnectProxy();
    await gone.dispose();
    expect(await open(undefined, gone.url).login()).toMatchObject({ code: 'oidc.proxy.unreachable' });
  });

  test('a proxy that can’t reach the provider', async () => {
    const bench = open();
    await bench.login();
    await provider.stopListening();
    try {
      expect(await bench.renew()).toMatchObject({ code: 'oidc.proxy.refused' });
      expect(bench.session().intent).toBeNull();
    } finally {
      await provider.resumeListening();
    }
  });
});

test('an answer that breaks off behind the tunnel leaves the intent open', async () => {
  const bench = open();
  await bench.login();
  provider.setFault('token', { kind: 'truncated' });
  expect(await bench.renew()).toMatchObject({ code: 'oidc.token.broken' });
  expect(bench.session().intent).not.toBeNull();
});

test('a cancel while the proxy is silent ends at once and leaves no connection', async () => {
  proxy.fault = { kind: 'silent' };
  const abort = new AbortController();
  const bench = open();
  const before = proxy.targets.length;
  const login = bench.account.login(
    { showBrowserPage: () => undefined, showDeviceCode: () => undefined },
    { flow: null, atThisMachine: true },
    abort.signal,
  );
  await expect.poll(() => proxy.targets.length).toBe(before + 1);
  abort.abort();
  expect(await login).toMatchObject({ code: 'oidc.cancelled' });
});

describe('the environment’s proxy', () => {
  const name = 'id.example.com';
  test('with its login, to a name that only the proxy knows; the CA counts behind the tunnel alone', async () => {
    const ca = await createCa('Provider CA');
    const { keyPem, chainPem } = await issueServerCertificate(ca, [name]);
    const seen: (string | undefined)[] = [];
    const server = createServer({ key: keyPem, cert: chainPem }, (request, response) => {
      seen.push(request.headers['proxy-authorization'], request.headers.host);
      response.end('{}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const login = { user: 'user', password: 'p@ss-canary' };
    const other = await startConnectProxy({ login, routes: { [`${name}:443`]: port } });
    const fetchVia = (address: string, authority: string | null = ca.certificatePem) =>
      createFetch({
        certificateAuthorityPem: authority,
        loopbackHttp: false,
        limits: defaultHttpLimits,
        proxy: (url) => chooseProxy(url, undefined, { HTTPS_PROXY: address }),
      })(`https://${name}/token`, { method: 'POST', headers: {}, body: 'x' });
    try {
      const good = `http://user:p%40ss-canary@${other.host}`;
      expect((await fetchVia(good)).status).toBe(200);
      expect(seen).toEqual([undefined, name]);
      await expect(fetchVia(good, null)).rejects.toMatchObject({ kind: 'unknownAuthority', sent: false });
      const refused = await fetchVia(`http://user:wrong-canary@${other.host}`).catch((error) => error);
      expect(refused).toMatchObject({ kind: 'proxyLogin', sent: false, proxy: other.host });
      expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain('canary');
    } finally {
      await other.dispose();
      server.close();
      server.closeAllConnections();
    }
  });

  test('one that can’t be used is said, and not passed by', async () => {
    const bench = openBench({
      config: { issuer: `https://${name}` },
      environment: { ALL_PROXY: 'socks5://user:canary@socks.corp:1080' },
    });
    const outcome = await bench.login();
    expect(outcome).toMatchObject({
      code: 'oidc.proxy.unusable',
      message: `${name} can’t be reached: Lanyard can’t use the proxy socks.corp:1080`,
    });
    expect(JSON.stringify([outcome, bench.log.lines])).not.toContain('canary');
  });
});

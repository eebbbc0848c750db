import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueServerCertificate,
} from '../../test/support/certificates.ts';
import { type ConnectProxy, startConnectProxy } from '../../test/support/connect-proxy.ts';
import { Secret } from '../base/secret.ts';
import { createFetch, type HttpOptions } from '../platform/network/bounded-fetch.ts';
import { askRegistry } from './ask-registry.ts';

const host = 'registry.example.com';
const credential = { userName: 'robot', password: new Secret('canary-password') };
const basic = `Basic ${Buffer.from('robot:canary-password').toString('base64')}`;

/** (rule: realm-trust) */
// Node 22 doesn’t have what holds its parts.
describe.skipIf(!('AsyncDisposableStack' in globalThis))('over TLS, through a proxy', () => {
  let stack: AsyncDisposableStack;
  let header = '';
  let proxy: ConnectProxy;
  let authority: CertificateAuthority;
  const seen: string[] = [];

  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    authority = await createCa('CA of the registry');
    const names = [host, 'auth.example.com'];
    const { chainPem, keyPem } = await issueServerCertificate(authority, names);
    const server = createServer({ cert: chainPem, key: keyPem }, (request, response) => {
      seen.push(`${request.headers.host}${request.url} ${request.headers.authorization ?? 'none'}`);
      if (request.url?.startsWith('/token')) {
        response.end('{"token":"a-token"}');
        return;
      }
      const isAccepted = request.headers.authorization === 'Bearer a-token';
      response.writeHead(isAccepted ? 200 : 401, { 'www-authenticate': header }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stack.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const routes = Object.fromEntries(names.map((name) => [`${name}:443`, port]));
    proxy = stack.adopt(await startConnectProxy({ routes }), (each) => each.dispose());
  });
  afterAll(() => stack.disposeAsync());

  async function through(
    tokenServers: string[],
    certificateAuthorityPem: string | null = authority.certificatePem,
  ) {
    seen.length = 0;
    const deps = {
      environment: { HTTPS_PROXY: proxy.url },
      createFetch: (options: HttpOptions) => createFetch({ ...options, certificateAuthorityPem }),
    };
    return askRegistry({ host, image: null, credential, tokenServers }, deps, new AbortController().signal);
  }

  test('an approved token server gets the credential, and the registry its token alone', async () => {
    header = 'Bearer realm="https://auth.example.com/token"';
    expect(await through(['auth.example.com'])).toMatchObject({
      kind: 'accepted',
      tokenServer: 'auth.example.com',
    });
    expect(seen).toEqual([
      `${host}/v2/ none`,
      `auth.example.com/token?account=robot ${basic}`,
      `${host}/v2/ Bearer a-token`,
    ]);
  });

  test.each([
    'https://auth.example.com/',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'http://auth.example.com/',
  ])('the proxy is not even asked for %s', async (realm) => {
    header = `Bearer realm="${realm}"`;
    const before = proxy.targets.length;
    expect(await through([])).toMatchObject({ kind: 'untrusted' });
    expect(proxy.targets.slice(before)).toEqual([`${host}:443`]);
  });

  test('nothing is asked of a registry whose certificate is not trusted', async () => {
    expect(await through([], null)).toMatchObject({
      kind: 'unreachable',
      failure: { kind: 'unknownAuthority' },
    });
    expect(seen).toEqual([]);
  });
});

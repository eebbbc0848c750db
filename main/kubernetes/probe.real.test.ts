import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../test/support/certificates.ts';
import { startConnectProxy } from '../../test/support/connect-proxy.ts';
import { type KubernetesApi, startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Credential } from '../ports/account.ts';
import { createClusterProbe } from './probe.ts';

const probe = createClusterProbe({});
const noSignal = new AbortController().signal;

let clientCa: CertificateAuthority;
let certificate: IssuedCertificate;
let api: KubernetesApi;

function cluster(more: object = {}, pem: string | null = api.caPem): LoadedCluster {
  const config = clusterSchema.parse({ server: api.server, account: 'corp', ...more });
  return { name: 'prod', config, certificateAuthorityPem: pem };
}

function token(value: string): Credential {
  return { token: new Secret(value), certificate: null, issuedAt: null, expiresAt: null };
}

beforeAll(async () => {
  clientCa = await createCa('clients');
  certificate = await issueClientCertificate(clientCa, { commonName: 'alice' });
  api = await startKubernetesApi({ clientCa, staticTokens: { good: { name: 'alice', groups: [] } } });
});
afterAll(() => api?.dispose());

describe('asking a cluster whether it takes a credential', () => {
  it.each([
    ['a token it knows', 'good', 'accepted'],
    ['a token it does not know', 'bad', 'rejected'],
  ] as const)('%s', async (_, value, verdict) => {
    expect(await probe(clusterTarget(cluster()), token(value), noSignal)).toBe(verdict);
  });

  /** What a server of the test’s own is taken for. */
  async function probeAt(server: Server, value: string, path = '') {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const at = cluster({ server: `http://127.0.0.1:${port}${path}` }, null);
      return await probe(clusterTarget(at), token(value), noSignal);
    } finally {
      server.close();
    }
  }

  it('a client certificate, too', async () => {
    const own = {
      token: null,
      certificate: { chainPem: certificate.certificatePem, keyPem: new Secret(certificate.keyPem) },
      issuedAt: null,
      expiresAt: null,
    };
    expect(await probe(clusterTarget(cluster()), own, noSignal)).toBe('accepted');
    expect(api.requests.at(-1)).toMatchObject({
      via: 'certificate',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    });
  });

  it('goes through the cluster’s own proxy, with TLS to the cluster itself', async () => {
    const proxy = await startConnectProxy();
    try {
      const at = cluster({ proxyUrl: proxy.url });
      expect(await probe(clusterTarget(at), token('good'), noSignal)).toBe('accepted');
      expect(await probe(clusterTarget(at), token('bad'), noSignal)).toBe('rejected');
      expect(proxy.targets).toEqual([new URL(api.server).host, new URL(api.server).host]);
      const unchecked = cluster({ proxyUrl: proxy.url }, null);
      expect(await probe(clusterTarget(unchecked), token('good'), noSignal)).toBe('unknown');
      await expect.poll(() => proxy.connections()).toBe(0);
    } finally {
      await proxy.dispose();
    }
  });

  it.each([
    [200, 'accepted'],
    [403, 'accepted'],
    [404, 'accepted'],
    [401, 'rejected'],
    [302, 'unknown'],
    [429, 'unknown'],
    [500, 'unknown'],
  ] as const)('takes status %s for: %s', async (status, verdict) => {
    let elsewhere = 0;
    const server = createServer((request, response) => {
      elsewhere += request.url === '/elsewhere' ? 1 : 0;
      response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(100_000));
    });
    expect(await probeAt(server, 'good', '/base/')).toBe(verdict);
    expect(elsewhere).toBe(0);
  });

  it('isn’t deceived by a proxy that shows its version to everybody', async () => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/version' ? 200 : 401).end('{}'),
    );
    expect(await probeAt(server, 'bad')).toBe('rejected');
  });

  // Node closes such a connection without an "error" or "response" event.
  it('tells nothing of a server that wants to speak something else, and waits for nothing', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      );
    });
    expect(await probeAt(server, 'good')).toBe('unknown');
  });

  it('ends at once when no caller waits any more', async () => {
    api.delayAnswers(600_000);
    try {
      const gone = new AbortController();
      const verdict = probe(clusterTarget(cluster()), token('good'), gone.signal);
      await expect.poll(() => api.requests.length).toBeGreaterThanOrEqual(0);
      gone.abort();
      expect(await verdict).toBe('unknown');
    } finally {
      api.delayAnswers(0);
    }
  });
});

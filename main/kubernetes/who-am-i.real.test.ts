import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueClientCertificate,
} from '../../test/support/certificates.ts';
import { startConnectProxy } from '../../test/support/connect-proxy.ts';
import { type KubernetesApi, type Reviews, startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { Credential } from '../ports/account.ts';
import { reachCluster, whoAmI } from './who-am-i.ts';

const signal = new AbortController().signal;
const staticTokens = { good: { name: 'alice', groups: ['developers'] } };

let clientCa: CertificateAuthority;
let api: KubernetesApi;

function clusterAt(of: KubernetesApi, more: object = {}, pem: string | null = of.caPem): LoadedCluster {
  const config = clusterSchema.parse({ server: of.server, account: 'corp', ...more });
  return { name: 'prod', config, certificateAuthorityPem: pem };
}

function token(value: string): Credential {
  return { token: new Secret(value), certificate: null, issuedAt: null, expiresAt: null };
}

beforeAll(async () => {
  clientCa = await createCa('clients');
  api = await startKubernetesApi({ clientCa, staticTokens });
});
afterAll(() => api?.dispose());

describe('as whom a cluster sees the holder of a credential', () => {
  it.each<[Reviews, number]>([
    ['v1', 1],
    ['v1beta1', 2],
    ['v1alpha1', 3],
  ])('by SelfSubjectReview %s', async (reviews, requests) => {
    const of = await startKubernetesApi({ staticTokens, reviews });
    try {
      const seen = await whoAmI(clusterAt(of), token('good'), {}, signal);
      const alice = { userName: 'alice', groups: ['developers'], uid: null, extra: [] };
      expect(seen).toEqual({ kind: 'known', ...alice });
      expect(of.requests).toHaveLength(requests);
    } finally {
      await of.dispose();
    }
  });

  it.each<[Reviews, number]>([
    ['none', 404],
    ['forbidden', 403],
  ])('is not told where reviews are: %s', async (reviews, status) => {
    const of = await startKubernetesApi({ staticTokens, reviews });
    try {
      expect(await whoAmI(clusterAt(of), token('good'), {}, signal)).toEqual({ kind: 'untold', status });
    } finally {
      await of.dispose();
    }
  });

  it('by a client certificate', async () => {
    const issued = await issueClientCertificate(clientCa, { commonName: 'olga' });
    const certificate = { chainPem: issued.chainPem, keyPem: new Secret(issued.keyPem) };
    const credential = { token: null, certificate, issuedAt: null, expiresAt: null };
    expect(await whoAmI(clusterAt(api), credential, {}, signal)).toMatchObject({ userName: 'olga' });
  });

  it('is rejected with a token that it does not know', async () => {
    expect(await whoAmI(clusterAt(api), token('bad'), {}, signal)).toEqual({ kind: 'rejected' });
  });

  it('through the cluster’s proxy', async () => {
    const proxy = await startConnectProxy();
    try {
      const seen = await whoAmI(clusterAt(api, { proxyUrl: proxy.url }), token('good'), {}, signal);
      expect(seen).toMatchObject({ kind: 'known' });
      expect(proxy.targets).toHaveLength(1);
    } finally {
      await proxy.dispose();
    }
  });

  it.each<[string, object, string | null | undefined, string]>([
    ['a CA that is not its own', {}, null, 'unknownAuthority'],
    ['another name', { tlsServerName: 'other.example.com' }, undefined, 'wrongHostName'],
    ['nothing that listens', { server: 'https://127.0.0.1:1' }, undefined, 'connectionRefused'],
    ['a name that is none', { server: 'https://no-such-host.invalid' }, undefined, 'unknownHost'],
    ['a proxy that is away', { proxyUrl: 'http://127.0.0.1:1' }, undefined, 'proxyUnreachable'],
    ['a proxy for kubectl alone', { proxyUrl: 'socks5://127.0.0.1:1' }, undefined, 'proxyUnusable'],
  ])('can’t be asked, with %s, and the token never leaves', async (_, more, pem, kind) => {
    api.forgetRequests();
    const cluster = clusterAt(api, more, pem === undefined ? api.caPem : pem);
    const seen = await whoAmI(cluster, token('good'), {}, signal);
    expect(seen).toMatchObject({ kind: 'unreachable', failure: { kind } });
    expect(await reachCluster(cluster, {}, signal)).toMatchObject({ kind });
    expect(api.requests).toEqual([]);
  });

  it('reaching it alone shows no credential', async () => {
    api.forgetRequests();
    expect(await reachCluster(clusterAt(api), {}, signal)).toBeNull();
    expect(api.requests).toMatchObject([{ via: 'none' }]);
  });

  it.each([
    ['is no JSON', 'hello'],
    ['has another shape', '{"status":{"userInfo":{"username":1}}}'],
  ])('is not told where the answer %s', async (_, text) => {
    expect(await answeredWith(text)).toEqual({ kind: 'untold', status: 201 });
  });

  it('names that could steer a terminal come escaped', async () => {
    const names = { username: 'a\u001b[2Jb\n', groups: ['\u202e'], uid: 'u\t1' };
    const userInfo = { ...names, extra: { 'k\u0007': ['v\u0007'] } };
    const text = JSON.stringify({ status: { userInfo } });
    expect(await answeredWith(text)).toEqual({
      kind: 'known',
      userName: 'a\\u{1b}[2Jb\\u{a}',
      groups: ['\\u{202e}'],
      uid: 'u\\u{9}1',
      extra: [{ name: 'k\\u{7}', values: ['v\\u{7}'] }],
    });
  });

  it('is not read beyond a bound', async () => {
    expect(await answeredWith('x'.repeat(2 * 1024 * 1024))).toMatchObject({ failure: { kind: 'tooLarge' } });
  });

  it('ends when no caller waits any more', async () => {
    api.delayAnswers(600_000);
    try {
      const gone = new AbortController();
      const seen = whoAmI(clusterAt(api), token('good'), {}, gone.signal);
      gone.abort();
      expect(await seen).toMatchObject({ kind: 'unreachable', failure: { kind: 'timeout' } });
    } finally {
      api.delayAnswers(0);
    }
  });
});

async function answeredWith(text: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(201).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const cluster = clusterAt(api, { server: `http://127.0.0.1:${port}` }, null);
    return await whoAmI(cluster, token('good'), {}, signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

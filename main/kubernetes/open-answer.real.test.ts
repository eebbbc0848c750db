import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createCa } from '../../test/support/certificates.ts';
import { startConnectProxy } from '../../test/support/connect-proxy.ts';
import { startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { Credential } from '../ports/account.ts';
import { keepConnections, openAnswer, readPieces } from './open-answer.ts';

const signal = new AbortController().signal;
const servers: Server[] = [];
const token = new Secret('good');
const credential: Credential = { token, certificate: null, issuedAt: null, expiresAt: null };
const asked = { method: 'GET', path: '/version', credential } as const;

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<LoadedCluster> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return clusterAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`);
}

function clusterAt(server: string, more: object = {}, pem: string | null = null): LoadedCluster {
  const config = clusterSchema.parse({ server, account: 'corp', ...more });
  return { name: 'hub', config, certificateAuthorityPem: pem };
}

describe('an answer that is read as a stream', () => {
  test('is there when it begins, and ends when its reader ends it', async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const cluster = await serve((request, response) => {
      response.writeHead(200).write(`${request.url}\n`);
      response.once('close', closed);
    });
    const answer = await openAnswer(cluster, {}, asked, signal);
    expect(answer.status).toBe(200);
    for await (const piece of answer.pieces) {
      expect(piece.toString()).toBe('/hub/version\n');
      break;
    }
    answer.end();
    await gone;
  });

  test('ends with its signal, as a timeout', async () => {
    const cluster = await serve((_, response) => response.writeHead(200).write('a'));
    const over = new AbortController();
    const answer = await openAnswer(cluster, {}, asked, over.signal);
    const read = readPieces(answer.pieces, 10);
    over.abort();
    await expect(read).rejects.toMatchObject({ kind: 'timeout', sent: true });
  });

  test('that nobody reads ends with its signal without an error', async () => {
    const cluster = await serve((_, response) => response.writeHead(200).write('a'));
    const over = new AbortController();
    const answer = await openAnswer(cluster, {}, asked, over.signal);
    over.abort();
    await expect(readPieces(answer.pieces, 10)).rejects.toThrow(HttpFailure);
    answer.end();
  });

  test('that breaks off is broken, not complete', async () => {
    const cluster = await serve((_, response) => {
      response.writeHead(200).write('a', () => response.destroy());
    });
    const answer = await openAnswer(cluster, {}, asked, signal);
    await expect(readPieces(answer.pieces, 10)).rejects.toMatchObject({ kind: 'broken' });
  });

  test('has a bound that its reader sets', async () => {
    const cluster = await serve((_, response) => response.end('0123456789A'));
    const answer = await openAnswer(cluster, {}, asked, signal);
    await expect(readPieces(answer.pieces, 10)).rejects.toMatchObject({ kind: 'tooLarge' });
    answer.end();
  });

  test('says when to come again', async () => {
    const cluster = await serve((_, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    const answer = await openAnswer(cluster, {}, asked, signal);
    expect(answer).toMatchObject({ status: 429, retryAfterSeconds: 7 });
    answer.end();
  });

  test.each([301, 302, 303, 307, 308])(
    'of a redirect (%i) is that: the credential goes nowhere else',
    async (status) => {
      const heard: unknown[] = [];
      const other = await serve((request, response) => {
        heard.push(request.headers.authorization);
        response.end();
      });
      const cluster = await serve((_, response) =>
        response.writeHead(status, { location: `${other.config.server}/version` }).end(),
      );
      const answer = await openAnswer(cluster, {}, asked, signal);
      expect(answer.status).toBe(status);
      answer.end();
      expect(heard).toEqual([]);
    },
  );

  test('is not asked for by a path that another reader takes for another one', async () => {
    let count = 0;
    const cluster = await serve((_, response) => {
      count += 1;
      response.end();
    });
    for (const path of ['/../version', '/a%2f..%2f..', '*', '']) {
      await expect(openAnswer(cluster, {}, { ...asked, path }, signal)).rejects.toThrow(/path/);
    }
    expect(count).toBe(0);
    const query = await openAnswer(cluster, {}, { ...asked, path: '/version?a=/../b' }, signal);
    expect(query.status).toBe(200);
    query.end();
  });

  test('comes over TLS through a proxy', async () => {
    const api = await startKubernetesApi({ staticTokens: { good: { name: 'alice', groups: [] } } });
    const proxy = await startConnectProxy();
    try {
      const cluster = clusterAt(api.server, { proxyUrl: proxy.url }, api.caPem);
      const answer = await openAnswer(cluster, {}, asked, signal);
      const text = (await readPieces(answer.pieces, 100_000)).toString();
      answer.end();
      expect(JSON.parse(text)).toMatchObject({ gitVersion: expect.any(String) });
      expect(proxy.opened).toBe(1);
      await expect.poll(() => proxy.connections()).toBe(0);
    } finally {
      await api.dispose();
      await proxy.dispose();
    }
  });
});

describe('a kept connection', () => {
  const read = async (cluster: LoadedCluster, connections = keepConnections(), path = '/version') => {
    const answer = await openAnswer(cluster, {}, { ...asked, path, connections }, signal);
    try {
      return (await readPieces(answer.pieces, 10_000)).toString();
    } finally {
      answer.end();
    }
  };
  /** A server that answers with the number of the connection. */
  const counting = async () => {
    const known: unknown[] = [];
    return serve((request, response) => {
      if (!known.includes(request.socket)) {
        known.push(request.socket);
      }
      response.end(String(known.indexOf(request.socket) + 1));
    });
  };

  test('serves one question after the other, and none without a word of it', async () => {
    const cluster = await counting();
    const connections = keepConnections();
    const answers: string[] = [];
    for (let question = 0; question < 20; question++) {
      answers.push(await read(cluster, connections));
    }
    expect(new Set(answers)).toEqual(new Set(['1']));
    const alone = await openAnswer(cluster, {}, asked, signal);
    expect((await readPieces(alone.pieces, 10)).toString()).toBe('2');
    alone.end();
  });

  test('is given up with an answer that isn’t read to its end', async () => {
    const cluster = await counting();
    const connections = keepConnections();
    const answer = await openAnswer(cluster, {}, { ...asked, connections }, signal);
    answer.end();
    expect(await read(cluster, connections)).toBe('2');
  });

  test('is of one certificate and one CA alone', async () => {
    const api = await startKubernetesApi({ staticTokens: { good: { name: 'a', groups: [] } } });
    try {
      const connections = keepConnections();
      await read(clusterAt(api.server, {}, api.caPem), connections);
      const other = await createCa('other');
      for (const [more, pem] of [
        [{}, other.certificatePem],
        [{ tlsServerName: 'elsewhere.example.com' }, api.caPem],
      ] as const) {
        await expect(read(clusterAt(api.server, more, pem), connections)).rejects.toThrow(HttpFailure);
      }
    } finally {
      await api.dispose();
    }
  });
});

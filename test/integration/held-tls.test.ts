import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeHeldKeys } from '../../main/accounts/testing/fake-held-keys.ts';
import { refuse } from '../../main/contract/refusal.ts';
import {
  createFetch,
  defaultHttpLimits,
  type HttpOptions,
} from '../../main/platform/network/bounded-fetch.ts';
import { chooseProxy } from '../../main/platform/network/choose-proxy.ts';
import type { HeldKey } from '../../main/platform/network/held-tls.ts';
import { assertBuilt } from '../support/built.ts';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
  issueServerCertificate,
  type KeyKind,
} from '../support/certificates.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { buildGo, findGo } from '../support/go.ts';
import {
  type CertificateServer,
  noOpenSsl,
  ServerFiles,
  startGo,
  startOpenSsl,
  type TlsVersion,
} from '../support/keys/certificate-servers.ts';
import { whyNotLookedInto } from '../support/system.ts';
import { unless } from '../support/unless.ts';

/** A provider is asked with a client certificate whose key is elsewhere: TLS by lanyard-proxy, HTTP by Node. */
const program = join(import.meta.dirname, '..', '..', 'dist', 'bin', 'lanyard-proxy');
const kinds = ['RSA-2048', 'P-256', 'P-384'] as const;
const versions: readonly TlsVersion[] = ['1.2', '1.3'];
const schemes: Record<KeyKind, number[]> = {
  'RSA-2048': [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601],
  'P-256': [0x0403],
  'P-384': [0x0503],
};

const go = findGo();

let ca: CertificateAuthority;
let files: ServerFiles;
let goProgram: string;
const keys = {} as Record<KeyKind, IssuedCertificate>;
let held: FakeHeldKeys;
let server: Server | null = null;
const others: CertificateServer[] = [];

beforeAll(async () => {
  assertBuilt();
  ca = await createCa('servers and people');
  files = await ServerFiles.of(ca);
  for (const key of kinds) {
    keys[key] = await issueClientCertificate(ca, { commonName: 'alice', key });
  }
  if (go.ok) {
    goProgram = await buildGo(go.path, 'client-certificates');
  }
}, 600_000);
afterAll(() => files?.dispose());
beforeEach(() => {
  held = new FakeHeldKeys();
});
afterEach(async () => {
  const ending = server;
  server = null;
  ending?.closeAllConnections();
  ending?.close();
  await Promise.all(others.splice(0).map((other) => other.close()));
});

function heldKey(kind: KeyKind, more: Partial<HeldKey> = {}): HeldKey {
  const { chainPem, keyPem } = keys[kind];
  held.keys.set('card', { chainPem, keyPem, schemes: more.schemes ?? schemes[kind], pin: null });
  return {
    chainPem,
    keyPem: null,
    account: 'card',
    schemes: schemes[kind],
    program,
    sign: (asked) => held.sign('card', asked),
    ...more,
  };
}

const fetchWith = (clientCertificate: HeldKey, more: Partial<HttpOptions> = {}) =>
  createFetch({
    certificateAuthorityPem: ca.certificatePem,
    loopbackHttp: false,
    limits: defaultHttpLimits,
    clientCertificate,
    ...more,
  });
const get = { method: 'GET', headers: {} };

/** Node’s, which demands a certificate. Says in its answer who came, how, and with which body. */
async function listen(
  version: TlsVersion,
  { issued, body }: { issued?: IssuedCertificate; body?: (of: TLSSocket, text: string) => string } = {},
) {
  const { certificatePem, keyPem } = issued ?? (await issueServerCertificate(ca, ['127.0.0.1']));
  const only = { minVersion: `TLSv${version}`, maxVersion: `TLSv${version}` } as const;
  server = createServer(
    { cert: certificatePem, key: keyPem, ca: ca.certificatePem, requestCert: true, ...only },
    async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const socket = request.socket as TLSSocket;
      const text = Buffer.concat(parts).toString();
      const { CN } = socket.getPeerCertificate().subject;
      response.end(
        body?.(socket, text) ?? `${socket.getProtocol()} ${CN} ${request.method} ${request.url} ${text}`,
      );
    },
  );
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a server that demands a certificate', () => {
  const every = kinds.flatMap((kind) => versions.map((version) => [kind, version] as const));
  const asked = async (started: CertificateServer, kind: KeyKind) => {
    others.push(started);
    const answer = await fetchWith(heldKey(kind))(`https://127.0.0.1:${started.port}/`, get);
    expect(answer.status).toBe(200);
    expect(held.signed).toEqual([['card', schemes[kind][0]]]);
    return answer.text();
  };

  test.each(every)('of OpenSSL, %s, TLS %s', unless(noOpenSsl), async (kind, version) => {
    const text = await asked(await startOpenSsl(files, version), kind);
    expect(text).toMatch(new RegExp(`TLSv${version}[^]*CN ?= ?alice`));
  });

  test.each(every)('of Go, %s, TLS %s', unless(go.ok ? null : go.why), async (kind, version) => {
    expect(await asked(await startGo(goProgram, files, version), kind)).toBe(`TLS ${version} alice`);
  });

  test.each(every)('of Node, %s, TLS %s', async (kind, version) => {
    const origin = await listen(version);
    const sending = fetchWith(heldKey(kind))(`${origin}/token?a=b`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(50_000),
    });
    const text = await (await sending).text();
    expect(text).toBe(`TLSv${version} alice POST /token?a=b ${'x'.repeat(50_000)}`);
  });

  test('reached through a proxy', async () => {
    const origin = await listen('1.3');
    const proxy = await startConnectProxy();
    try {
      const through = { proxy: (address: URL) => chooseProxy(address, proxy.url, {}) };
      const answer = await fetchWith(heldKey('P-256'), through)(`${origin}/`, get);
      expect(await answer.text()).toBe('TLSv1.3 alice GET / ');
      expect(proxy.targets).toEqual([new URL(origin).host]);
    } finally {
      await proxy.dispose();
    }
  });

  test('a large answer comes whole, one that is too large doesn’t', async () => {
    const origin = await listen('1.3', { body: (_, text) => 'y'.repeat(Number(text)) });
    const send = (length: number) =>
      fetchWith(heldKey('P-256'))(`${origin}/`, { method: 'POST', headers: {}, body: String(length) });
    const whole = await (await send(1024 * 1024)).text();
    expect([whole.length, new Set(whole)]).toEqual([1024 * 1024, new Set('y')]);
    await expect(send(1024 * 1024 + 1)).rejects.toMatchObject({ kind: 'tooLarge', sent: true });
  });
});

/** Of this process, that have not ended. */
function children(): string[] {
  const tasks = readdirSync('/proc/self/task');
  return tasks.flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

// (rule: secrets-by-pipe)
test(
  'nothing of a request is in arguments or environment, and the program ends with it',
  unless(whyNotLookedInto),
  async () => {
    const origin = await listen('1.3');
    const seen: string[] = [];
    const sign: HeldKey['sign'] = async (asked) => {
      for (const pid of children()) {
        seen.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), readFileSync(`/proc/${pid}/environ`, 'utf8'));
      }
      return held.sign('card', asked);
    };
    const before = children();
    await fetchWith(heldKey('P-256', { sign }))(`${origin}/`, get);
    expect(before).toEqual([]);
    expect(seen).toEqual([`${program}\0tls\0`, '']);
    await expect.poll(children).toEqual([]);
  },
);

describe('what goes wrong has the names that it has without a held key', () => {
  test.each<[string, () => Promise<IssuedCertificate>]>([
    ['unknownAuthority', async () => issueServerCertificate(await createCa('strangers'), ['127.0.0.1'])],
    ['wrongHostName', () => issueServerCertificate(ca, ['id.example.com'])],
    [
      'certificateDates',
      () =>
        issueServerCertificate(ca, ['127.0.0.1'], {
          notBefore: new Date(Date.now() - 2 * 86_400_000),
          notAfter: new Date(Date.now() - 86_400_000),
        }),
    ],
  ])('%s', async (kind, issue) => {
    const origin = await listen('1.3', { issued: await issue() });
    await expect(fetchWith(heldKey('P-256'))(`${origin}/`, get)).rejects.toMatchObject({ kind, sent: false });
    expect(held.signed).toEqual([]);
  });

  test.each([
    ['1.2', ['clientCertificate']],
    // The handshake is through for the client by then: whether the server’s word or its end comes first is chance.
    ['1.3', ['clientCertificate', 'broken']],
  ] as const)(
    'a certificate that the server doesn’t take, TLS %s',
    unless(noOpenSsl),
    async (version, kindsOfIt) => {
      const started = await startOpenSsl(files, version);
      others.push(started);
      const stranger = await issueClientCertificate(await createCa('strangers'), { commonName: 'mallory' });
      const key = { ...heldKey('P-256'), chainPem: stranger.chainPem };
      held.keys.set('card', { ...stranger, schemes: [0x0403], pin: null });
      const failed = await fetchWith(key)(`https://127.0.0.1:${started.port}/`, get).catch(
        ({ kind }) => kind,
      );
      expect(kindsOfIt).toContain(failed);
      expect(held.signed).toEqual([['card', 0x0403]]);
    },
  );

  test('a server that ends the connection, or isn’t there', async () => {
    const tcp = createTcpServer((socket) => socket.destroy());
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const url = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/`;
    await expect(fetchWith(heldKey('P-256'))(url, get)).rejects.toMatchObject({
      kind: 'unreachable',
      sent: false,
    });
    tcp.close();
    await once(tcp, 'close');
    await expect(fetchWith(heldKey('P-256'))(url, get)).rejects.toMatchObject({
      kind: 'connectionRefused',
      sent: false,
    });
  });

  test('a server that says nothing, and a caller that leaves', async () => {
    const tcp = createTcpServer(() => undefined);
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const url = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/`;
    const limits = { ...defaultHttpLimits, connectMilliseconds: 300 };
    await expect(fetchWith(heldKey('P-256'), { limits })(url, get)).rejects.toMatchObject({
      kind: 'timeout',
      sent: false,
    });
    const leaving = new AbortController();
    const sending = fetchWith(heldKey('P-256'))(url, { ...get, signal: leaving.signal });
    leaving.abort();
    await expect(sending).rejects.toMatchObject({ kind: 'cancelled', sent: false });
    tcp.close();
  });

  test('a program that isn’t there, or ends', async () => {
    const origin = await listen('1.3');
    for (const other of ['/nowhere/lanyard-proxy', '/bin/false']) {
      const key = heldKey('P-256', { program: other });
      await expect(fetchWith(key)(`${origin}/`, get)).rejects.toMatchObject({
        kind: 'clientKey',
        sent: false,
        refusal: { code: 'tls.start' },
      });
    }
  });
});

describe('what is the key’s says so', () => {
  const refusal = async (key: HeldKey, origin: string) =>
    fetchWith(key)(`${origin}/`, get).then(
      () => null,
      (error) => ({ kind: error.kind, sent: error.sent, code: error.refusal?.code }),
    );

  test('no signature: the reason as the key’s account gives it, and nothing was sent', async () => {
    const origin = await listen('1.3');
    const gone = refuse('provider', 'pkcs11.tokenMissing', 'the token card of card was taken out');
    const key = heldKey('P-256', { sign: async () => gone });
    await expect(fetchWith(key)(`${origin}/`, get)).rejects.toMatchObject({
      kind: 'clientKey',
      sent: false,
      refusal: gone,
    });
  });

  test('a key without RSA-PSS, at servers of TLS 1.2 and 1.3', async () => {
    const key = () => heldKey('RSA-2048', { schemes: [0x0401, 0x0501, 0x0601] });
    expect(await refusal(key(), await listen('1.2'))).toBeNull();
    server?.closeAllConnections();
    server?.close();
    expect(await refusal(key(), await listen('1.3'))).toEqual({
      kind: 'clientKey',
      sent: false,
      code: 'tls.onlyPkcs1',
    });
  });

  test('signatures that the server doesn’t take', async () => {
    const key = heldKey('P-256', { schemes: [0x0303] });
    expect(await refusal(key, await listen('1.2'))).toEqual({
      kind: 'clientKey',
      sent: false,
      code: 'tls.noScheme',
    });
  });

  test('a server that renegotiates', unless(noOpenSsl), async () => {
    const started = await startOpenSsl(files, '1.2', []);
    others.push(started);
    const requested = started.prints?.(/^GET \/ HTTP/);
    const asked = refusal(heldKey('P-256'), `https://127.0.0.1:${started.port}`);
    await requested;
    started.type?.('R\n');
    expect(await asked).toEqual({ kind: 'clientKey', sent: true, code: 'tls.renegotiation' });
  });

  test('a signature that takes longer than the server may is waited for', async () => {
    const origin = await listen('1.3');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const sign: HeldKey['sign'] = async (asked) => {
      // Someone touches the token, after a while.
      vi.advanceTimersByTime(50_000);
      return held.sign('card', asked);
    };
    try {
      const answer = await fetchWith(heldKey('P-256', { sign }))(`${origin}/`, get);
      expect(await answer.text()).toBe('TLSv1.3 alice GET / ');
    } finally {
      vi.useRealTimers();
    }
  });
});

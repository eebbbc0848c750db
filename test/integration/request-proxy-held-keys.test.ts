import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
  type KeyKind,
} from '../support/certificates.ts';
import { buildGo, findGo } from '../support/go.ts';
import {
  type CertificateServer,
  noOpenSsl,
  ServerFiles,
  startGo,
  startNode,
  startOpenSsl,
  type TlsVersion,
} from '../support/keys/certificate-servers.ts';
import { KeysHost, type Told } from '../support/keys/keys-host.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { unless } from '../support/unless.ts';

/**
 * The data plane, with keys that stay on a token: the test is the broker between it and lanyard-keys
 * (KEP-2718/tls-offload).
 */
let ca: CertificateAuthority;
let files: ServerFiles;
let tokens: SoftHsm;
let proxy: RequestProxy;
let host: KeysHost;
let opened: Told;
const servers: CertificateServer[] = [];
const kinds = ['RSA-2048', 'P-256', 'P-384'] as const;
const keys = {} as Record<KeyKind, IssuedCertificate>;

const go = findGo();
let goProgram: string;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  ca = await createCa('servers and people');
  files = await ServerFiles.of(ca);
  tokens = new SoftHsm();
  for (const key of kinds) {
    keys[key] = await issueClientCertificate(ca, { commonName: 'alice', key });
  }
  tokens.addToken(
    'card',
    kinds.map((kind, at) => ({ label: kind, id: at + 1, ...keys[kind] })),
  );
  proxy = await RequestProxy.start();
  if (go.ok) {
    goProgram = await buildGo(go.path, 'client-certificates');
  }
}, 600_000);
afterAll(async () => {
  await proxy?.dispose();
  files?.dispose();
  tokens?.dispose();
});

beforeEach(async () => {
  if (noSoftHsm !== null) return;
  await proxy.open();
  proxy.handshakes.length = 0;
  proxy.signHandshake = bySigner;
});
afterEach(async () => {
  await host?.dispose();
  await Promise.all(servers.splice(0).map((server) => server.close()));
  tokens?.reset();
});

/** As the broker does: the data plane’s question is lanyard-keys’ order. */
async function bySigner(asked: Told) {
  const told = await host.sign(asked['scheme'], Buffer.from(asked['message'], 'base64'));
  return told['tell'] === 'signed'
    ? { signature: told['signature'] as string }
    : {
        status: 502,
        text: `the key of the account ${asked['signer']} doesn’t sign: ${told['text'] ?? 'its program ended'}`,
      };
}

/** Another lanyard-keys, with this key open. */
async function openKey(label: KeyKind, module = tokens.module): Promise<void> {
  host = new KeysHost(tokens.env);
  await host.load(module);
  opened = await host.open({ token: 'card', label });
  expect(opened).toMatchObject({ tell: 'opened' });
}

const heldKey = () => ({ certificate: opened['chain'], signer: 'card', schemes: opened['schemes'] });
const inMemory = (kind: KeyKind) => ({ certificate: keys[kind].chainPem, key: keys[kind].keyPem });

const clusterOf = (server: CertificateServer, clientCertificate: object) =>
  ({
    server: `https://127.0.0.1:${server.port}`,
    certificateAuthority: ca.certificatePem,
    clientCertificate,
  }) as Parameters<RequestProxy['setClusters']>[0][string];

async function begin(server: CertificateServer | Promise<CertificateServer>, certificate: object) {
  const started = await server;
  servers.push(started);
  await proxy.setClusters({ prod: clusterOf(started, certificate) });
  return started;
}

const versions: readonly TlsVersion[] = ['1.2', '1.3'];
const every = kinds.flatMap((kind) => versions.map((version) => [kind, version] as const));
/** RFC 8446, section 4.2.3. */
const signedBy = {
  'RSA-2048': [0x0804, 0x0805, 0x0806],
  'P-256': [0x0403],
  'P-384': [0x0503],
};

describe('a server that demands a certificate gets one whose key is on a token', unless(noSoftHsm), () => {
  const check = async (kind: KeyKind, body: RegExp) => {
    const answer = await proxy.ask('/c/prod/');
    expect([answer.status, answer.body]).toEqual([200, expect.stringMatching(body)]);
    expect(proxy.handshakes).toEqual([expect.objectContaining({ cluster: 'prod', signer: 'card' })]);
    expect(signedBy[kind]).toContain(proxy.handshakes[0]?.['scheme']);
  };

  test.each(every)('of OpenSSL, %s, TLS %s', unless(noOpenSsl), async (kind, version) => {
    await openKey(kind);
    await begin(startOpenSsl(files, version), heldKey());
    await check(kind, new RegExp(`TLSv${version}[^]*CN ?= ?alice`));
  });

  test.each(every)('of Go, %s, TLS %s', unless(go.ok ? null : go.why), async (kind, version) => {
    await openKey(kind);
    await begin(startGo(goProgram, files, version), heldKey());
    await check(kind, new RegExp(`^TLS ${version} alice$`));
  });

  test.each(every)('of Node, %s, TLS %s', async (kind, version) => {
    await openKey(kind);
    await begin(startNode(ca, version), heldKey());
    await check(kind, new RegExp(`^TLSv${version} alice$`));
  });
});

describe('a token without RSA-PSS', unless(noSoftHsm), () => {
  beforeEach(async () => {
    tokens.misbehave('no-pss');
    await openKey('RSA-2048', tokens.misbehaving);
  });

  test('signs by PKCS#1 for a server that takes TLS 1.2', async () => {
    await begin(startNode(ca, '1.2'), heldKey());
    expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 200, body: 'TLSv1.2 alice' });
    expect([0x0401, 0x0501, 0x0601]).toContain(proxy.handshakes[0]?.['scheme']);
  });

  test('says so where the server takes TLS 1.3 alone', async () => {
    await begin(startNode(ca, '1.3'), heldKey());
    const answer = await proxy.ask('/c/prod/');
    expect([answer.status, answer.body]).toEqual([
      502,
      'lanyard: prod takes TLS 1.3 alone, which needs RSA-PSS: the token of the account card has none; have the server take TLS 1.2, or use another key\n',
    ]);
    expect(proxy.handshakes).toEqual([]);
  });
});

describe('a signature', unless(noSoftHsm), () => {
  const pending: (() => void)[] = [];

  test('that is waited for holds up no other cluster, and no kept stream', async () => {
    await openKey('P-256');
    const mine = await begin(startNode(ca, '1.3'), heldKey());
    const others = await startNode(ca, '1.3');
    servers.push(others);
    await proxy.setClusters({
      prod: clusterOf(mine, heldKey()),
      other: clusterOf(others, inMemory('P-256')),
      slow: clusterOf(mine, { ...heldKey(), signer: 'pin pad' }),
    });
    expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 200 });
    proxy.signHandshake = (asked) => new Promise((resolve) => pending.push(() => resolve(bySigner(asked))));
    const waiting = proxy.ask('/c/slow/', { token: proxy.token('slow') });
    const isAsked = () => new Promise<void>((resolve) => setImmediate(resolve));
    while (pending.length === 0) await isAsked();
    // Another cluster’s handshake, and a request on a connection that is kept.
    expect(await proxy.ask('/c/other/', { token: proxy.token('other') })).toMatchObject({ status: 200 });
    expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 200 });
    expect(proxy.handshakes).toHaveLength(2);
    for (const go of pending.splice(0)) go();
    expect(await waiting).toMatchObject({ status: 200, body: 'TLSv1.3 alice' });
  });

  test('is made once for requests that wait for the same connection, and so is a refusal', async () => {
    await openKey('P-256');
    await begin(startNode(ca, '1.3'), heldKey());
    proxy.signHandshake = async () => ({
      status: 403,
      text: 'the token card was taken out; put it in again',
    });
    const all = await Promise.all(Array.from({ length: 5 }, () => proxy.ask('/c/prod/')));
    expect(new Set(all.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set(['403 lanyard: the token card was taken out; put it in again\n']),
    );
    expect(proxy.handshakes).toHaveLength(1);
    proxy.signHandshake = bySigner;
    const next = await Promise.all(Array.from({ length: 5 }, () => proxy.ask('/c/prod/')));
    expect(next.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(proxy.handshakes).toHaveLength(2);
  });

  test('of a signer that dies is a clear 502, and the next handshake works with another one', async () => {
    await openKey('P-256', tokens.misbehaving);
    const server = await begin(startNode(ca, '1.3'), heldKey());
    tokens.misbehave('crash');
    expect(await proxy.ask('/c/prod/')).toMatchObject({
      status: 502,
      body: 'lanyard: the key of the account card doesn’t sign: its program ended\n',
    });
    tokens.misbehave('crash', false);
    await openKey('P-256', tokens.misbehaving);
    expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 200 });
    expect(server.connections?.()).toBe(1);
  });

  test('is asked for at each connection: none is resumed', async () => {
    await openKey('P-256');
    // Each answer of it ends the connection.
    await begin(noOpenSsl === null ? startOpenSsl(files, '1.2') : startNode(ca, '1.2'), heldKey());
    for (const asked of noOpenSsl === null ? [1, 2, 3] : [1, 1, 1]) {
      expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 200 });
      expect(proxy.handshakes).toHaveLength(asked);
    }
  });

  test('that the server doesn’t take is asked for once in each request', async () => {
    await openKey('P-256');
    const stranger = await issueClientCertificate(await createCa('others'), { commonName: 'mallory' });
    await begin(startNode(ca, '1.3'), { ...heldKey(), certificate: stranger.chainPem });
    // Whether the server’s refusal or the request comes first is chance.
    for (let asked = 1; asked <= 20; asked += 1) {
      expect(await proxy.ask('/c/prod/')).toMatchObject({ status: 502 });
      expect(proxy.handshakes).toHaveLength(asked);
    }
  });

  test('of an upgrade’s own connection is asked for, too', async () => {
    await openKey('P-256');
    await begin(startNode(ca, '1.3'), heldKey());
    await proxy.raw(
      [
        'GET /c/prod/ HTTP/1.1',
        `Host: 127.0.0.1:${proxy.port}`,
        `Authorization: Bearer ${proxy.token('prod')}`,
        'Connection: Upgrade, close',
        'Upgrade: websocket\r\n\r\n',
      ].join('\r\n'),
    );
    expect(proxy.handshakes).toHaveLength(1);
  });
});

describe('a server that renegotiates', unless(noSoftHsm ?? noOpenSsl), () => {
  test.each(['held', 'in memory'])('is told apart from a broken one: the key %s', async (where) => {
    await openKey('P-256');
    const server = await begin(
      startOpenSsl(files, '1.2', []),
      where === 'held' ? heldKey() : inMemory('P-256'),
    );
    const requested = server.prints?.(/^GET \/ HTTP/);
    const answer = proxy.ask('/c/prod/');
    await requested;
    // Its order to renegotiate, and to ask for the certificate then.
    server.type?.('R\n');
    expect(await answer).toMatchObject({
      status: 502,
      body: 'lanyard: prod asks for the certificate by renegotiating TLS, which isn’t supported; have it ask in the first handshake, or use TLS 1.3\n',
    });
  });
});

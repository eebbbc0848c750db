import { once } from 'node:events';
import { existsSync } from 'node:fs';
import https from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { start } from '../support/processes.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Ways to a cluster: through its http, https and SOCKS5 proxies (KEP-2718/proxy-settings). */
let ca: CertificateAuthority;
let proxy: RequestProxy;
const upstream = { port: 0, seen: [] as string[] };
const closing: (() => void)[] = [];

beforeAll(async () => {
  ca = await createCa('everything');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca);
  const server = https.createServer({ cert, key }, (request, response) => {
    upstream.seen.push(`${request.headers.host}${request.url}`);
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  upstream.port = (server.address() as AddressInfo).port;
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  proxy = await RequestProxy.start();
  await proxy.order({ do: 'roots', roots: ca.certificatePem });
  await proxy.open();
});
afterAll(async () => {
  await proxy?.dispose();
  for (const close of closing) {
    close();
  }
});

/** What a GET gets on this way. */
async function through(way: { url: string; user: [string, string] | null }, host = 'localhost') {
  upstream.seen.length = 0;
  const server = `https://${host}:${upstream.port}`;
  await proxy.setClusters({ far: { server, certificateAuthority: ca.certificatePem, proxy: way } });
  const { status, body } = await proxy.ask('/c/far/a', { token: proxy.token('far') });
  return { status, body };
}

const passes = { status: 200, body: 'ok' };
/** The proxy is named, and nothing of its user. */
const unreachable = (proxyUrl: string, why: string) => ({
  status: 502,
  body: `lanyard: far (localhost:${upstream.port}) can’t be reached: the proxy ${new URL(proxyUrl).host} ${why}\n`,
});

describe.each(['http', 'https'] as const)('an %s proxy', (scheme) => {
  const login = { user: 'ann', password: 'pa:ss' };
  async function started(options: Parameters<typeof startConnectProxy>[0] = {}) {
    const tls = scheme === 'https' ? { tls: await issueServerCertificate(ca) } : {};
    const connecting = await startConnectProxy({ ...options, ...tls });
    onTestFinished(() => connecting.dispose());
    return connecting;
  }

  test('gets the name, and the credential that is for it alone', async () => {
    const connecting = await started({ login });
    expect(await through({ url: connecting.url, user: ['ann', 'pa:ss'] })).toEqual(passes);
    expect(connecting.targets).toEqual([`localhost:${upstream.port}`]);
    expect(upstream.seen).toEqual([`localhost:${upstream.port}/a`]);
  });

  test.each([
    ['that refuses its user', { kind: 'none' }, 'wants another login (407)'],
    ['that refuses', { kind: 'status', status: 403 }, 'answered with HTTP status 403'],
    ['that hangs up', { kind: 'hangUp' }, 'can’t be, either'],
    ['whose answer never ends', { kind: 'endless' }, 'can’t be, either'],
  ] as const)('%s is named as the reason', async (_, fault, why) => {
    const connecting = await started({ login });
    connecting.fault = fault;
    expect(await through({ url: connecting.url, user: ['ann', 'wrong'] })).toEqual(
      unreachable(connecting.url, why),
    );
    expect(upstream.seen).toEqual([]);
  });
});

test('an https proxy with another CA’s certificate gets no credential', async () => {
  const connecting = await startConnectProxy({
    login: { user: 'ann', password: 'pass' },
    tls: await issueServerCertificate(await createCa('other')),
  });
  onTestFinished(() => connecting.dispose());
  expect(await through({ url: connecting.url, user: ['ann', 'pass'] })).toEqual(
    unreachable(connecting.url, 'can’t be, either'),
  );
  expect(connecting.targets).toEqual([]);
});

test.each(['http', 'https', 'socks5'])('an %s proxy that isn’t there is named', async (scheme) => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const url = `${scheme}://127.0.0.1:${port}`;
  expect(await through({ url, user: ['ann', 'pass'] })).toEqual(unreachable(url, 'can’t be, either'));
});

/** A SOCKS5 proxy of Debian’s: on PATH, or where `scripts/setup.sh test` puts it. */
function findMicrosocks(): string | null {
  const fetched = join(import.meta.dirname, '..', '..', '.cache', 'tools', 'microsocks');
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return (
    [...folders.map((each) => join(each, 'microsocks')), fetched].find((each) => existsSync(each)) ?? null
  );
}

const microsocks = findMicrosocks();
describe('a SOCKS5 proxy', unless(microsocks === null ? 'missing: microsocks' : null), () => {
  async function started(...args: string[]) {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const running = start(microsocks ?? '', ['-i', '127.0.0.1', '-p', String(port), ...args]);
    onTestFinished(() => running.dispose());
    await until(
      () =>
        new Promise<true | null>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.destroy();
            resolve(true);
          });
          socket.once('error', () => resolve(null));
        }),
      'microsocks',
    );
    return { url: `socks5://127.0.0.1:${port}`, running };
  }

  test.each(['localhost', '127.0.0.1'])('leads to %s', async (host) => {
    const { url, running } = await started();
    expect(await through({ url, user: null }, host)).toEqual(passes);
    // It resolves the name itself, as client-go leaves it to it.
    await until(
      () => (running.stderr().includes(`connected to ${host}:${upstream.port}`) ? true : null),
      'its log',
    );
  });

  test('takes its user’s password, and no other', async () => {
    const { url } = await started('-u', 'ann', '-P', 'pass');
    expect(await through({ url, user: ['ann', 'pass'] })).toEqual(passes);
    expect(await through({ url, user: ['ann', 'wrong'] })).toEqual(
      unreachable(url, 'answered with a refusal'),
    );
    expect(await through({ url, user: null })).toEqual(unreachable(url, 'answered with a refusal'));
    expect(upstream.seen).toEqual([]);
  });
});

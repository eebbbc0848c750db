import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueServerCertificate,
} from '../../test/support/certificates.ts';
import { loadStated } from '../config/draft-account.ts';
import { createCertificateReader } from '../domain/credential/certificate-set.ts';
import { presentedAuthority } from '../kubernetes/presented-authority.ts';
import { reachCluster } from '../kubernetes/who-am-i.ts';
import type { Account } from '../ports/account.ts';
import { silentLog } from '../ports/log.ts';
import { type TestClusterDeps, testCluster } from './test-cluster.ts';

let ca: CertificateAuthority;
let other: CertificateAuthority;
const servers: { close(): void }[] = [];
/** What arrived: path and credential. */
const arrived: [path: string | undefined, authorization: string | undefined][] = [];

beforeAll(async () => {
  [ca, other] = [await createCa('the cluster’s CA'), await createCa('another CA')];
});
afterAll(() => {
  for (const server of servers) {
    server.close();
  }
});

/** An API server. `stated`: the CA in its cluster-info. `sends`: it sends its CA, too. */
async function serverWith({ stated = null, sends = false }: { stated?: string | null; sends?: boolean }) {
  const { chainPem, keyPem } = await issueServerCertificate(ca, ['127.0.0.1']);
  const server = createServer(
    { cert: sends ? chainPem + ca.certificatePem : chainPem, key: keyPem },
    ({ url, headers }, response) => {
      arrived.push([url, headers.authorization]);
      const data = stated && Buffer.from(stated).toString('base64');
      const isInfo = url?.endsWith('/cluster-info') === true && data !== null;
      response.writeHead(isInfo ? 200 : 401);
      response.end(
        isInfo ? JSON.stringify({ data: { kubeconfig: `certificate-authority-data: ${data}\n` } }) : '',
      );
    },
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const loading = { file: '/h/config.yaml', homeDirectory: '/h', readCertificates: createCertificateReader() };
const account = { state: async () => ({ state: 'loginNeeded', subject: null, problem: null }) };
const deps: TestClusterDeps = {
  config: { stated: (edits) => loadStated(edits, loading) },
  directory: { account: () => ({ ok: true, account: account as unknown as Account }) },
  reach: (cluster, signal) => reachCluster(cluster, {}, signal),
  presentedAuthority: (cluster, signal) => presentedAuthority(cluster, {}, signal),
  log: silentLog,
};
const run = (entry: Record<string, never> | Record<string, string>) =>
  testCluster(entry, deps, AbortSignal.timeout(10_000));
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['in its chain', { sends: true }],
  ['in kubeadm’s cluster-info', {}],
])('a server states its CA %s: it is offered, and counts once it is accepted', async (_, how) => {
  const server = await serverWith('sends' in how ? how : { stated: ca.certificatePem });
  const first = await run({ server });
  expect(first.findings).toMatchObject([{ level: 'problem', field: 'certificateAuthority' }]);
  expect(first.authority?.certificates).toMatchObject([
    {
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      subject: expect.stringContaining('the cluster’s CA'),
    },
  ]);
  const next = await run({ server, certificateAuthorityData: first.authority?.data ?? '' });
  expect(next).toMatchObject({ authority: null, findings: [{ level: 'ok' }] });
});

test.each([
  ['none', null],
  ['one that didn’t issue its certificate', () => other.certificatePem],
  ['what is no certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('a server that states %s offers none', async (_, stated) => {
  const { authority, findings } = await run({ server: await serverWith({ stated: stated?.() ?? null }) });
  expect(authority).toBeNull();
  expect(findings).toMatchObject([{ level: 'problem', hint: expect.stringContaining('administrator') }]);
});

test('no credential goes anywhere, whatever the account is', async () => {
  const server = await serverWith({ sends: true });
  const data = base64(ca.certificatePem);
  const { findings } = await run({ server, certificateAuthorityData: data, account: 'corp' });
  expect(findings.map(({ level, message }) => [level, message])).toEqual([
    ['ok', expect.stringContaining('the CA that you named')],
    ['note', 'the account corp needs a login'],
  ]);
  expect(arrived.filter(([, authorization]) => authorization !== undefined)).toEqual([]);
});

test('an address where nobody listens leads to the field of the server', async () => {
  const { findings } = await run({ server: 'https://127.0.0.1:1' });
  expect(findings).toMatchObject([{ level: 'problem', field: 'server' }]);
});

test('a setting that is wrong asks no one', async () => {
  expect(await run({ server: 'no address' })).toMatchObject({
    authority: null,
    findings: [{ check: 'cluster.config', level: 'problem' }],
  });
});

test('the log has each host that a page made the broker contact, the proxy’s too', async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, info: (...all: unknown[]) => void logged.push(all) };
  const entry = { server: 'https://10.0.0.1:6443', proxyUrl: 'http://10.9.9.9:3128' };
  const signal = AbortSignal.timeout(10_000);
  await testCluster(entry, { ...deps, log, reach: async () => null }, signal);
  expect(logged).toEqual([['cluster.test', { host: '10.0.0.1:6443', proxy: '10.9.9.9:3128' }]]);
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { findKubectls } from '../support/kubectl.ts';
import { Stage } from '../support/stage.ts';

/**
 * What Lanyard says of a cluster behind its request proxy is what it says of the same server without it, and what a proxy or
 * a gateway answers isn't taken for the cluster's answer.
 */
interface Finding {
  check: string;
  subject: string | null;
  level: string;
  message: string;
  hint: string | null;
}

const servers: Server[] = [];
let stage: Stage;
let findings: Finding[];
let kubeconfig: string;
let deadProxy: string;

const faults = {
  down: 'refuses the connection: nothing listens there',
  unnamed: 'can’t be resolved (DNS)',
  strange: 'presents a certificate of an unknown authority',
  elsewhere: 'presents a certificate for another host',
  expired: 'presents a certificate that is not valid now',
  gateway: 'answered with HTTP status 502',
  behind: 'can’t be reached: the proxy *',
} as const;

const own = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'ServiceUnavailable',
  code: 503,
};

beforeAll(async () => {
  const ca = await createCa('cluster');
  const serve = async (
    { certificatePem: cert, keyPem: key }: { certificatePem: string; keyPem: string },
    status = 200,
    body: string = JSON.stringify({ kind: 'Status' }),
    headers: Record<string, string> = {},
  ) => {
    const server = createServer({ cert, key }, (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const free = createTcpServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  deadProxy = `127.0.0.1:${(free.address() as AddressInfo).port}`;
  await new Promise((resolve) => free.close(resolve));
  const day = 24 * 3_600_000;
  const good = await issueServerCertificate(ca);
  const itself = await createCa('other');
  const servedBy: Record<
    keyof typeof faults | 'itself' | 'overloaded' | 'spoofing',
    [string, string, object?]
  > = {
    down: [`https://${deadProxy}`, ca.certificatePem],
    unnamed: ['https://nosuch.invalid:6443', ca.certificatePem],
    strange: [await serve(await issueServerCertificate(itself)), ca.certificatePem],
    elsewhere: [await serve(await issueServerCertificate(ca, ['other.example'])), ca.certificatePem],
    expired: [
      await serve(
        await issueServerCertificate(ca, undefined, {
          notBefore: new Date(Date.now() - 2 * day),
          notAfter: new Date(Date.now() - day),
        }),
      ),
      ca.certificatePem,
    ],
    gateway: [
      await serve(good, 502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }),
      ca.certificatePem,
    ],
    behind: [await serve(good), ca.certificatePem, { proxyUrl: `http://${deadProxy}` }],
    itself: [await serve(good), good.certificatePem],
    overloaded: [await serve(good, 503, JSON.stringify(own)), ca.certificatePem],
    spoofing: [
      await serve(good, 200, '{}', { 'lanyard-proxy-error': 'connectionRefused - -' }),
      ca.certificatePem,
    ],
  };
  stage = await Stage.open({
    extend: (config, { home }) => {
      for (const [name, [server, pem, more]] of Object.entries(servedBy)) {
        const certificateAuthority = home.write(`${name}.pem`, pem);
        config.clusters[`${name}-direct`] = { server, certificateAuthority, account: 'bot', ...more };
        config.clusters[`${name}-proxied`] = { ...config.clusters[`${name}-direct`], proxy: {} };
      }
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  findings = JSON.parse((await stage.lanyard(['doctor', '--json'])).stdout).findings;
});
afterAll(async () => {
  await stage?.dispose();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const of = (cluster: string) =>
  findings
    .filter(({ subject, check }) => subject === cluster && check.startsWith('cluster'))
    .map(({ check, level, message, hint }) => ({ check, level, message, hint }));

describe.each(Object.entries(faults))('a cluster that is %s', (name, text) => {
  test('has the same problem with the request proxy and without', () => {
    expect(of(`${name}-proxied`)).toEqual(of(`${name}-direct`));
    expect(of(`${name}-proxied`)).toEqual([
      expect.objectContaining({
        level: 'problem',
        message: expect.stringContaining(text.replace('*', deadProxy)),
      }),
    ]);
  });
});

test.each(['itself', 'overloaded', 'spoofing'])('the API server %s answers', (name) => {
  expect(of(`${name}-proxied`)).toEqual(of(`${name}-direct`));
  expect(of(`${name}-proxied`)).toContainEqual(
    expect.objectContaining({ check: 'cluster.reachable', level: 'ok' }),
  );
});

test('kubectl says the same of it', async () => {
  const kubectl = findKubectls().newest;
  const said = async (name: string) =>
    (await stage.kubectl(kubectl, kubeconfig, ['--context', `${name}-proxied`, 'get', '--raw', '/version']))
      .stderr;
  expect(await said('unnamed')).toContain(`unnamed-proxied (nosuch.invalid:6443) ${faults.unnamed}`);
  expect(await said('strange')).toContain(faults.strange);
  expect(await said('behind')).toContain(`the proxy ${deadProxy} can’t be, either`);
});

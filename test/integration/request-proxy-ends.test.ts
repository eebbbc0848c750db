import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueClientCertificate,
  issueServerCertificate,
} from '../support/certificates.ts';
import { buildGo, findGo } from '../support/go.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { startApiServer } from '../support/kube-apiserver/index.ts';
import { isLong, whyNotLong } from '../support/long.ts';
import { RequestProxy, type StatedCluster } from '../support/request-proxy.ts';
import { unless } from '../support/unless.ts';

/** Servers whose connections end all the time: how many requests fail through the proxy, and of Go’s own client. */
const go = findGo();
const count = isLong ? 8_000 : 100;
const parallel = 8;
const restartMilliseconds = 100;

describe('connections that end', unless(go.ok ? null : go.why), () => {
  let program: string;
  let ca: CertificateAuthority;
  let proxy: RequestProxy;
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lanyard-ends-'));
    program = await buildGo(go.ok ? go.path : '', 'connection-ends');
    ca = await createCa('upstream');
    proxy = await RequestProxy.start();
    await proxy.open();
    return async () => {
      await proxy.dispose();
      rmSync(folder, { recursive: true, force: true });
    };
  }, 600_000);

  async function serve(protocol: 'h2' | 'http/1.1', goAwayChance: number, closeAfter: string) {
    const { certificatePem, keyPem } = await issueServerCertificate(ca, ['127.0.0.1']);
    const pair = [file('server.pem', certificatePem), file('server.key', keyPem)];
    const server = spawn(program, ['serve', ...pair, protocol, `${goAwayChance}`, closeAfter], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    onTestFinished(async () => {
      server.kill();
      await ended;
    });
    const lines = createInterface({ input: server.stdout });
    const [port] = await once(lines, 'line');
    await proxy.setClusters({
      prod: { server: `https://127.0.0.1:${port}`, certificateAuthority: ca.certificatePem },
    });
    const restart = async () => {
      const restarted = once(lines, 'line');
      server.stdin.write('\n');
      await restarted;
    };
    return { port, restart };
  }

  interface Asked {
    failed: number;
    why: readonly string[];
  }

  const ask = async (url: string, authority: string, token: string, method: string, bytes: number) => {
    const args = [url, file('ca.pem', authority), token, `${count}`, `${parallel}`, method, `${bytes}`];
    return JSON.parse((await promisify(execFile)(program, ['ask', ...args])).stdout) as Asked;
  };
  const through = (method: string, bytes: number, path = '') =>
    ask(`https://127.0.0.1:${proxy.port}/c/prod/${path}`, proxy.ca, proxy.token('prod'), method, bytes);
  const straight = (port: string, method: string, bytes: number) =>
    ask(`https://127.0.0.1:${port}/`, ca.certificatePem, '', method, bytes);
  const none: Asked = { failed: 0, why: [] };

  test.each<['h2' | 'http/1.1', number, string, string, number]>([
    ['h2', 0.02, '0s', 'GET', 0],
    ['h2', 0.02, '0s', 'POST', 2_000],
    ['h2', 0.1, '0s', 'POST', 200_000],
    ['http/1.1', 0, '1ms', 'GET', 0],
  ])(
    '%s, sent away with a chance of %d, closed after %s: no %s of %d bytes fails',
    async (protocol, chance, after, method, bytes) => {
      await serve(protocol, chance, after);
      expect(await through(method, bytes)).toEqual(none);
    },
    300_000,
  );

  // Over HTTP/1.1 a server of Go that stops drops what it has read, on new connections, too: without a pause no client
  // gets through.
  test.each<['h2' | 'http/1.1', string]>([
    ['h2', 'GET'],
    ['h2', 'POST'],
    ['http/1.1', 'GET'],
  ])(
    '%s, restarted again and again: no %s fails',
    async (protocol, method) => {
      const { restart } = await serve(protocol, 0, '0s');
      let isOver = false;
      const asked = through(method, method === 'GET' ? 0 : 2_000).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await restart();
        await setTimeout(restartMilliseconds);
      }
      expect(await asked).toEqual(none);
    },
    300_000,
  );

  test('a POST over HTTP/1.1 fails no more often than Go’s client', {
    ...unless(whyNotLong),
    timeout: 300_000,
  }, async () => {
    const { port } = await serve('http/1.1', 0, '1ms');
    const ours = await through('POST', 2_000);
    const gos = await straight(port, 'POST', 2_000);
    process.stdout.write(
      `POSTs to a server that closes after 1 ms: ${ours.failed} failed, Go’s: ${gos.failed}\n`,
    );
    expect(ours.failed).toBeLessThanOrEqual(gos.failed);
  });

  test('a real kube-apiserver that sends away with the highest chance', {
    ...unless(whyNoApiServer()),
    timeout: 3_900_000,
  }, async () => {
    const clientCa = await createCa('clients');
    const cluster = await startApiServer({ clientCa, viewers: [], flags: ['--goaway-chance=0.02'] });
    onTestFinished(() => cluster.dispose());
    const admin = await issueClientCertificate(clientCa, {
      commonName: 'admin',
      organizations: ['system:masters'],
    });
    const stated: StatedCluster = {
      server: cluster.server,
      certificateAuthority: cluster.caPem,
      clientCertificate: { certificate: admin.chainPem, key: admin.keyPem },
    };
    await proxy.setClusters({ prod: stated });
    expect(await through('GET', 0, 'api/v1/namespaces?limit=1')).toEqual(none);
  });
});

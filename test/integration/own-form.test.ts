import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, type OwnForm, socketOf } from '../support/own-listener.ts';
import { statedIn } from '../support/proxied-stage.ts';
import { credentialIn, Stage, until } from '../support/stage.ts';

/** KEP-2718’s own form, from the helper’s answer to the cluster, with the whole broker (docs/adr/0032). */
let stage: Stage;
let kubeconfig: string;
let host: string;
const locks: LockHolder[] = [];

beforeAll(async () => {
  stage = await Stage.open({
    extend: (config, { api, home }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const cluster = (proxy: object) => ({
        server: api.server,
        certificateAuthority,
        account: 'bot',
        proxy,
      });
      config.clusters['own'] = cluster({});
      config.clusters['always'] = cluster({ proxyConfig: { answer: 'always' } });
      config.clusters['mutual'] = cluster({ proxyConfig: { listen: 'tls', clientCertificate: true } });
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  host = new URL(stage.api.server).host;
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((lock) => lock.release()));
});
afterAll(() => stage?.dispose());

/** A lock that this test holds. */
async function heldLock(name = 'client.lock'): Promise<{ path: string; lock: LockHolder }> {
  const path = join(stage.home.outside, name);
  const lock = await holdLock(path);
  locks.push(lock);
  return { path, lock };
}

/** What the helper answers a client that knows KEP-2718; this process is the client. */
async function ask(name: string, lockFilePath?: string, cluster: object = {}) {
  const { spec, ...info } = stage.execInfo({ cluster: { ...cluster } });
  return stage.ask('bot', { ...info, spec: { ...spec, lockFilePath } }, { args: ['--cluster', name] });
}

async function open(name: string, lockFilePath?: string): Promise<OwnForm> {
  return credentialIn(await ask(name, lockFilePath)) as OwnForm;
}

const isGone = (form: OwnForm) =>
  until(() => (existsSync(socketOf(form)) ? null : true), 'the end of the socket');

// KEP-2718/proxy-config, KEP-2718/secure-listener
test('a client with a lock file gets a Unix socket of its own, and asks there as it asks the cluster', async () => {
  const { path } = await heldLock();
  const form = await open('own', path);
  const socket = socketOf(form);
  expect(dirname(socket)).toBe(stage.home.file('proxySockets'));
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);

  const answer = await askOwn(form, host, '/api/v1/namespaces/default/pods?limit=5');
  expect(answer.status).toBe(200);
  expect(stage.api.requests.at(-1)).toMatchObject({ user: 'bot', via: 'token' });
  // As a client of a proxy says it, and as one that has the kubeconfig of Lanyard.
  const { server = '' } = statedIn(kubeconfig, 'own');
  expect(await askOwn(form, host, `https://${host}/version`)).toMatchObject({ status: 200 });
  expect(await askOwn(form, new URL(server).host, '/c/own/version')).toMatchObject({ status: 200 });

  expect(await open('own', path)).toMatchObject({ proxyConfig: { url: form.proxyConfig.url } });
});

// KEP-2718/lock (rule: client-listener)
test('the listener ends when the lock is let go, and the helper opens another', async () => {
  const { path, lock } = await heldLock();
  const form = await open('own', path);
  await lock.release();
  await isGone(form);
  await expect(askOwn(form, host, '/version')).rejects.toMatchObject({ code: 'ENOENT' });
  await heldLock();
  const next = await open('own', path);
  expect(next.proxyConfig.url).not.toBe(form.proxyConfig.url);
  expect(await askOwn(next, host, '/version')).toMatchObject({ status: 200 });
});

describe('who gets it', () => {
  test('a client that says nothing of it has today’s form, and knows the proxy alone', async () => {
    const plain = await ask('own');
    expect(plain.code).not.toBe(0);
    expect(plain.stderr).toContain('use the kubeconfig that Lanyard writes');
    const stated = credentialIn(await ask('own', undefined, statedIn(kubeconfig, 'own')));
    expect(stated).not.toHaveProperty('proxyConfig');
  });

  test('with answer: always each client of the cluster gets it, without a lock', async () => {
    const form = await open('always');
    expect(await askOwn(form, host, '/version')).toMatchObject({ status: 200 });
  });

  test('a cluster without the proxy answers as ever', async () => {
    const form = credentialIn(await ask('prod-bot', '/nowhere'));
    expect(form).toMatchObject({ token: stage.botToken });
    expect(form).not.toHaveProperty('proxyConfig');
  });

  test('another server than the cluster’s is refused, whoever asks', async () => {
    const { path } = await heldLock();
    const other = await ask('own', path, { server: 'https://127.0.0.1:1' });
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain('server mismatch for the cluster own');
  });
});

test('cluster show says how clients come in', async () => {
  const { stdout } = await stage.lanyard(['cluster', 'show', 'mutual']);
  expect(stdout).toContain(
    'Own listeners:    for clients with a lock file, on a port of 127.0.0.1, with a client certificate, idle 5m\n',
  );
});

// KEP-2718/secure-listener
test('with a client certificate of its own, on a loopback port', async () => {
  const { path } = await heldLock();
  const form = await open('mutual', path);
  expect(form.proxyConfig.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await askOwn(form, host, '/version')).toMatchObject({ status: 200 });
  await expect(askOwn(form, host, '/version', { certificate: null })).rejects.toThrow(/certificate required/);
  const another = await open('mutual', (await heldLock('another.lock')).path);
  const { clientCertificateData: cert = '', clientKeyData: key = '' } = another;
  await expect(askOwn(form, host, '/version', { certificate: { cert, key } })).rejects.toThrow(/alert/);
});

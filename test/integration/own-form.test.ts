import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { agree } from '../support/agree.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, type OwnForm, socketOf } from '../support/own-listener.ts';
import type { Ended } from '../support/processes.ts';
import { statedIn } from '../support/proxied-stage.ts';
import { credentialIn, mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';

/**
 * KEP-2718’s own form, from the helper’s answer to the cluster, with the whole broker; and how listeners of one client’s
 * own come and go with it: kills, the lock, approvals (docs/adr/0032).
 */
let stage: Stage;
let kubeconfig: string;
let host: string;
let lockFile: string;
let lock: LockHolder;
let connecting: ConnectProxy;

beforeAll(async () => {
  const routes: Record<string, number> = {};
  connecting = await startConnectProxy({ routes });
  stage = await Stage.open({
    apiHosts: ['127.0.0.1', 'localhost', 'api.example.com'],
    agent: { env: { HTTPS_PROXY: connecting.url, NO_PROXY: '' } },
    extend: (config, { api, home }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const own = { server: api.server, certificateAuthority, account: 'bot', proxy: {} };
      const { port } = new URL(api.server);
      routes[`api.example.com:${port}`] = Number(port);
      Object.assign(config.clusters, {
        ...{ own, removed: own, changed: own, counted: own },
        named: { ...own, server: `https://api.example.com:${port}` },
        beyond: { ...own, proxyUrl: connecting.url },
        always: { ...own, proxy: { proxyConfig: { answer: 'always', listen: 'tls' } } },
        mutual: { ...own, proxy: { proxyConfig: { listen: 'tls', clientCertificate: true } } },
      });
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  host = new URL(stage.api.server).host;
});
beforeEach(async () => {
  lockFile = join(stage.home.outside, `${randomUUID()}.lock`);
  lock = await holdLock(lockFile);
});
afterEach(async () => {
  await lock?.release();
  await until(() => (sockets().length === 0 ? true : null), 'the end of all sockets');
});
afterAll(async () => {
  await stage?.dispose();
  await connecting?.dispose();
});

const info = (cluster: object = {}) => {
  const { spec, ...rest } = stage.execInfo({ cluster: { ...cluster } });
  return { ...rest, spec: { ...spec, lockFilePath: lockFile } };
};

/** What the helper answers a client that knows KEP-2718; this process is the client. */
const ask = (name = 'own', cluster: object = {}): Promise<Ended> =>
  stage.ask('bot', info(cluster), { args: ['--cluster', name] });

/** And a client that doesn’t know it. */
const askWithout = (name: string, cluster: object = {}): Promise<Ended> =>
  stage.ask('bot', stage.execInfo({ cluster: { ...cluster } }), { args: ['--cluster', name] });

const open = async (...of: Parameters<typeof ask>) => credentialIn(await ask(...of)) as OwnForm;

/** Status and text, or the code of what broke the connection. */
const get = async (form: OwnForm): Promise<string> => {
  try {
    const { status, body } = await askOwn(form, host, '/version');
    return `${status} ${body}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

const folder = () => stage.home.file('proxySockets');
const sockets = () => (existsSync(folder()) ? readdirSync(folder()).map((name) => join(folder(), name)) : []);
const isGone = (form: OwnForm) =>
  until(() => (existsSync(socketOf(form)) ? null : true), 'the end of the socket');

/** The data plane’s process, by the broker’s log. */
function dataPlane(): number {
  const lines = stage.agentLogs().split('\n');
  return JSON.parse(lines.findLast((line) => line.includes('"proxy.started"')) ?? '{}').pid;
}

// KEP-2718/proxy-config, KEP-2718/secure-listener
test('a client with a lock file gets a Unix socket of its own, and asks there as it asks the cluster', async () => {
  const form = await open();
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

  expect(await open()).toMatchObject({ proxyConfig: { url: form.proxyConfig.url } });
});

// KEP-2718/lock (rule: client-listener)
test('a client that is killed takes its listener with it', async () => {
  const own = join(stage.home.outside, 'own.lock');
  const { spec, ...rest } = info();
  const execInfo = JSON.stringify({ ...rest, spec: { ...spec, lockFilePath: own } });
  const helper = stage.home.file('helper');
  const client = await holdLock(own, {
    command: [helper, 'kube-credential', '--account', 'bot', '--cluster', 'own'],
    env: { ...stage.home.env, KUBERNETES_EXEC_INFO: execInfo },
  });
  const form = JSON.parse(client.output).status as OwnForm;
  expect(await get(form)).toMatch(/^200 /);
  await client.release();
  await isGone(form);
  expect(await get(form)).toBe('ENOENT');
});

// KEP-2718/first-use
test('after the data plane was killed nothing listens, and the helper opens another', async () => {
  const form = await open();
  const pid = dataPlane();
  process.kill(pid, 'SIGKILL');
  // Its sockets are dead before the broker hears of its end, and until then gives them out.
  await stage.agent.waitForLog(new RegExp(`"pid":${pid},.*"proxy\\.ended"`));
  expect(await get(form)).toMatch(/^E/);
  const next = await open();
  expect(await get(next)).toMatch(/^200 /);
  expect(sockets()).toEqual([socketOf(next)]);
});

test('a killed broker takes the listener with it, and the next one opens another', async () => {
  const form = await open();
  await stage.agent.kill();
  await isGone(form);
  await stage.startAgent();
  expect(await get(await open())).toMatch(/^200 /);
  expect(sockets()).toHaveLength(1);
});

// (rule: client-listener)
test('while Lanyard is locked the listener stays and says so; the next way in is good there', async () => {
  const form = await open();
  mustBeGood(await stage.lanyard(['lock']));
  expect(await get(form)).toMatch(/^403 lanyard: .*locked by you/);
  expect((await ask()).code).not.toBe(0);
  mustBeGood(
    await stage.lanyard(['unlock', '--passphrase-file', stage.home.write('right', stagePassphrase)]),
  );
  expect(await get(form)).toMatch(/^401 /);
  const next = await open();
  expect(next.proxyConfig.url).toBe(form.proxyConfig.url);
  expect(await get(next)).toMatch(/^200 /);
});

test('an approval that is taken back ends the listener, and the helper says why there is none', async () => {
  const form = await open('removed');
  mustBeGood(await stage.lanyard(['cluster', 'remove', 'removed']));
  await isGone(form);
  expect((await ask('removed')).stderr).toContain('removed');
});

// KEP-2718/proxy-settings
describe('beside a proxy that there is already', () => {
  test('the cluster is reached through its own, and the client says it as its kubeconfig does', async () => {
    const form = await open('beyond', { 'proxy-url': connecting.url });
    expect(await get(form)).toMatch(/^200 /);
    expect(connecting.targets.at(-1)).toBe(host);
    expect((await ask('beyond')).stderr).toContain('proxy-url is none, known is');
  });

  test('HTTPS_PROXY of Lanyard’s own environment counts, and the client’s connection goes past it', async () => {
    const named = `api.example.com:${new URL(stage.api.server).port}`;
    const form = await open('named', { server: `https://${named}` });
    expect(await askOwn(form, named, '/version')).toMatchObject({ status: 200 });
    expect(connecting.targets.at(-1)).toBe(named);
  });
});

test('status and metrics show it, and no token', async () => {
  const form = await open('counted');
  const { stdout } = await stage.lanyard(['proxy', 'status', '--json']);
  expect(JSON.parse(stdout).listeners).toMatchObject([
    { cluster: 'counted', pid: process.pid, program: 'node', url: form.proxyConfig.url, lockFile },
  ]);
  const metrics = await stage.lanyard(['metrics']);
  expect(metrics.stdout).toMatch(/^lanyard_proxy_listeners\{cluster="counted"\} 1$/m);
  expect(metrics.stdout).toMatch(/^lanyard_proxy_listeners_opened_total\{cluster="counted"\} 1$/m);
  expect(stdout + metrics.stdout + stage.agentLogs()).not.toContain(form.token);
});

test('a lock file that isn’t there is refused in words', async () => {
  lockFile = '/no\u001b[31mwhere';
  const done = await ask();
  expect([done.code, done.stdout]).toEqual([2, '']);
  expect(done.stderr).toMatch(
    /the lock file \/no\\u\{1b\}\[31mwhere doesn’t exist.*the client has to make it/s,
  );
});

test('how clients come in has to be approved', async () => {
  const config = parse(readFileSync(stage.home.file('config'), 'utf8'));
  config.clusters.changed.proxy = { proxyConfig: { listen: 'tls' } };
  writeFileSync(stage.home.file('config'), JSON.stringify(config));
  await until(async () => ((await stage.status()).held.length > 0 ? true : null), 'the change');
  expect((await open('changed')).proxyConfig.url).toMatch(/^unix:/);
  expect(await agree(stage.onTerminal(['confirm', 'changed']))).toMatchObject({ code: 0 });
  const form = await open('changed');
  expect(form.proxyConfig.url).toMatch(/^https:/);
  expect(await get(form)).toMatch(/^200 /);
});

describe('who gets it', () => {
  test('a client that says nothing of it has today’s form, and knows the proxy alone', async () => {
    const plain = await askWithout('own');
    expect(plain.code).not.toBe(0);
    expect(plain.stderr).toContain('use the kubeconfig that Lanyard writes');
    expect(credentialIn(await askWithout('own', statedIn(kubeconfig, 'own')))).not.toHaveProperty(
      'proxyConfig',
    );
  });

  test('with answer: always each client of the cluster gets it, without a lock', async () => {
    const form = credentialIn(await askWithout('always')) as OwnForm;
    expect(await askOwn(form, host, '/version')).toMatchObject({ status: 200 });
  });
});

// KEP-2718/secure-listener
test('with a client certificate of its own, on a loopback port', async () => {
  const { stdout } = await stage.lanyard(['cluster', 'show', 'mutual']);
  expect(stdout).toContain(
    'Own listeners:    for clients with a lock file, on a port of 127.0.0.1, with a client certificate, idle 5m\n',
  );
  const form = await open('mutual');
  expect(form.proxyConfig.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await askOwn(form, host, '/version')).toMatchObject({ status: 200 });
  await expect(askOwn(form, host, '/version', { certificate: null })).rejects.toThrow(/certificate required/);
  await lock.release();
  lockFile = join(stage.home.outside, `${randomUUID()}.lock`);
  lock = await holdLock(lockFile);
  expect(await open('mutual')).not.toMatchObject({ clientKeyData: form.clientKeyData });
});

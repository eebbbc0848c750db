import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, type OwnForm, socketOf } from '../support/own-listener.ts';
import type { Ended } from '../support/processes.ts';
import { credentialIn, mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';

/** How listeners of one client’s own come and go with the whole broker: kills, the lock, approvals (docs/adr/0032). */
let stage: Stage;
let host: string;
let lockFile: string;
let lock: LockHolder;
let connecting: ConnectProxy;

beforeEach(async () => {
  const routes: Record<string, number> = {};
  connecting = await startConnectProxy({ routes });
  stage = await Stage.open({
    apiHosts: ['127.0.0.1', 'localhost', 'api.example.com'],
    agent: { env: { HTTPS_PROXY: connecting.url, NO_PROXY: '' } },
    extend: (config, { api, home }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const own = { server: api.server, certificateAuthority, account: 'bot', proxy: {} };
      config.clusters['own'] = own;
      const { port } = new URL(api.server);
      routes[`api.example.com:${port}`] = Number(port);
      config.clusters['named'] = { ...own, server: `https://api.example.com:${port}` };
      config.clusters['beyond'] = { ...own, proxyUrl: connecting.url };
    },
  });
  await stage.setSecrets();
  host = new URL(stage.api.server).host;
  lockFile = join(stage.home.outside, 'client.lock');
  lock = await holdLock(lockFile);
});
afterEach(async () => {
  await lock?.release();
  await stage?.dispose();
  await connecting?.dispose();
});

const info = (cluster: object = {}) => {
  const { spec, ...rest } = stage.execInfo({ cluster: { ...cluster } });
  return { ...rest, spec: { ...spec, lockFilePath: lockFile } };
};

const ask = (name = 'own', cluster: object = {}): Promise<Ended> =>
  stage.ask('bot', info(cluster), { args: ['--cluster', name] });

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

const sockets = () => readdirSync(stage.home.file('proxySockets'));

/** The data plane’s process, by the broker’s log. */
function dataPlane(): number {
  const lines = stage.agentLogs().split('\n');
  return JSON.parse(lines.findLast((line) => line.includes('"proxy.started"')) ?? '{}').pid;
}

// KEP-2718/lock
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
  await until(() => (existsSync(socketOf(form)) ? null : true), 'the end of the socket');
  expect(await get(form)).toBe('ENOENT');
});

// KEP-2718/first-use
test('after the data plane was killed nothing listens, and the helper opens another', async () => {
  const form = await open();
  process.kill(dataPlane(), 'SIGKILL');
  await until(async () => (/^E/.test(await get(form)) ? true : null), 'the end');
  const next = await open();
  expect(await get(next)).toMatch(/^200 /);
  expect(sockets().map((name) => join(stage.home.file('proxySockets'), name))).toEqual([socketOf(next)]);
});

test('a killed broker takes the listener with it, and the next one opens another', async () => {
  const form = await open();
  await stage.agent.kill();
  await until(() => (existsSync(socketOf(form)) ? null : true), 'the end of the socket');
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
  const form = await open();
  mustBeGood(await stage.lanyard(['cluster', 'remove', 'own']));
  await until(() => (existsSync(socketOf(form)) ? null : true), 'the end of the socket');
  expect((await ask()).stderr).toContain('own');
});

test('how clients come in has to be approved', async () => {
  const config = JSON.parse(readFileSync(stage.home.file('config'), 'utf8'));
  config.clusters.own.proxy = { proxyConfig: { listen: 'tls' } };
  writeFileSync(stage.home.file('config'), JSON.stringify(config));
  await until(async () => ((await stage.status()).held.length > 0 ? true : null), 'the change');
  expect((await open()).proxyConfig.url).toMatch(/^unix:/);
  const terminal = stage.onTerminal(['confirm', 'own']);
  await terminal.waitForText(/\[y\/N\]/);
  terminal.send('y\r');
  await terminal.ended;
  const form = await open();
  expect(form.proxyConfig.url).toMatch(/^https:/);
  expect(await get(form)).toMatch(/^200 /);
});

// KEP-2718/proxy-settings
describe('beside a proxy that there is already', () => {
  test('the cluster is reached through its own, and the client says it as its kubeconfig does', async () => {
    const form = await open('beyond', { 'proxy-url': connecting.url });
    expect(await get(form)).toMatch(/^200 /);
    expect(connecting.targets).toEqual([host]);
    expect((await ask('beyond')).stderr).toContain('proxy-url is none, known is');
  });

  test('HTTPS_PROXY of Lanyard’s own environment counts, and the client’s connection goes past it', async () => {
    const named = `api.example.com:${new URL(stage.api.server).port}`;
    const form = await open('named', { server: `https://${named}` });
    expect(await askOwn(form, named, '/version')).toMatchObject({ status: 200 });
    expect(connecting.targets).toEqual([named]);
  });
});

test('status and metrics show it, and no token', async () => {
  const form = await open();
  const { stdout } = await stage.lanyard(['proxy', 'status', '--json']);
  expect(JSON.parse(stdout).listeners).toMatchObject([
    { cluster: 'own', pid: process.pid, program: 'node', url: form.proxyConfig.url, lockFile },
  ]);
  const metrics = await stage.lanyard(['metrics']);
  expect(metrics.stdout).toMatch(/^lanyard_proxy_listeners\{cluster="own"\} 1$/m);
  expect(metrics.stdout).toMatch(/^lanyard_proxy_listeners_opened_total\{cluster="own"\} 1$/m);
  expect(stdout + metrics.stdout + stage.agentLogs()).not.toContain(form.token);
});

test.each([
  ['relative', 'client.lock', /lock file .*client\.lock, is no absolute path/],
  [
    'missing',
    '/nowhere/client.lock',
    /the lock file \/nowhere\/client\.lock doesn’t exist.*the client has to make it/s,
  ],
  ['over-long', `/${'a'.repeat(5_000)}`, /is too long/],
  ['with control characters', '/no\u001b[31mwhere', /\/no\\u\{1b\}\[31mwhere doesn’t exist/],
])('a lock file’s path that is %s is refused in words', async (_, path, words) => {
  lockFile = path;
  const done = await ask();
  expect(done.code).not.toBe(0);
  expect(done.stdout).toBe('');
  expect(done.stderr).toMatch(words);
});

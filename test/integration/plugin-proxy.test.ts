import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { ExecProxyClient, whyNoExecProxyClient } from '../support/exec-proxy-client.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { openConnections } from '../support/open-connections.ts';
import { askOwn, type OwnForm } from '../support/own-listener.ts';
import type { Ended } from '../support/processes.ts';
import { makeProxyPlugin, type ProxyPlugin } from '../support/proxy-plugin.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** A wrapped plugin that knows KEP-2718 itself, and starts a proxy for each client (KEP-2718/passed-on). */
const why = whyNoExecProxyClient();

const pods = '/api/v1/namespaces/default/pods';
const accounts = ['passing', 'proxied', 'failing'] as const;
type Name = (typeof accounts)[number];

let stage: Stage;
let host: string;
const plugins = new Map<Name, ProxyPlugin>();
const locks: LockHolder[] = [];

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { api, home, botToken }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const cluster = { server: api.server, certificateAuthority };
      for (const name of accounts) {
        const upstream = { server: api.server, caPem: api.caPem, token: botToken };
        const made = await makeProxyPlugin(home.outside, upstream);
        plugins.set(name, made);
        config.accounts[name] = made.account({});
        config.clusters[name] = { ...cluster, account: name, ...(name === 'proxied' && { proxy: {} }) };
      }
    },
  });
  host = new URL(stage.api.server).host;
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((lock) => lock.release()));
  for (const each of plugins.values()) {
    each.does({});
  }
});
afterAll(async () => {
  for (const each of plugins.values()) {
    each.dispose();
  }
  await stage?.dispose();
});

function plugin(name: Name = 'passing'): ProxyPlugin {
  const found = plugins.get(name);
  if (!found) {
    throw new Error(`there is no plugin ${name}`);
  }
  return found;
}

async function heldLock(name: string): Promise<{ path: string; lock: LockHolder }> {
  const path = join(stage.home.outside, name);
  const lock = await holdLock(path);
  locks.push(lock);
  return { path, lock };
}

function infoWith(lockFilePath?: string) {
  const { spec, ...info } = stage.execInfo();
  return { ...info, spec: { ...spec, lockFilePath } };
}

/** What the helper answers; this process is the client. */
const ask = (name: Name, lockFilePath?: string) =>
  stage.ask(name, infoWith(lockFilePath), { args: ['--cluster', name] });

/** The answer of a helper that may run on; `end`: of that helper. */
async function open(lockFilePath: string): Promise<{ form: OwnForm; end: Promise<Ended> }> {
  const words = ['kube-credential', '--account', 'passing', '--cluster', 'passing'];
  const env = { KUBERNETES_EXEC_INFO: JSON.stringify(infoWith(lockFilePath)) };
  const running = stage.start(stage.home.file('helper'), words, { env });
  running.closeInput();
  const [answer] = await running.waitForLine(/^\{.*\}$/);
  return { form: JSON.parse(answer).status, end: running.ended };
}

/** The same by a client of its own, which holds that lock. */
async function openElsewhere(name: string): Promise<OwnForm> {
  const path = join(stage.home.outside, name);
  const args = ['kube-credential', '--account', 'passing', '--cluster', 'passing'];
  const lock = await holdLock(path, {
    command: [stage.home.file('helper'), ...args],
    env: { ...stage.home.env, KUBERNETES_EXEC_INFO: JSON.stringify(infoWith(path)) },
  });
  locks.push(lock);
  return JSON.parse(lock.output).status;
}

const gone = (pid: number | undefined) => until(() => (isAlive(pid ?? 0) ? null : true), 'the proxy’s end');

describe.each(['starts', 'is'] as const)('a client with a lock file, of a plugin that %s a proxy', (kind) => {
  test.each(['unix', 'port'] as const)(
    'gets that proxy at a %s, and it ends with the lock',
    async (listen) => {
      plugin().does({ kind, listen });
      const { path, lock } = await heldLock(`${kind}-${listen}.lock`);
      const { form, end } = await open(path);
      const { info, pid } = plugin().runs().at(-1) ?? {};
      expect(info.spec).toEqual({ interactive: false, lockFilePath: path });

      expect(await askOwn(form, host, pods)).toMatchObject({ status: 200 });
      const proxy = plugin().started().at(-1);
      expect(proxy === pid).toBe(kind === 'is');
      expect(plugin().requests().at(-1)).toEqual({
        proxy,
        path: pods,
        authorization: `Bearer ${form.token}`,
        host,
      });
      // The proxy’s own token, not the way in that the client has.
      expect(stage.api.requests.at(-1)).toMatchObject({ user: 'bot', path: pods });

      await lock.release();
      await gone(proxy);
      expect(await end).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('nor does it outlive a client that is killed', async () => {
    plugin().does({ kind });
    await openElsewhere(`${kind}-killed.lock`);
    const proxy = plugin().started().at(-1);
    await locks.pop()?.release();
    await gone(proxy);
  });

  test('the broker doesn’t wait for it, and keeps no connection for it', async () => {
    plugin().does({ kind });
    const { path, lock } = await heldLock(`${kind}-connection.lock`);
    const before = openConnections(stage.home.file('socket'));
    const { end } = await open(path);
    await until(
      () => (openConnections(stage.home.file('socket')) === before ? true : null),
      'the connection’s end',
    );
    expect(plugin().proxies()).toContain(plugin().started().at(-1));
    await lock.release();
    await end;
  });
});

test('a plugin that is refused is no proxy any more', async () => {
  plugin().does({ kind: 'is', url: 'https://proxy.example.com:443' });
  const { path } = await heldLock('refused-proxy.lock');
  expect(await ask('passing', path)).toMatchObject({ code: exitCodes.provider, stdout: '' });
  await gone(plugin().runs().at(-1)?.pid);
});

test('it is on record, and of it nothing is kept or shown', async () => {
  const { path } = await heldLock('record.lock');
  const { form } = await open(path);
  const lines = (await stage.lanyard(['audit', '--json'])).stdout.trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    outcome: 'handedOut',
    account: 'passing',
    cluster: 'passing',
    reason: 'renewed',
  });
  const { stdout } = await stage.lanyard(['plugin', 'show', 'passing']);
  expect(stdout).toContain('a client with a lock file has its own, with a proxy');
  expect(stdout).toContain('No cached credential');
  for (const words of [['status'], ['plugin', 'show', 'passing'], ['audit']]) {
    const shown = await stage.lanyard([...words, '--json']);
    expect(shown.stdout).toContain('passing');
    expect(shown.stdout).not.toContain(form.token);
    expect(shown.stdout).not.toContain(form.proxyConfig.url);
  }
});

describe('nothing is shared', () => {
  test('each process has a run and a proxy of its own', async () => {
    const before = plugin().runs().length;
    const [one, other] = [await openElsewhere('one.lock'), await openElsewhere('other.lock')];
    const runs = plugin().runs().slice(before);
    expect(runs.map(({ info }) => info.spec.lockFilePath)).toEqual([
      join(stage.home.outside, 'one.lock'),
      join(stage.home.outside, 'other.lock'),
    ]);
    expect(one.proxyConfig.url).not.toBe(other.proxyConfig.url);
    for (const form of [one, other]) {
      expect(await askOwn(form, host, pods)).toMatchObject({ status: 200 });
    }
    const [first, second] = plugin().requests().slice(-2);
    expect(first?.proxy).not.toBe(second?.proxy);
    // The end of one is not the other’s.
    await locks.at(-2)?.release();
    await gone(first?.proxy);
    expect(await askOwn(other, host, pods)).toMatchObject({ status: 200 });
  });
});

describe('a client without a lock file', () => {
  test('has the token alone, shared, and its plugin is told no file', async () => {
    const before = plugin().runs().length;
    const [one, other] = [credentialIn(await ask('passing')), credentialIn(await ask('passing'))];
    expect(one).toEqual({ token: stage.botToken, expirationTimestamp: expect.any(String) });
    expect(other).toEqual(one);
    const runs = plugin().runs().slice(before);
    expect(runs.map(({ info }) => info.spec)).toEqual([{ interactive: false }]);
  });

  test('is refused where there is a proxy alone, with what is missing', async () => {
    plugin('failing').does({ kind: 'says', token: '' });
    const refused = await ask('failing');
    expect([refused.code, refused.stdout]).toEqual([exitCodes.provider, '']);
    expect(refused.stderr).toContain(
      "exec plugin didn't return a token or cert/key pair, but a proxy (proxyConfig)",
    );
    expect(refused.stderr).toContain('hint: a proxy is for clients that know KEP-2718');
  });
});

test('a cluster behind Lanyard’s request proxy has that one alone', async () => {
  const { path } = await heldLock('proxied.lock');
  const form = credentialIn(await ask('proxied', path)) as OwnForm;
  expect(form.proxyConfig.url).toContain(stage.home.file('proxySockets'));
  expect(await askOwn(form, host, pods)).toMatchObject({ status: 200 });
  expect(
    plugin('proxied')
      .runs()
      .map(({ info }) => info.spec),
  ).toEqual([{ interactive: false }]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the client of docs/examples/exec-proxy-client', unless(why), () => {
  let client: ExecProxyClient;
  let kubeconfig: string;
  beforeAll(async () => {
    client = await ExecProxyClient.on(stage);
    kubeconfig = await stage.writeKubeconfig();
  }, 1_800_000);

  const words = ['--context', 'passing'];

  test.each(['starts', 'is'] as const)(
    'reaches its cluster by the proxy of a plugin that %s one',
    async (kind) => {
      plugin().does({ kind });
      const before = plugin().requests().length;
      mustBeGood(await client.run(kubeconfig, [...words, 'get', pods]));
      expect(plugin().requests().slice(before)).toMatchObject([{ path: pods, host }]);
      const { lockFilePath } = plugin().runs().at(-1)?.info.spec ?? {};
      expect(lockFilePath).toContain('exec-proxy-client');
      await gone(plugin().requests().at(-1)?.proxy);
    },
  );

  // KEP-2718/run-again
  test.each(['starts', 'is'] as const)(
    'runs the helper again where the proxy has ended: %s',
    async (kind) => {
      plugin().does({ kind });
      const holding = client.start(kubeconfig, [...words, 'hold']);
      await holding.waitForLine(/^unix:/);
      const proxy = plugin().started().at(-1) ?? 0;
      process.kill(proxy, 'SIGKILL');
      await gone(proxy);
      holding.write(`${pods}\n`);
      await holding.waitForLine(/^200 OK$/);
      expect(plugin().requests().at(-1)?.proxy).not.toBe(proxy);
      holding.closeInput();
      mustBeGood(await holding.ended);
    },
  );

  test.each(['starts', 'is'] as const)('killed, leaves no proxy: %s', async (kind) => {
    plugin().does({ kind });
    const holding = client.start(kubeconfig, [...words, 'hold']);
    await holding.waitForLine(/^unix:/);
    const proxy = plugin().started().at(-1);
    holding.kill('SIGKILL');
    await gone(proxy);
  });
});

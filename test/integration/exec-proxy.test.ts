import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import {
  buildExecProxyClient,
  countedIn,
  ExecProxyClient,
  whyNoExecProxyClient,
} from '../support/exec-proxy-client.ts';
import { canMount } from '../support/own-mount.ts';
import { run } from '../support/processes.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** KEP-2718’s own form with a client that knows it (docs/examples/exec-proxy-client), and all of Lanyard’s parts. */
const why = whyNoExecProxyClient();
const isRoot = process.getuid?.() === 0;
const mounts = why === null && (await canMount());
const whyNoOther = isRoot ? null : 'only as root';
const whyNoMount = whyNoOther ?? (mounts ? null : 'this machine allows no mount of one’s own');

const pods = '/api/v1/namespaces/default/pods';
const forms = {
  unix: {},
  port: { listen: 'tls' },
  'mutual-unix': { clientCertificate: true },
  'mutual-port': { listen: 'tls', clientCertificate: true },
};

describe('a client that knows KEP-2718', unless(why), () => {
  let stage: Stage;
  let client: ExecProxyClient;
  let kubeconfig: string;
  /** Of the broker’s environment, and of the cluster `behind`. */
  let ofEnvironment: ConnectProxy;
  let ofCluster: ConnectProxy;

  beforeAll(async () => {
    const routes: Record<string, number> = {};
    ofEnvironment = await startConnectProxy({ routes });
    ofCluster = await startConnectProxy({ routes });
    stage = await Stage.open({
      apiHosts: ['127.0.0.1', 'localhost', 'k8s.test'],
      agent: {
        env: { HTTPS_PROXY: ofEnvironment.url, HTTP_PROXY: ofEnvironment.url, NO_PROXY: '127.0.0.1' },
      },
      extend: (config, { api, home }) => {
        routes['k8s.test:443'] = Number(new URL(api.server).port);
        const certificateAuthority = home.write('api-ca.pem', api.caPem);
        const cluster = { server: api.server, certificateAuthority, account: 'bot' };
        for (const [name, proxyConfig] of Object.entries(forms)) {
          config.clusters[name] = { ...cluster, proxy: { proxyConfig } };
        }
        const server = 'https://k8s.test';
        config.clusters['environment'] = { ...cluster, server, proxy: {} };
        config.clusters['behind'] = { ...cluster, server, proxyUrl: ofCluster.url, proxy: {} };
      },
    });
    await stage.setSecrets();
    kubeconfig = await stage.writeKubeconfig();
    client = await ExecProxyClient.on(stage);
  }, 1_800_000);
  afterAll(async () => {
    await stage?.dispose();
    await ofEnvironment?.dispose();
    await ofCluster?.dispose();
  });

  const metrics = () => join(stage.home.outside, 'metrics');
  const call = (context: string, ...more: string[]) =>
    client.run(kubeconfig, ['--context', context, '--metrics', metrics(), ...more]);

  test('does the client’s side: its own tests, in Go, with a proxy of theirs', async () => {
    const program = await buildExecProxyClient({ test: true });
    const { outside: cwd, env } = stage.home;
    const done = await run(program, [], { cwd, env, timeoutMilliseconds: 300_000 });
    expect(done).toMatchObject({ code: 0, stdout: 'PASS\n' });
  }, 1_800_000);

  // KEP-2718/proxy-config, KEP-2718/metric
  describe.each(Object.keys(forms))('%s', (name) => {
    test.each([
      ['HTTP/2', []],
      ['HTTP/1.1', ['--http1']],
    ])('gets over %s, and leaves nothing behind', async (_, more) => {
      const done = await call(name, ...more, 'get', pods);
      mustBeGood(done);
      expect(JSON.parse(done.stdout)).toMatchObject({ kind: 'PodList' });
      expect(stage.api.requests.at(-1)).toMatchObject({ user: 'bot', path: pods });
      expect(countedIn(metrics())).toEqual({ 'no_error 0': 1 });
      expect(client.locks()).toEqual([]);
      await client.nothingListens();
    });
  });

  test('has a plain credential where the cluster has no proxy', async () => {
    mustBeGood(await call('prod-bot', 'get', pods));
    expect(countedIn(metrics())).toEqual({});
  });

  // KEP-2718/run-again
  test('runs the helper again when the proxy was killed', async () => {
    const holding = client.start(kubeconfig, ['--context', 'unix', '--metrics', metrics(), 'hold']);
    const [first] = await holding.waitForLine(/^unix:.*$/);
    const { running } = JSON.parse((await stage.lanyard(['proxy', 'status', '--json'])).stdout);
    process.kill(running.pid, 'SIGKILL');
    // Its socket’s file is left until the next proxy starts: no one listens there.
    await until(() => (isAlive(running.pid) ? null : true), 'the proxy’s end');
    holding.write(`${pods}\n`);
    await holding.waitForLine(/^200 OK$/);
    expect(client.sockets().some((name) => first?.endsWith(name))).toBe(false);
    holding.closeInput();
    mustBeGood(await holding.ended);
    expect(countedIn(metrics())).toEqual({ 'no_error 0': 2 });
    await client.nothingListens();
  });

  // KEP-2718/proxy-settings
  describe('beside other proxies', () => {
    const dead = { HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '' };

    test('of the environment: the client’s own doesn’t count, Lanyard’s does', async () => {
      const own = client.kubeconfig('environment', { server: 'https://k8s.test', caPem: stage.api.caPem });
      mustBeGood(await client.run(own, ['get', pods], { env: dead }));
      expect(ofEnvironment.targets).toContain('k8s.test:443');
    });

    test('of the cluster: Lanyard goes through it', async () => {
      const { caPem } = stage.api;
      const own = client.kubeconfig('behind', { server: 'https://k8s.test', caPem, proxyUrl: ofCluster.url });
      mustBeGood(await client.run(own, ['get', pods], { env: dead }));
      expect(ofCluster.targets).toEqual(['k8s.test:443']);
    });
  });

  // KEP-2718/lock
  describe('a lock file', () => {
    const at = (name: string) => join(stage.home.outside, name);
    const withLock = (path: string) => call('unix', '--lock-file', path, 'get', pods);

    test('of the user’s choice is kept', async () => {
      mustBeGood(await withLock(at('lock')));
      mustBeGood(await withLock(at('lock')));
    });

    test('in a missing folder, or that is a link or a folder, is refused before the helper runs', async () => {
      writeFileSync(at('target'), '');
      symlinkSync(at('target'), at('link'));
      mkdirSync(at('folder'));
      for (const path of [at('none/lock'), at('link'), at('folder')]) {
        const done = await withLock(path);
        expect([done.code, done.stderr]).toEqual([1, expect.stringContaining('lock file: open ')]);
        expect(countedIn(metrics())).toEqual({});
      }
    });

    test('of another user is refused by Lanyard', unless(whyNoOther), async () => {
      writeFileSync(at('other'), '');
      chmodSync(at('other'), 0o666);
      chownSync(at('other'), 65_534, 65_534);
      const done = await withLock(at('other'));
      expect(done.code).toBe(1);
      expect(done.stderr).toMatch(/belongs to user 65534, not to you/);
      expect(Object.keys(countedIn(metrics()))).toEqual([
        expect.stringMatching(/^plugin_execution_error \d+$/),
      ]);
    });

    test('is one client’s: a second client is refused, and the first one lives on', async () => {
      const words = ['--context', 'unix', '--lock-file', at('one'), 'hold'];
      const first = client.start(kubeconfig, words);
      await first.waitForLine(/^unix:/);
      const second = await withLock(at('one'));
      expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('another process holds it')]);
      first.write(`${pods}\n`);
      await first.waitForLine(/^200 OK$/);
      first.closeInput();
      mustBeGood(await first.ended);
      mustBeGood(await withLock(at('one')));
    });

    test('on a full disk serves; where it can’t be made, that is said', unless(whyNoMount), async () => {
      const mounted = async (size: string, path: string) => {
        mkdirSync(path);
        mustBeGood(await run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path]));
        try {
          // What is left of the disk.
          await run('sh', ['-c', 'head -c 1M /dev/zero > "$0/full"', path]);
          return await withLock(join(path, 'lock'));
        } finally {
          mustBeGood(await run('umount', ['--lazy', path]));
        }
      };
      mustBeGood(await mounted('size=4k', at('full-disk')));
      const refused = await mounted('nr_inodes=2', at('no-files'));
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no space left on device')]);
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

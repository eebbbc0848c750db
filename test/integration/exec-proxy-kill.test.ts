import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { ExecProxyClient, whyNoExecProxyClient } from '../support/exec-proxy-client.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import type { Running } from '../support/processes.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** A client that knows KEP-2718, killed with SIGKILL at each step: its listener goes with it (KEP-2718/lock). */
describe('a client that is killed', unless(whyNoExecProxyClient()), () => {
  let stage: Stage;
  let client: ExecProxyClient;
  let held: TestPlugin;
  let upstream: { server: string; caPem: string; dispose(): void };
  /** Answers that the cluster has under way. */
  const watches = { open: 0 };

  beforeAll(async () => {
    upstream = await startWatched(watches);
    stage = await Stage.open({
      extend: (config, { home }) => {
        const certificateAuthority = home.write('watched-ca.pem', upstream.caPem);
        const cluster = { server: upstream.server, certificateAuthority, account: 'bot' };
        config.clusters['unix'] = { ...cluster, proxy: {} };
        config.clusters['port'] = { ...cluster, proxy: { proxyConfig: { listen: 'tls' } } };
        // Its plugin waits until the test lets it go.
        held = makePlugin();
        held.does('held');
        config.accounts['slow'] = held.account();
        config.clusters['slow'] = { ...cluster, account: 'slow', proxy: {} };
      },
    });
    await stage.setSecrets();
    client = await ExecProxyClient.on(stage);
  }, 1_800_000);
  afterAll(async () => {
    await stage?.dispose();
    upstream?.dispose();
    held?.dispose();
  });

  const at = (name: string) => join(stage.home.outside, name);
  const start = (cluster: string, args: readonly string[], command?: string) => {
    const account = cluster === 'slow' ? cluster : 'bot';
    return client.start(
      client.kubeconfig(cluster, { ...upstream, account, ...(command && { command }) }),
      args,
    );
  };
  const kill = async (running: Running) => {
    running.kill('SIGKILL');
    // Its plugin may live on, and has its outputs.
    await until(() => (running.isRunning() ? null : true), 'the client’s end');
  };

  /** A program in place of the helper, which does this with it: `$HELPER "$@"`. */
  const plugin = (script: string) =>
    stage.home.write('plugin', `#!/bin/sh\nHELPER=${stage.home.file('helper')}\n${script}`, 0o700);

  afterEach(async () => {
    await client.nothingListens();
    expect(watches.open).toBe(0);
    // The one thing that a killed client leaves is its lock file, for the next one to remove.
    mustBeGood(await client.run(client.kubeconfig('unix', upstream), ['get', '/version']));
    expect(client.locks()).toEqual([]);
    await client.nothingListens();
  });

  test('after it took its lock: a helper that asks then is refused', async () => {
    const script = `: > ${at('begun')}
while [ ! -e ${at('killed')} ]; do sleep 0.05; done
"$HELPER" "$@" > ${at('answer')} 2> ${at('refusal')}
echo $? > ${at('code')}
`;
    const running = start('unix', ['get', '/version'], plugin(script));
    await until(() => existsSync(at('begun')) || null, 'the plugin');
    expect(client.locks()).toHaveLength(1);
    await kill(running);
    writeFileSync(at('killed'), '');
    const code = await until(() => {
      const text = existsSync(at('code')) ? readFileSync(at('code'), 'utf8').trim() : '';
      return text === '' ? null : Number(text);
    }, 'the helper’s end');
    expect(code).not.toBe(0);
    expect(readFileSync(at('answer'), 'utf8')).toBe('');
    expect(readFileSync(at('refusal'), 'utf8')).toContain('lock');
    expect(client.sockets()).toEqual([]);
  });

  test('while the helper runs: no listener is opened, or it ends', async () => {
    const running = start('slow', ['get', '/version']);
    await until(() => (held.runs().length > 0 ? true : null), 'the account’s plugin');
    await kill(running);
    held.release();
    // The helper’s own end.
    await until(() => (helpersOf('slow').length === 0 ? true : null), 'the helper’s end');
  });

  describe.each(['unix', 'port'])('with a listener (%s)', (cluster) => {
    test('after the answer, before it connects', async () => {
      const running = start(cluster, ['hold']);
      await running.waitForLine(/^(unix|https):/);
      await kill(running);
    });

    test('while it is connected', async () => {
      const running = start(cluster, ['hold']);
      await running.waitForLine(/^(unix|https):/);
      running.write('/version\n');
      await running.waitForLine(/^200 OK$/);
      await kill(running);
    });

    test.each([
      ['HTTP/2', []],
      ['HTTP/1.1', ['--http1']],
    ])('in a watch over %s: the cluster’s answer ends, too', async (_, more) => {
      const running = start(cluster, [...more, 'watch', '/watch']);
      await running.waitForLine(/^an event$/);
      expect(watches.open).toBe(1);
      await kill(running);
      await until(() => (watches.open === 0 ? true : null), 'the end of the watch');
    });
  });
});

/** Helpers that run for a cluster. */
function helpersOf(cluster: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`kube-credential --account ${cluster} --cluster ${cluster}`));
}

/** An upstream with a watch that never ends. */
async function startWatched(watches: { open: number }) {
  const ca = await createCa('watched');
  const { chainPem, keyPem } = await issueServerCertificate(ca);
  const server = createServer({ cert: chainPem, key: keyPem }, (request, response) => {
    if (request.url !== '/watch') {
      response.end('{}');
      return;
    }
    watches.open += 1;
    response.once('close', () => {
      watches.open -= 1;
    });
    response.write('an event\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: ca.certificatePem,
    dispose: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

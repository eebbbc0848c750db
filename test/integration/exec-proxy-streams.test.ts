import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExecProxyClient } from '../support/exec-proxy-client.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { type PodCluster, startPodCluster } from '../support/pod-cluster.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** A client that knows KEP-2718, in front of a real kube-apiserver with a pod that runs (KEP-2718/streaming). */
const why = whyNoApiServer();

describe('a client that knows KEP-2718, with a kube-apiserver', unless(why), () => {
  let cluster: PodCluster;
  let stage: Stage;
  let client: ExecProxyClient;
  let kubeconfig: string;

  beforeAll(async () => {
    cluster = await startPodCluster();
    stage = await Stage.open({
      extend: (config, { home }) => {
        const certificateAuthority = home.write('api-server.pem', cluster.api.caPem);
        const stated = { server: cluster.api.server, certificateAuthority, account: 'real' };
        config.accounts['real'] = { staticToken: {} };
        config.clusters['unix'] = { ...stated, proxy: {} };
        config.clusters['port'] = {
          ...stated,
          proxy: { proxyConfig: { listen: 'tls', clientCertificate: true } },
        };
        config.clusters['plain'] = stated;
      },
    });
    mustBeGood(await stage.lanyard(['secret', 'set', 'real'], { input: cluster.token }));
    kubeconfig = await stage.writeKubeconfig();
    client = await ExecProxyClient.on(stage);
  }, 3_900_000);
  afterAll(async () => {
    await stage?.dispose();
    await cluster?.dispose();
  });

  const streams = [
    ['WebSocket', []],
    ['SPDY', ['--spdy']],
  ] as const;

  describe.each(['unix', 'port', 'plain'])('%s', (context) => {
    test.each(streams)('executes over %s: input, both outputs, exit code', async (_, more) => {
      const words = ['exec', 'web', 'sh', '-c', 'cat; echo oops >&2; exit 7'];
      const done = await client.run(kubeconfig, ['--context', context, ...more, ...words], {
        input: 'hello\n',
      });
      expect([done.code, done.stdout, done.stderr]).toEqual([7, 'hello\n', 'oops\n']);
      await client.nothingListens();
    });
  });

  describe.each(['unix', 'port'])('%s', (context) => {
    test.each(streams)('killed while it executes over %s, it leaves nothing behind', async (_, more) => {
      const words = ['exec', 'web', 'sh', '-c', 'echo begun; exec cat'];
      const running = client.start(kubeconfig, ['--context', context, ...more, ...words]);
      await running.waitForLine(/^begun$/);
      running.kill('SIGKILL');
      await until(() => (running.isRunning() ? null : true), 'the client’s end');
      await client.nothingListens();
    });

    test('watches', async () => {
      const path = '/api/v1/namespaces/default/pods?watch=true';
      const running = client.start(kubeconfig, ['--context', context, 'watch', path]);
      await running.waitForLine(/"type":"ADDED".*"name":"web"/);
      running.kill('SIGTERM');
      await running.ended;
      await client.nothingListens();
    });
  });
});

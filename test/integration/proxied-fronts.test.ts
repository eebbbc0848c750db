import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CloudflareAccess, startCloudflareAccess } from '../support/fronts/cloudflare-access.ts';
import { type IdentityAwareProxy, startIdentityAwareProxy } from '../support/fronts/identity-aware-proxy.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { buildKubectl, builtKubectl } from '../support/kubectl/build.ts';
import { execVersion, findKubectls, type Kubectl } from '../support/kubectl.ts';
import { type PodCluster, startPodCluster } from '../support/pod-cluster.ts';
import { type RunOptions, run, start } from '../support/processes.ts';
import { Proxied } from '../support/proxied.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { unless } from '../support/unless.ts';

/** kubectl through the request proxy and a front that wants more than the cluster’s own token. */
const why = whyNoApiServer();
const kubectls = [findKubectls().oldest, findKubectls().newest, builtKubectl];

describe('through the request proxy and a front', unless(why), () => {
  let cluster: PodCluster;
  let iap: IdentityAwareProxy;
  let access: CloudflareAccess;
  let stage: Proxied;
  beforeAll(async () => {
    await buildKubectl();
    cluster = await startPodCluster();
    iap = await startIdentityAwareProxy(cluster.api);
    access = await startCloudflareAccess(cluster.api);
    const { token } = cluster;
    const id = { set: 'CF-Access-Client-Id', value: access.id };
    stage = await Proxied.open({
      access: { ...access, token, chain: [id, { set: 'CF-Access-Client-Secret', secret: access.secret }] },
      half: { ...access, token, chain: [id] },
      iap: { ...iap, token, chain: [{ set: 'Proxy-Authorization', secret: await iap.idToken(3600) }] },
    });
  }, 3_900_000);
  afterAll(async () => {
    await stage?.dispose();
    await iap?.dispose();
    await access?.dispose();
    await cluster?.dispose();
  });

  const environment = (name: string, kubectl: Kubectl) => ({
    ...stage.home.env,
    KUBECONFIG: stage.kubeconfig(name, execVersion(kubectl)),
  });
  const call = (kubectl: Kubectl, name: string, args: readonly string[], options: RunOptions = {}) =>
    run(kubectl.path, args, { ...options, env: { ...environment(name, kubectl), ...options.env } });

  describe.each(['iap', 'access'])('%s', (name) => {
    test.each(kubectls)('kubectl $version reads and writes', async (kubectl) => {
      expect(await call(kubectl, name, ['get', 'pods', '-o', 'name'])).toMatchObject({
        code: 0,
        stdout: 'pod/web\n',
      });
      const manifest = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${name}-${kubectl.version}` },
      };
      const input = JSON.stringify(manifest);
      expect(await call(kubectl, name, ['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    });

    test('kubectl executes and follows a log', async () => {
      const command = ['exec', '-i', 'web', '--', 'sh', '-c', 'cat; exit 4'];
      expect(await call(builtKubectl, name, command, { input: 'hello' })).toMatchObject({
        code: 4,
        stdout: 'hello',
      });
      const env = environment(name, builtKubectl);
      const following = start(builtKubectl.path, ['logs', '-f', 'web'], { env });
      appendFileSync(join(cluster.kubelet.folder, 'log'), `a line for ${name}\n`);
      await following.waitForLine(new RegExp(`^a line for ${name}$`));
      await following.dispose();
    });

    test('kubectl is told where the front passes no SPDY', async () => {
      const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' };
      const done = await call(builtKubectl, name, ['exec', 'web', '--', 'true'], { env });
      expect(done).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('unable to upgrade connection'),
      });
    });
  });

  test('half a pair: the redirect to the login page is not followed, and kubectl says why', async () => {
    for (const kubectl of kubectls) {
      const done = await call(kubectl, 'half', ['get', 'pods']);
      expect([done.code, done.stderr]).toEqual([
        1,
        expect.stringContaining('half redirects to another server, which Lanyard doesn’t follow'),
      ]);
    }
  });

  test('an ID token that is over is renewed, and the client never sees it', async () => {
    const proxy = await RequestProxy.start();
    try {
      await proxy.setClusters({ prod: { server: iap.server, certificateAuthority: iap.caPem } });
      await proxy.open();
      const tokens = { old: await iap.idToken(-10), fresh: await iap.idToken(600) };
      proxy.give = ({ rejected }) => ({
        steps: [
          { step: 'set', name: 'Authorization', value: `Bearer ${cluster.token}`, secret: true },
          {
            step: 'set',
            name: 'Proxy-Authorization',
            value: `Bearer ${rejected === null ? tokens.old : tokens.fresh}`,
            secret: true,
          },
        ],
      });
      iap.verdicts.length = 0;
      expect(await proxy.ask('/c/prod/api/v1/namespaces/default/pods/web')).toMatchObject({ status: 200 });
      expect(iap.verdicts).toEqual([401, 0]);
    } finally {
      await proxy.dispose();
    }
  });
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGo, findGo } from '../support/go.ts';
import { InventoryHub, profileObject } from '../support/inventory-hub.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';

const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: a controller with the community library of ClusterProfiles: ${why}\n`);
}

const example = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'cluster-profiles');

/** The example of docs/guide/inventories.md, as it is there (KEP-5339/controllers). */
describe.skipIf(why !== null)('a controller with the community library', () => {
  let stage: Stage;
  let hubApi: KubernetesApi;
  let program: string;
  const hub = new InventoryHub();

  beforeAll(async () => {
    program = await buildGo(go.ok ? go.path : '', 'example-cluster-profiles', {
      module: example,
      program: '.',
    });
    stage = await Stage.open({
      extend: async (config, { home, botToken }) => {
        hubApi = await startKubernetesApi({
          staticTokens: { [botToken]: { name: 'bot', groups: [] } },
          more: hub,
        });
        config.clusters['hub'] = {
          server: hubApi.server,
          certificateAuthority: home.write('hub-ca.pem', hubApi.caPem),
          account: 'bot',
        };
        const providers = [{ name: 'robots', account: 'bot' }];
        config.inventories = { fleet: { cluster: 'hub', providers } };
      },
    });
    await stage.setSecrets();
    for (const name of ['eu', 'us']) {
      hub.put(profile(name));
    }
  }, 900_000);
  afterAll(async () => {
    await stage?.dispose();
    await hubApi?.dispose();
  });

  /** Both at one address, as behind a proxy of a hub: their config tells them apart. */
  function profile(name: string) {
    const cluster = {
      server: stage.api.server.replace('127.0.0.1', 'localhost'),
      'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
      // This one the library drops.
      'disable-compression': true,
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { clusterName: name } }],
    };
    return profileObject('team', name, { status: { accessProviders: [{ name: 'robots', cluster }] } });
  }

  async function controller(provideClusterInfo = true) {
    const execConfig = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: stage.home.file('helper'),
      args: ['cluster-credential', '--provider', 'robots'],
      provideClusterInfo,
    };
    const providers = JSON.stringify({ providers: [{ name: 'robots', execConfig }] });
    const file = stage.home.write('providers.json', providers);
    const args = ['-hub', 'hub', '-namespace', 'team', '-clusterprofile-provider-file', file];
    return run(program, args, { env: { ...stage.home.env, KUBECONFIG: await stage.writeKubeconfig() } });
  }

  test('lists the pods of the profiles in use, and of no other', async () => {
    await until(
      async () => ((await stage.lanyard(['inventory', 'list'])).stdout.includes('team/us') ? true : null),
      'the profiles',
    );
    const terminal = stage.onTerminal(['inventory', 'use', 'eu']);
    await terminal.waitForText(/\[y\/N\]/);
    terminal.send('y\r');
    await terminal.ended;
    const listed = await controller();
    expect(listed).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^eu: \d+ pods \[.+\]\nus: .*credentials/),
      stderr: expect.stringContaining('fleet:team/eu in another way: the config'),
    });
    hub.delete('team', 'us');
    mustBeGood(await controller());
    const audit = await stage.lanyard(['audit', '--json']);
    expect(audit.stdout).toMatch(/"door": ?"controller".*"outcome": ?"handedOut"/);
  });

  test('is told what is missing where the provider file has no provideClusterInfo', async () => {
    expect(await controller(false)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set provideClusterInfo: true'),
    });
  });
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { talk } from '../support/dialog.ts';
import { buildGo, goPath, whyNoGo } from '../support/go.ts';
import { addHub, InventoryHub, type ProfileObject, profileObject } from '../support/inventory-hub.ts';
import { jsonLines } from '../support/json-lines.ts';
import type { KubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** The exec form that the community library of ClusterProfiles calls (KEP-5339/controllers). */
let stage: Stage;
let hubApi: KubernetesApi;
const hub = new InventoryHub();

/** What the hub’s own network knows. */
const inCluster = 'https://proxy.svc/clusters';
const execExtension = 'client.authentication.k8s.io/exec';

/** spec.cluster of a profile’s cluster as client-go tells it: without the names of extensions. */
const told = (config?: object) => ({
  server: stage.api.server.replace('127.0.0.1', 'localhost'),
  'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
  ...(config && { config }),
});

const profile = (name: string, provider = 'robots', config?: object): ProfileObject => {
  const { config: _, ...cluster } = told();
  const extensions = config && [{ name: execExtension, extension: config }];
  return profileObject('team', name, {
    status: {
      accessProviders: [{ name: provider, cluster: { ...cluster, ...(extensions && { extensions }) } }],
    },
  });
};

const ask = (args: readonly string[], cluster: object | null = told(), interactive = false) =>
  run(stage.home.file('helper'), ['cluster-credential', ...args], {
    env: {
      ...stage.home.env,
      KUBERNETES_EXEC_INFO: JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: { interactive, ...(cluster && { cluster }) },
      }),
    },
  });

const stateOf = async (name: string) => {
  const { stdout } = await stage.lanyard(['inventory', 'list', '--json']);
  const { profiles } = JSON.parse(stdout) as { profiles: { name: string; state: string }[] };
  return profiles.find((each) => each.name === name)?.state ?? null;
};

async function use(...names: string[]): Promise<void> {
  await until(
    async () => {
      const states = await Promise.all(names.map(stateOf));
      return states.every((state) => state !== null) ? true : null;
    },
    `the profiles ${names.join(', ')}`,
  );
  const terminal = stage.onTerminal(['inventory', 'use', ...names]);
  await terminal.waitForText(/\[y\/N\]/);
  terminal.send('y\r');
  await terminal.ended;
}

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, parts) => {
      hubApi = await addHub(config, parts, hub);
      config.inventories = {
        fleet: {
          cluster: 'hub',
          providers: [
            { name: 'robots', account: 'bot' },
            { name: 'people', account: 'corp' },
          ],
          serverRewrites: [{ from: inCluster, to: parts.api.server.replace('127.0.0.1', 'localhost') }],
        },
      };
    },
  });
  await stage.setSecrets();
  hub.put(profile('eu', 'robots', { clusterName: 'eu' }), profile('staff', 'people'));
});
afterAll(async () => {
  await stage?.dispose();
  await hubApi?.dispose();
});

describe('lanyard cluster-credential', () => {
  test('gives the credential of a profile whose server is rewritten, where the hub says it is', async () => {
    const stated = { ...told(), server: inCluster };
    hub.put(
      profileObject('team', 'inside', { status: { accessProviders: [{ name: 'robots', cluster: stated }] } }),
    );
    await use('inside');
    for (const cluster of [stated, told()]) {
      const given = await ask(['--provider', 'robots'], cluster);
      mustBeGood(given);
      expect(credentialIn(given).token).toBe(stage.botToken);
    }
    expect(await ask(['--provider', 'robots'], { ...stated, server: `${inCluster}/other` })).toMatchObject({
      code: 13,
      stdout: '',
    });
    mustBeGood(await stage.lanyard(['inventory', 'drop', 'inside']));
    hub.delete('team', 'inside');
  });

  test('gives nothing for a profile that is not in use', async () => {
    expect(await ask(['--provider', 'robots'], told({ clusterName: 'eu' }))).toMatchObject({
      code: 13,
      stdout: '',
      stderr: expect.stringMatching(
        /no profile in use of the provider robots has the server https:\/\/localhost:\d+\nhint: .*lanyard inventory use NAME/,
      ),
    });
    expect((await ask(['--provider', 'robots', '--profile', 'team/eu'])).stderr).toContain(
      'hint: lanyard inventory use team/eu\n',
    );
  });

  test('gives the credential of a profile in use, found by where the controller connects', async () => {
    await use('eu');
    const given = await ask(['--provider', 'robots'], told({ clusterName: 'eu' }));
    mustBeGood(given);
    expect(credentialIn(given).token).toBe(stage.botToken);
    const audit = await stage.lanyard(['audit', '--json']);
    expect(audit.stdout).not.toContain(stage.botToken);
    const entries = jsonLines(audit.stdout);
    expect(
      entries
        .flat()
        .filter(({ door }: { door?: string }) => door === 'controller')
        .at(-1),
    ).toMatchObject({
      account: 'bot',
      cluster: 'eu',
      outcome: 'handedOut',
    });
  });

  const robots = '--provider robots';
  test.each<[string, words: string, () => object | null, code: number, RegExp]>([
    [
      'another server',
      robots,
      () => ({ ...told(), server: 'https://evil.example.com' }),
      13,
      /evil\.example\.com/,
    ],
    [
      'another config',
      robots,
      () => told({ clusterName: 'us' }),
      13,
      /fleet:team\/eu in another way: the config/,
    ],
    ['no provideClusterInfo', robots, () => null, 13, /provideClusterInfo: true/],
    ['no provider', '', told, 2, /needs --provider/],
    ['another word', `${robots} --account bot`, told, 2, /unknown option/],
    ['a name that is none', `${robots} --profile x;rm`, told, 2, /NAMESPACE\/NAME/],
  ])('refuses %s', async (_, words, cluster, code, text) => {
    expect(await ask(words.split(' ').filter(Boolean), cluster())).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(text),
    });
  });

  test('says at once that a login is needed, also where the client passes a terminal on', async () => {
    await use('staff');
    for (const interactive of [false, true]) {
      expect(await ask(['--provider', 'people'], told(), interactive)).toMatchObject({
        code: 15,
        stdout: '',
        stderr: expect.stringContaining('lanyard login corp'),
      });
    }
    await stage.logIn();
    mustBeGood(await ask(['--provider', 'people']));
  });

  test('refuses several, and names them; --profile says which', async () => {
    hub.put(profile('eu-too', 'robots', { clusterName: 'eu' }));
    await use('eu-too');
    const cluster = told({ clusterName: 'eu' });
    expect(await ask(['--provider', 'robots'], cluster)).toMatchObject({
      code: 13,
      stderr: expect.stringContaining('fleet:team/eu, fleet:team/eu-too'),
    });
    mustBeGood(await ask(['--provider', 'robots', '--profile', 'team/eu-too'], cluster));
    mustBeGood(await ask(['--provider', 'robots', '--profile', 'fleet:team/eu'], cluster));
    mustBeGood(await stage.lanyard(['inventory', 'drop', 'eu-too']));
    mustBeGood(await ask(['--provider', 'robots'], cluster));
  });

  test('gives nothing where a change on the hub leads, until it is approved', async () => {
    hub.put(profile('eu', 'robots', { clusterName: 'us' }));
    await until(async () => ((await stateOf('eu')) === 'pending' ? true : null), 'the change');
    expect(await ask(['--provider', 'robots'], told({ clusterName: 'us' }))).toMatchObject({
      code: 13,
      stderr: expect.stringContaining('lanyard confirm eu'),
    });
    mustBeGood(await ask(['--provider', 'robots'], told({ clusterName: 'eu' })));
    hub.put(profile('eu', 'robots', { clusterName: 'eu' }));
    await until(async () => ((await stateOf('eu')) === 'inUse' ? true : null), 'the change back');
  });

  test('gives nothing while Lanyard is locked', async () => {
    mustBeGood(await stage.lanyard(['lock']));
    expect(await ask(['--provider', 'robots'], told({ clusterName: 'eu' }))).toMatchObject({ code: 11 });
  });
});

const why = whyNoGo();

const example = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'cluster-profiles');

/** The example of docs/guide/inventories.md, as it is there (KEP-5339/controllers). */
describe('a controller with the community library', unless(why), () => {
  let stage: Stage;
  let hubApi: KubernetesApi;
  let program: string;
  const hub = new InventoryHub();

  beforeAll(async () => {
    program = await buildGo(goPath(), 'example-cluster-profiles', {
      module: example,
      program: '.',
    });
    stage = await Stage.open({
      extend: async (config, parts) => {
        hubApi = await addHub(config, parts, hub);
        const providers = [{ name: 'robots', account: 'bot' }];
        config.inventories = { fleet: { cluster: 'hub', providers } };
      },
    });
    await stage.setSecrets();
    for (const name of ['eu', 'us']) {
      hub.put(published(name));
    }
  }, 900_000);
  afterAll(async () => {
    await stage?.dispose();
    await hubApi?.dispose();
  });

  /** Both at one address, as behind a proxy of a hub: their config tells them apart. */
  function published(name: string) {
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
    await talk(stage.onTerminal(['inventory', 'use', 'eu']), ['[y/N]', 'y']);
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

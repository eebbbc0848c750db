import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { talk } from '../support/dialog.ts';
import { addHub, InventoryHub, type ProfileObject, profileObject } from '../support/inventory-hub.ts';
import { findKubectls } from '../support/kubectl.ts';
import type { KubernetesApi } from '../support/kubernetes-api.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';

/** From a ClusterProfile of a hub to kubectl: the CLI, the approval, the managed kubeconfig. */
let stage: Stage;
let hubApi: KubernetesApi;
const hub = new InventoryHub();
const { newest: kubectl } = findKubectls();

const provided = (name: string, cluster: object, more: Partial<ProfileObject> = {}): ProfileObject =>
  profileObject('team', name, { status: { accessProviders: [{ name: 'robots', cluster }] }, ...more });

/** A profile whose cluster is the stage's own API server, below a path that it ignores. */
const ofStage = (name: string, more: Partial<ProfileObject> = {}) =>
  provided(
    name,
    {
      server: stage.api.server.replace('127.0.0.1', 'localhost'),
      'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
    },
    more,
  );

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, parts) => {
      hubApi = await addHub(config, parts, hub);
      config.inventories = {
        fleet: {
          cluster: 'hub',
          namespaces: ['team'],
          providers: [{ name: 'robots', account: 'bot' }],
          servers: ['localhost'],
          select: 'tier=auto',
        },
        trusted: {
          cluster: 'hub',
          namespaces: ['trusted'],
          providers: [{ name: 'robots', account: 'bot' }],
          servers: ['localhost', '127.0.0.1'],
          contextName: 'trusted-{name}',
          trusted: true,
        },
      };
    },
  });
  await stage.setSecrets();
  hub.put(ofStage('eu'), profileObject('team', 'without-account'));
});
afterAll(async () => {
  await stage?.dispose();
  await hubApi?.dispose();
});

const listed = async () => {
  const { stdout } = await stage.lanyard(['inventory', 'list', '--json']);
  return JSON.parse(stdout) as {
    inventories: { name: string; kind: string }[];
    profiles: { name: string; state: string; context: string | null; problem: { reason: string } | null }[];
  };
};
const profile = async (name: string) => (await listed()).profiles.find((each) => each.name === name);
const kubeconfig = () =>
  existsSync(stage.home.file('kubeconfig')) ? readFileSync(stage.home.file('kubeconfig'), 'utf8') : '';
const pods = (context: string) =>
  stage.kubectl(kubectl, stage.home.file('kubeconfig'), ['--context', context, 'get', 'pods', '-A']);

const contexts = () =>
  ((parse(kubeconfig()) as { contexts?: { name: string }[] } | null)?.contexts ?? []).map(({ name }) => name);

/** At a terminal: yes to its question. */
async function useAtTerminal(...names: string[]): Promise<string> {
  return (await talk(stage.onTerminal(['inventory', 'use', ...names]), ['[y/N]', 'y'])).shown;
}

describe('a hub’s profiles', () => {
  test('are listed, with what each resolves to', async () => {
    await until(
      async () => ((await listed()).inventories[0]?.kind === 'live' ? true : null),
      'the hub’s list',
    );
    expect(await profile('eu')).toMatchObject({ state: 'available', context: null, provider: 'robots' });
    expect(await profile('without-account')).toMatchObject({
      state: 'unusable',
      problem: { reason: 'noProvider' },
    });
    const table = await stage.lanyard(['inventory', 'list']);
    expect(table.stdout).toMatch(/team\/eu +fleet +- +- +- +robots +- +available/);
    const shown = await stage.lanyard(['inventory', 'show', 'eu']);
    expect(shown.stdout).toContain('robots is the only provider that the profile lists');
    expect(shown.stdout).toContain('SHA-256');
  });

  test('become contexts at a terminal, once the user said yes', async () => {
    const shown = await useAtTerminal('eu');
    expect(shown).toContain('cluster eu (new)');
    expect(shown).toContain('profile: fleet');
    expect(await profile('eu')).toMatchObject({ state: 'inUse', context: 'eu' });
    expect(contexts()).toContain('eu');
    mustBeGood(await pods('eu'));
    const printed = await stage.lanyard(['inventory', 'kubeconfig']);
    mustBeGood(printed);
    const alone = stage.home.write('of-inventory.yaml', printed.stdout);
    mustBeGood(await stage.kubectl(kubectl, alone, ['get', 'pods', '-A']));
  });

  test('without a terminal are pending, and get nothing', async () => {
    hub.put(ofStage('us'));
    await until(() => profile('us'), 'the new profile');
    const used = await stage.lanyard(['inventory', 'use', 'us']);
    expect(used).toMatchObject({ code: 20, stderr: expect.stringContaining('pending approval') });
    expect(await profile('us')).toMatchObject({ state: 'pending', context: 'us' });
    expect(contexts()).not.toContain('us');
    await until(async () => {
      const { stdout } = await stage.lanyard(['history', 'us']);
      return stdout.includes('profile us of inventory fleet is pending approval') ? true : null;
    }, 'its event');
    const { stdout: status } = await stage.lanyard(['status', '--json']);
    expect(JSON.parse(status)).toMatchObject({
      inventories: [
        { name: 'fleet', state: 'live', profiles: { inUse: 1, pending: 1, total: 3 } },
        { name: 'trusted', state: 'live', profiles: { total: 0 } },
      ],
    });
    const { stdout: metrics } = await stage.lanyard(['metrics']);
    expect(metrics).toContain('lanyard_inventory_in_sync{inventory="fleet"} 1');
    expect(metrics).toContain('lanyard_inventory_profiles{inventory="fleet",state="pending"} 1');
  });

  test('that change on the hub are pending; the approved form goes on serving', async () => {
    hub.put(provided('eu', { server: 'https://evil.example.com' }));
    await until(async () => ((await profile('eu'))?.state === 'pending' ? true : null), 'the change');
    expect(kubeconfig()).not.toContain('evil.example.com');
    mustBeGood(await pods('eu'));
    hub.put(ofStage('eu'));
    await until(async () => ((await profile('eu'))?.state === 'inUse' ? true : null), 'the change back');
  });

  test('that were made again are no more in use, and neither is their credential', async () => {
    const again = { ...ofStage('eu').metadata, uid: 'made-again' };
    hub.put(ofStage('eu', { metadata: again }));
    await until(async () => ((await profile('eu'))?.state === 'remade' ? true : null), 'the other object');
    await until(() => (contexts().includes('eu') ? null : true), 'the context’s end');
    hub.put(ofStage('eu'));
    await until(() => (contexts().includes('eu') ? true : null), 'the context');
  });

  test('that are gone take their context along, and dropped ones, too', async () => {
    hub.delete('team', 'eu');
    await until(() => (contexts().includes('eu') ? null : true), 'the context’s end');
    hub.put(ofStage('eu'));
    await until(() => (contexts().includes('eu') ? true : null), 'its return');
    mustBeGood(await stage.lanyard(['inventory', 'drop', 'eu', 'us']));
    expect(contexts()).not.toContain('eu');
    expect(await profile('eu')).toMatchObject({ state: 'available', context: null });
    expect(await pods('eu')).toMatchObject({ code: 1 });
  });

  test('that select chooses are pending; once approved they are contexts, until it has them no more', async () => {
    const metadata = { namespace: 'team', name: 'auto', uid: 'of-auto' };
    hub.put(ofStage('auto', { metadata: { ...metadata, labels: { tier: 'auto' } } }));
    await until(async () => ((await profile('auto'))?.state === 'pending' ? true : null), 'its choice');
    expect(contexts()).not.toContain('auto');
    await talk(stage.onTerminal(['confirm', 'auto']), ['[y/N]', 'y']);
    await until(() => (contexts().includes('auto') ? true : null), 'its context');
    mustBeGood(await pods('auto'));
    hub.put(ofStage('auto', { metadata }));
    await until(() => (contexts().includes('auto') ? null : true), 'the context’s end');
  });

  test('of a trusted inventory may move within its servers, and nothing else', async () => {
    const at = (server: string, more: object = {}) => {
      const cluster = {
        server,
        'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
      };
      const metadata = { namespace: 'trusted', name: 'ap', uid: 'of-ap' };
      return provided('ap', { ...cluster, ...more }, { metadata });
    };
    const moved = stage.api.server.replace('127.0.0.1', 'localhost');
    hub.put(at(`${stage.api.server}/a`));
    await until(() => profile('ap'), 'the profile');
    await useAtTerminal('trusted:trusted/ap');
    expect(await profile('ap')).toMatchObject({ state: 'inUse', context: 'trusted-ap' });
    hub.put(at(moved));
    await until(() => (kubeconfig().includes(`server: "${moved}"`) ? true : null), 'the new server');
    expect(await profile('ap')).toMatchObject({ state: 'inUse' });
    mustBeGood(await pods('trusted-ap'));
    for (const [server, more] of [
      ['https://elsewhere.example.com', {}],
      [`${moved}/b`, { 'proxy-url': 'http://proxy.example.com:3128' }],
      [`${moved}/c`, { 'tls-server-name': 'other' }],
    ] as const) {
      hub.put(at(server, more));
      await until(async () => ((await profile('ap'))?.state === 'pending' ? true : null), 'the change');
      hub.put(at(moved));
      await until(async () => ((await profile('ap'))?.state === 'inUse' ? true : null), 'the change back');
    }
  });

  test('stay, with their age, where the hub is away, also after a restart', async () => {
    hub.listFault = { kind: 'hangUp' };
    hub.watchFault = { kind: 'hangUp' };
    hub.breakWatches();
    await stage.agent.kill('SIGTERM');
    await stage.startAgent();
    const { inventories, profiles } = await listed();
    expect(inventories[0]?.kind).toBe('stale');
    expect(profiles.map(({ name }) => name)).toContain('eu');
    const away = await until(async () => {
      const { stdout } = await stage.lanyard(['doctor']);
      return /problem +fleet.*: the hub .*; its profiles are as of /.test(stdout) ? stdout : null;
    }, 'the hub’s fault');
    expect(away).toContain('\nInventories\n');
    expect(away).toMatch(/try again: lanyard inventory sync (fleet|trusted)/);
    hub.listFault = null;
    hub.watchFault = null;
    mustBeGood(await stage.lanyard(['inventory', 'sync']));
  });
});

test('what is refused says why', async () => {
  expect(await stage.lanyard(['inventory', 'use', 'nothing'])).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringContaining('no profile named nothing'),
  });
  expect(await stage.lanyard(['inventory', 'use', 'without-account'])).toMatchObject({
    stderr: expect.stringContaining('lists only access providers'),
  });
  hub.put(provided('shadow', { server: stage.api.server, 'insecure-skip-tls-verify': true }));
  await until(() => profile('shadow'), 'the profile');
  expect(await stage.lanyard(['inventory', 'use', 'shadow'])).toMatchObject({
    stderr: expect.stringContaining('the server of the cluster prod'),
  });
});

test('more profiles than one frame takes are one JSON document, each once', async () => {
  const many = Array.from({ length: 1_100 }, (_, at) => profileObject('trusted', `many-${at}`));
  hub.put(...many);
  const names = await until(async () => {
    const { profiles } = await listed();
    const found = profiles.map(({ name }) => name).filter((name) => name.startsWith('many-'));
    return found.length >= many.length ? found : null;
  }, 'all of them');
  expect(new Set(names).size).toBe(many.length);
  expect(names).toHaveLength(many.length);
});

test('an inventory that is removed leaves nothing of its profiles', async () => {
  const stored = () => readdirSync(join(stage.home.path, 'inventories'));
  expect(stored()).toContain('trusted.json');
  mustBeGood(await stage.lanyard(['inventory', 'remove', 'trusted']));
  expect(contexts()).not.toContain('trusted-ap');
  await until(() => (stored().includes('trusted.json') ? null : true), 'its file’s end');
  expect(readFileSync(join(stage.home.path, 'profiles.json'), 'utf8')).not.toContain('trusted');
  expect(stored()).toContain('fleet.json');
});

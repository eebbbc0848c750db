import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { Secret } from '../../main/base/secret.ts';
import { cluster as clusterSchema } from '../../main/contract/config/cluster.ts';
import { inventory as inventorySchema } from '../../main/contract/config/inventory.ts';
import { startHubSource } from '../../main/inventory/hub-source.ts';
import { openProfileStore } from '../../main/inventory/profile-store.ts';
import type { Obtained } from '../../main/ports/account.ts';
import { silentLog } from '../../main/ports/log.ts';
import { type CertificateAuthority, createCa, issueClientCertificate } from '../support/certificates.ts';
import { type Crd, clusterProfileCrd, withVersions } from '../support/cluster-profile-crd.ts';
import { profileObject } from '../support/inventory-hub.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { type ApiServer, startApiServer } from '../support/kube-apiserver/index.ts';
import { processClock } from '../support/process-clock.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

const why = whyNoApiServer();
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = '/apis/multicluster.x-k8s.io';
const mergePatch = 'application/merge-patch+json';

let folder: string;
let clientCa: CertificateAuthority;
let crd: Crd;
let opened: Disposables;

/** A hub with the community's CRD in it. */
async function startHub(flags: readonly string[]): Promise<ApiServer> {
  clientCa = await createCa('hub clients');
  const hub = await startApiServer({ clientCa, viewers: [], flags });
  crd = await clusterProfileCrd();
  expect(await hub.ask('POST', crds, crd)).toBe(201);
  expect(await hub.ask('POST', '/api/v1/namespaces', { metadata: { name: 'fleet' } })).toBe(201);
  await served(hub, 'v1alpha1');
  return hub;
}

const served = (hub: ApiServer, version: string) =>
  until(
    async () => ((await hub.ask('GET', `${group}/${version}/clusterprofiles`)) === 200 ? true : null),
    `${version} to be served`,
  );

async function put(hub: ApiServer, version: string, name: string, displayName = name): Promise<void> {
  const path = `${group}/${version}/namespaces/fleet/clusterprofiles`;
  const object = profileObject('fleet', name, { apiVersion: `multicluster.x-k8s.io/${version}` });
  const made = await hub.ask('POST', path, object);
  const status = { status: object.status, spec: { displayName } };
  const patched = [
    await hub.ask('PATCH', `${path}/${name}/status`, status, mergePatch),
    await hub.ask('PATCH', `${path}/${name}`, status, mergePatch),
  ];
  expect([201, 409], String(made)).toContain(made);
  expect(patched).toEqual([200, 200]);
}

async function userOf(name: string, ...organizations: string[]): Promise<Obtained> {
  const issued = await issueClientCertificate(clientCa, { commonName: name, organizations });
  return {
    ok: true,
    credential: {
      token: null,
      certificate: { chainPem: issued.chainPem, keyPem: new Secret(issued.keyPem) },
      issuedAt: null,
      expiresAt: null,
    },
  };
}

async function follow(hub: ApiServer, obtained: Obtained, more: object = {}) {
  const events: { event: string; code?: unknown }[] = [];
  const log = {
    ...silentLog,
    debug: (event: string, fields: Record<string, unknown> = {}) =>
      void events.push({ event, code: fields['code'] }),
  };
  const store = opened.add(
    await openProfileStore({ folder, inventory: 'fleet', origin: 'hub', clock: processClock, log }),
  );
  const providers = [{ name: 'google', account: 'corp' }];
  const source = opened.add(
    startHubSource(
      { name: 'fleet', config: inventorySchema.parse({ cluster: 'hub', providers, ...more }) },
      {
        cluster: {
          name: 'hub',
          config: clusterSchema.parse({ server: hub.server, account: 'corp' }),
          certificateAuthorityPem: hub.caPem,
        },
        reach: {},
        obtain: async () => obtained,
        saw: async () => undefined,
      },
      { store, clock: processClock, random: Math.random, log },
    ),
  );
  return {
    store,
    source,
    events,
    names: () => [...store.profiles().keys()].sort(),
    live: () => expect.poll(() => store.state().kind).toBe('live'),
    lists: () => events.filter(({ event }) => event === 'inventory.listed').length,
  };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-hub-'));
  opened = new Disposables();
});
afterEach(async () => {
  await opened.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('a real kube-apiserver as hub', unless(why), () => {
  let hub: ApiServer;
  beforeAll(async () => {
    hub = await startHub([]);
  }, 3_900_000);
  afterAll(() => hub?.dispose());

  test('denies who may not list, in its words, until it does not', async () => {
    const denied = await follow(hub, await userOf('carol'));
    await expect.poll(() => denied.store.state().trouble?.code).toBe('forbidden');
    expect(denied.store.state().trouble?.text).toMatch(/User "carol" cannot list resource "clusterprofiles"/);
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [
      { apiGroups: ['multicluster.x-k8s.io'], resources: ['clusterprofiles'], verbs: ['list', 'watch'] },
    ];
    await hub.ask('POST', `${rbac}/clusterroles`, { metadata: { name: 'fleet' }, rules });
    await hub.ask('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'fleet' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'fleet' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carol' }],
    });
    await denied.live();
  });

  test('is listed by pages and watched, with bookmarks where nothing changes', async () => {
    const names = Array.from({ length: 520 }, (_, number) => `c${number}`);
    const path = `${group}/v1alpha1/namespaces/fleet/clusterprofiles`;
    for (const name of names) {
      expect(await hub.ask('POST', path, profileObject('fleet', name))).toBe(201);
    }
    const made = await follow(hub, await userOf('admin', 'system:masters'));
    await made.live();
    expect(made.names()).toHaveLength(520);
    await put(hub, 'v1alpha1', 'one', 'One');
    await expect.poll(() => made.store.profiles().get('fleet/one')?.displayName).toBe('One');
    await expect
      .poll(() => made.store.profiles().get('fleet/one')?.providers[0]?.server)
      .toBe('https://one.example.com');
    await hub.ask('DELETE', `${path}/one`);
    await expect.poll(made.names).toHaveLength(520);
    // Nothing but a bookmark says that all is well.
    await expect.poll(() => made.store.state().lagMilliseconds, { timeout: 60_000 }).toBeGreaterThan(10_000);
    await expect.poll(() => made.store.state().lagMilliseconds, { timeout: 120_000 }).toBeLessThan(5_000);
    expect(made.lists()).toBe(1);
    expect(await hub.ask('DELETE', path)).toBe(200);
    await expect.poll(made.names).toEqual([]);
  }, 240_000);

  test('changes its versions with an upgrade, and loses its CRD', async () => {
    await put(hub, 'v1alpha1', 'one');
    const made = await follow(hub, await userOf('admin', 'system:masters'));
    await made.live();
    const serve = async (...versions: string[]) =>
      expect(
        await hub.ask('PATCH', `${crds}/${crd.metadata.name}`, withVersions(crd, versions), mergePatch),
      ).toBe(200);
    await serve('v1alpha1', 'v1alpha2');
    await served(hub, 'v1alpha2');
    await serve('v1alpha2');
    await expect.poll(made.lists, { timeout: 60_000 }).toBeGreaterThan(1);
    await made.live();
    expect(made.names()).toEqual(['fleet/one']);
    await put(hub, 'v1alpha2', 'two');
    await expect.poll(made.names).toEqual(['fleet/one', 'fleet/two']);

    await hub.ask('DELETE', `${crds}/${crd.metadata.name}`);
    await expect.poll(() => made.store.state().trouble?.code, { timeout: 60_000 }).toBe('notServed');
    expect(made.store.state().kind).toBe('stale');
  }, 240_000);
});

describe('a real kube-apiserver that compacts etcd', unless(why), () => {
  let hub: ApiServer;
  beforeAll(async () => {
    // Without its own memory of events it gives what etcd has, and that is compacted every few seconds.
    hub = await startHub(['--watch-cache=false', '--etcd-compaction-interval=3s']);
  }, 3_900_000);
  afterAll(() => hub?.dispose());

  test('says 410 to a watch that goes on from before: it is listed anew, and nothing is lost', async () => {
    await put(hub, 'v1alpha1', 'one');
    const made = await follow(hub, await userOf('admin', 'system:masters'));
    await made.live();
    const expired = () => made.events.some(({ code }) => code === 'expired');
    await until(async () => {
      // So that there is something to compact, of which the watch hears nothing.
      await hub.ask('POST', '/api/v1/namespaces', { metadata: { generateName: 'other-' } });
      made.source.wake();
      return expired() ? true : null;
    }, '410');
    await put(hub, 'v1alpha1', 'two');
    await expect.poll(made.names).toEqual(['fleet/one', 'fleet/two']);
    await made.live();
    expect(made.lists()).toBeGreaterThan(1);
  }, 240_000);
});

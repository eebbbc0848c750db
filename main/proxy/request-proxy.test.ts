import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { cluster } from '../contract/config/cluster.ts';
import connectionFaults from '../contract/connection-faults.json' with { type: 'json' };
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { silentLog } from '../ports/log.ts';
import { DataPlane, type DataPlaneDeps, type Order, type StreamView, type Tell } from './data-plane.ts';
import { ListenerLeaf } from './listener-leaf.ts';
import { RequestProxyControl, type RequestProxyDeps } from './request-proxy.ts';

const caller = { pid: 1, startTime: '1', executable: null };

// (rule: way-in)
test('makes no request to a cluster that asks before a credential goes to it', async () => {
  const config = cluster.parse({ server: 'https://prod', account: 'a', proxy: {}, approval: 'always' });
  const loaded = { name: 'prod', config, certificateAuthorityPem: null };
  const control = new RequestProxyControl({
    gate: () => null,
    directory: { cluster: () => ({ ok: true, cluster: loaded }) },
  } as unknown as RequestProxyDeps);
  expect(await control.try('prod', '/version', AbortSignal.timeout(1_000))).toMatchObject({
    ok: false,
    code: 'proxy.asks',
  });
});

// (rule: way-in)
test.each(['darwin', 'win32'] as const)('on %s gives no way in, and says why', async (platform) => {
  const control = new RequestProxyControl({ platform } as RequestProxyDeps);
  await expect(control.wayIn({ name: 'prod' } as LoadedCluster, caller)).rejects.toMatchObject({
    code: 'proxy.system',
    reason: 'notPermitted',
    hint: expect.stringContaining('leave proxy out of prod'),
  });
});

/** The certificate that an account has now, whose key stays elsewhere. */
const held = (serial: number) => ({
  token: null,
  certificate: { chainPem: `certificate ${serial}`, keyPem: null, account: 'a', schemes: [] },
  issuedAt: null,
  expiresAt: null,
});

/** A request proxy, unlocked, with one proxied cluster and a data plane that is started when it is needed. */
function running() {
  const key = new Secret(Buffer.alloc(32, 7).toString('base64'));
  const authority = { certificate: 'CA', key };
  const config = cluster.parse({ server: 'https://prod', account: 'a', proxy: {} });
  const prod: LoadedCluster = { name: 'prod', config, certificateAuthorityPem: 'CA' };
  const now = { locked: null as Refusal | null, obeyed: 0, starts: () => undefined as unknown, serial: 1 };
  let hear: DataPlaneDeps['hear'] = () => undefined;
  const orders: Order[] = [];
  const plane = {
    ...{ port: 20_000, pid: 7, ended: new Promise(() => undefined) },
    order: (order: Order) => void orders.push(order),
    // It answers when it has obeyed what it was told before.
    streams: async () => {
      const told = orders.length;
      await nextTurn();
      now.obeyed = told;
      return [];
    },
  } as unknown as DataPlane;
  vi.spyOn(ListenerLeaf.prototype, 'for').mockResolvedValue(authority);
  vi.spyOn(DataPlane, 'start').mockImplementation(async (deps) => {
    hear = deps.hear;
    now.starts();
    return plane;
  });
  const vault = new FakeVault({ requestProxy: { port: 20_000, authority, key, epochs: {} } });
  const control = new RequestProxyControl({
    ...{ platform: 'linux', vault, clock: new ManualClock(), log: silentLog, environment: {} },
    gate: () => now.locked,
    directory: {
      cluster: () => ({ ok: true, cluster: prod }),
      clusters: () => [prod],
      account: (name: string) => ({ ok: true, account: { name, kind: 'pkcs11' } }),
    },
    identity: { ownPid: () => caller.pid, brief: () => null, process: () => null },
    processes: { bootId: () => 'boot' },
    grants: {
      obtain: async () => ({
        ok: true,
        grant: { credential: held(now.serial), generation: now.serial },
        how: 'held',
      }),
      renewNow: async () => {
        now.serial += 1;
      },
    },
    recorder: { record: () => undefined },
    observer: { passed: () => undefined },
  } as unknown as RequestProxyDeps);
  return { control, prod, vault, now, orders, hear: (told: Tell) => hear(told, plane) };
}

// (rule: way-in)
test('gives a way in when the data plane knows the cluster, not before', async () => {
  const { control, prod, now, orders } = running();
  await control.wayIn(prod, caller);
  expect(orders).toMatchObject([{ do: 'clusters', clusters: [{ name: 'prod' }] }, { do: 'open' }]);
  expect(now.obeyed).toBe(2);
});

// (rule: locked-issues-nothing)
test('says that Lanyard is locked, also where it was while the data plane started', async () => {
  const { control, prod, vault, now, orders } = running();
  now.starts = () => {
    now.locked = refuse('locked', 'vault.locked', 'lanyard is locked', 'run: lanyard unlock');
    vault.locked = true;
  };
  await expect(control.wayIn(prod, caller)).rejects.toMatchObject({ code: 'vault.locked' });
  expect(orders).toMatchObject([{ do: 'close', text: 'lanyard is locked; run: lanyard unlock' }]);
});

test('a certificate that the cluster’s TLS refuses is read again once, and what was given of it is forgotten', async () => {
  const { control, prod, now, orders, hear } = running();
  await control.wayIn(prod, caller);
  const asks = async () => {
    hear({ tell: 'need', id: 1, cluster: 'prod', pid: 1, rejected: null });
    await vi.waitFor(() => expect(orders.at(-1)).toMatchObject({ do: 'chain' }));
  };
  const refused = async () => {
    const fault = `prod (prod:443) ${connectionFaults.clientCertificate}`;
    hear({ tell: 'passed', status: 502, fault, stream: { cluster: 'prod', pid: 1 } as StreamView });
  };
  const forgets = () => orders.filter((order) => order.do === 'forget').length;
  await asks();
  const before = forgets();
  await refused();
  await vi.waitFor(() => expect(forgets()).toBe(before + 1));
  expect(now.serial).toBe(2);
  await asks();
  expect(orders.findLast((order) => order.do === 'clusters')).toMatchObject({
    clusters: [{ upstream: { clientCertificate: { certificate: 'certificate 2' } } }],
  });
  // Not again within a minute: nor does any other cluster’s chain go.
  await refused();
  await asks();
  expect([now.serial, forgets()]).toEqual([2, before + 1]);
});

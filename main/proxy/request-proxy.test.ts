import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { cluster } from '../contract/config/cluster.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { silentLog } from '../ports/log.ts';
import { DataPlane, type Order } from './data-plane.ts';
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

/** A request proxy, unlocked, with one proxied cluster and a data plane that is started when it is needed. */
function running() {
  const key = new Secret(Buffer.alloc(32, 7).toString('base64'));
  const authority = { certificate: 'CA', key };
  const config = cluster.parse({ server: 'https://prod', account: 'a', proxy: {} });
  const prod: LoadedCluster = { name: 'prod', config, certificateAuthorityPem: 'CA' };
  const now = { locked: null as Refusal | null, obeyed: 0, starts: () => undefined as unknown };
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
  vi.spyOn(DataPlane, 'start').mockImplementation(async () => {
    now.starts();
    return plane;
  });
  const vault = new FakeVault({ requestProxy: { port: 20_000, authority, key, epochs: {} } });
  const control = new RequestProxyControl({
    ...{ platform: 'linux', vault, clock: new ManualClock(), log: silentLog, environment: {} },
    gate: () => now.locked,
    directory: { cluster: () => ({ ok: true, cluster: prod }), clusters: () => [prod] },
    identity: { ownPid: () => caller.pid },
    processes: { bootId: () => 'boot' },
  } as unknown as RequestProxyDeps);
  return { control, prod, vault, now, orders };
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

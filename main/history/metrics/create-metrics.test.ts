import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { clusterName } from '../../domain/target/target.ts';
import { callEvent, oneOfEach } from '../testing/sample-events.ts';
import { createCountingRecorder } from './counting-recorder.ts';
import { createMetrics } from './create-metrics.ts';
import type { MeasuredInventory } from './inventory-metrics.ts';

function metrics(secondsLeft: number | null = 600, inventories: readonly MeasuredInventory[] = []) {
  const clock = new ManualClock();
  return createMetrics({
    version: '1.2.3',
    isKnown: (what, name) => (what === 'account' ? ['corp', 'ops', 'eks'] : ['prod']).includes(name),
    expiries: async () => [{ cluster: 'prod', account: 'corp', secondsLeft }],
    isLocked: () => true,
    isPlugin: (account) => account === 'eks',
    providerName: (account) => (account === 'ecr' ? 'ecr-credential-provider' : null),
    accessProvider: (account) => (account === 'corp' ? 'google' : null),
    inventories: async () => inventories,
    requestProxy: async () => ({
      isRunning: true,
      open: [{ cluster: 'prod' }, { cluster: 'prod' }],
      listeners: [{ cluster: 'prod' }],
      connections: 1,
    }),
    providerConfigHash: () => 'sha256:00ff',
    pluginCertificateEnds: () => [clock.now() + 90_000, clock.now() + 60_000],
    clock,
  });
}

/** Each sample line's value by its name and labels, as the text format has them. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, series, value] = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (series !== undefined && !line.startsWith('#')) {
      found.set(series, Number(value));
    }
  }
  return found;
}

describe('metrics', () => {
  it('counts one of each event under its own name', async () => {
    const all = metrics();
    for (const event of oneOfEach) {
      all.count(event);
    }
    const text = await all.text();
    const found = samples(text);
    expect(Object.fromEntries([...found].filter(([series]) => !series.includes('le=')))).toEqual({
      'lanyard_calls_total{door="kube",account="corp",cluster="prod",outcome="handedOut"}': 1,
      'lanyard_calls_total{door="kube",account="corp",cluster="none",outcome="refused"}': 1,
      'lanyard_call_duration_seconds_sum{door="kube",outcome="handedOut"}': 0.000321,
      'lanyard_call_duration_seconds_count{door="kube",outcome="handedOut"}': 1,
      'lanyard_call_duration_seconds_sum{door="kube",outcome="refused"}': 0.000321,
      'lanyard_call_duration_seconds_count{door="kube",outcome="refused"}': 1,
      'lanyard_logins_total{account="corp",flow="device",outcome="done"}': 1,
      'lanyard_logins_total{account="corp",flow="none",outcome="cancelled"}': 1,
      'lanyard_refreshes_total{account="corp",why="due",outcome="failed"}': 1,
      'lanyard_inferred_401_total{cluster="prod",verdict="rejected",action="renewed"}': 1,
      'lanyard_approvals_total{cluster="prod",outcome="denied"}': 1,
      'lanyard_credential_rotation_age_seconds_sum{account="corp"}': 540,
      'lanyard_credential_rotation_age_seconds_count{account="corp"}': 1,
      'lanyard_credential_expiry_seconds{cluster="prod",account="corp"}': 600,
      'lanyard_exec_plugin_duration_seconds_sum{account="eks",outcome="plugin_execution_error"}': 1.25,
      'lanyard_exec_plugin_duration_seconds_count{account="eks",outcome="plugin_execution_error"}': 1,
      'lanyard_exec_plugin_duration_seconds_sum{account="eks",outcome="answered"}': 0.6,
      'lanyard_exec_plugin_duration_seconds_count{account="eks",outcome="answered"}': 1,
      'rest_client_exec_plugin_call_total{call_status="no_error",code="0"}': 1,
      'rest_client_exec_plugin_call_total{call_status="plugin_execution_error",code="255"}': 1,
      rest_client_exec_plugin_certificate_rotation_age_sum: 0,
      rest_client_exec_plugin_certificate_rotation_age_count: 0,
      rest_client_exec_plugin_ttl_seconds: 60,
      'kubelet_credential_provider_plugin_errors_total{plugin_name="ecr-credential-provider"}': 1,
      'kubelet_credential_provider_plugin_duration_sum{plugin_name="ecr-credential-provider"}': 0.3,
      'kubelet_credential_provider_plugin_duration_count{plugin_name="ecr-credential-provider"}': 1,
      'kubelet_credential_provider_config_info{hash="sha256:00ff"}': 1,
      lanyard_locked: 1,
      lanyard_proxy_up: 1,
      lanyard_proxy_connections: 1,
      'lanyard_proxy_listeners{cluster="prod"}': 1,
      'lanyard_proxy_open_requests{cluster="prod"}': 2,
      lanyard_proxy_restarts_total: 0,
      lanyard_proxy_lost_requests_total: 0,
      'lanyard_build_info{version="1.2.3"}': 1,
    });
    expect(
      found.get('lanyard_call_duration_seconds_bucket{le="0.0005",door="kube",outcome="handedOut"}'),
    ).toBe(1);
    expect(found.get('lanyard_credential_rotation_age_seconds_bucket{le="600",account="corp"}')).toBe(1);
    expect(text).not.toMatch(/Alice|abc|id\.example\.com|kubectl/);
  });

  it('counts what docker got under no account, and names no registry', async () => {
    const all = metrics();
    const target = { kind: 'registry-login', name: 'ghcr.io' };
    all.count(callEvent({ door: 'docker', account: null, target, generation: null }));
    const text = await all.text();
    const series = 'lanyard_calls_total{door="docker",account="none",cluster="none",outcome="handedOut"}';
    expect(samples(text).get(series)).toBe(1);
    expect(text).not.toContain('ghcr.io');
  });

  // KEP-5339/metrics
  it('counts credentials by the access provider of profiles that their account is for', async () => {
    const all = metrics();
    all.obtained('corp', true, 40);
    all.obtained('corp', true, 2);
    all.obtained('corp', false, 3_000);
    all.obtained('ops', true, 1);
    const found = samples(await all.text());
    const of = (name: string) => found.get(`lanyard_clusterprofile_${name}`);
    expect(of('credentials_total{provider="google",state="obtained"}')).toBe(2);
    expect(of('credentials_total{provider="google",state="failed"}')).toBe(1);
    expect(of('credential_duration_seconds_count{provider="google"}')).toBe(3);
    expect(of('credential_duration_seconds_bucket{le="0.05",provider="google"}')).toBe(2);
  });

  it('has each inventory’s lag, what is wrong with its source, and its profiles by state', async () => {
    const all = metrics(600, [
      {
        name: 'fleet',
        state: { kind: 'live', lagMilliseconds: 1_500, trouble: null },
        profiles: { inUse: 3, pending: 1, available: 0 },
      },
      {
        name: 'edge',
        state: { kind: 'stale', lagMilliseconds: 7_200_000, trouble: { code: 'unauthorized' } },
        profiles: { inUse: 2 },
      },
      { name: 'new', state: { kind: 'starting', lagMilliseconds: null, trouble: null }, profiles: {} },
    ]);
    const found = samples(await all.text());
    expect(Object.fromEntries([...found].filter(([series]) => series.includes('_inventory_')))).toEqual({
      'lanyard_inventory_in_sync{inventory="fleet"}': 1,
      'lanyard_inventory_in_sync{inventory="edge"}': 0,
      'lanyard_inventory_in_sync{inventory="new"}': 0,
      'lanyard_inventory_sync_lag_seconds{inventory="fleet"}': 1.5,
      'lanyard_inventory_sync_lag_seconds{inventory="edge"}': 7_200,
      'lanyard_inventory_trouble{inventory="edge",code="unauthorized"}': 1,
      'lanyard_inventory_profiles{inventory="fleet",state="inUse"}': 3,
      'lanyard_inventory_profiles{inventory="fleet",state="pending"}': 1,
      'lanyard_inventory_profiles{inventory="fleet",state="available"}': 0,
      'lanyard_inventory_profiles{inventory="edge",state="inUse"}': 2,
    });
  });

  it('has no time to expiry without a cached credential', async () => {
    expect(await metrics(null).text()).not.toMatch(/^lanyard_credential_expiry_seconds[{ ]/m);
  });

  it('counts names that are not in the config together', async () => {
    const all = metrics();
    for (let count = 0; count < 5_000; count++) {
      all.count(
        callEvent({ account: `made-up-${count}`, target: clusterName(`"}\n${count}`), outcome: 'refused' }),
      );
    }
    const text = await all.text();
    expect(text.split('\n').length).toBeLessThan(150);
    expect(
      samples(text).get('lanyard_calls_total{door="kube",account="other",cluster="other",outcome="refused"}'),
    ).toBe(5_000);
  });
});

it('a call that could not be recorded counts as refused, and its error goes on', async () => {
  const all = metrics();
  const recorder = createCountingRecorder(
    {
      record: () => {
        throw new BrokerError('history.diskFull', 'full');
      },
    },
    all,
  );
  expect(() => recorder.record(callEvent())).toThrow('full');
  const found = samples(await all.text());
  expect([...found.keys()].filter((series) => series.startsWith('lanyard_calls_total'))).toEqual([
    'lanyard_calls_total{door="kube",account="corp",cluster="prod",outcome="refused"}',
  ]);
});

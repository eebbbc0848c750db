import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { rotationAgeBuckets } from '../../domain/figures/rotation-age-buckets.ts';
import { clusterOf } from '../../domain/target/target.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import type { ProxyObserver } from '../../ports/request-proxy.ts';
import {
  type AccessProviderDeps,
  createAccessProviderMetrics,
  type ObtainedCounter,
} from './access-provider-metrics.ts';
import { createExecPluginMetrics } from './exec-plugin-metrics.ts';
import { createInventoryMetrics, type InventoryMetricsDeps } from './inventory-metrics.ts';
import { createKubeletMetrics, type KubeletMetricsDeps } from './kubelet-metrics.ts';
import { createRequestProxyMetrics, type RequestProxyMetricsDeps } from './request-proxy-metrics.ts';

/** Seconds; a warm call takes less than the first, a user's login longer than the last. */
const durationBuckets = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

export interface MetricsDeps
  extends KubeletMetricsDeps,
    AccessProviderDeps,
    InventoryMetricsDeps,
    RequestProxyMetricsDeps {
  version: string;
  /** Names in config.yaml: others are counted together, so that made-up ones take no memory. */
  isKnown(what: 'account' | 'cluster', name: string): boolean;
  /** By cluster, the expiry of its cached credential; read at each scrape. */
  expiries(): Promise<readonly { cluster: string; account: string; secondsLeft: number | null }[]>;
  isLocked(): boolean;
  /** The account is a wrapped exec plugin. */
  isPlugin(account: string): boolean;
  /** NotAfter of each cached client certificate of wrapped plugins; milliseconds since 1970. */
  pluginCertificateEnds(): readonly number[];
  clock: Pick<Clock, 'now'>;
}

/** Counts and times since the broker's start. Labels are names in config.yaml and words of this program's. */
export interface Metrics extends ObtainedCounter {
  readonly contentType: string;
  readonly proxy: ProxyObserver;
  count(event: HistoryEvent): void;
  /** Prometheus's text format. */
  text(): Promise<string>;
}

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Counter({ name: `lanyard_${name}`, help, labelNames, registers });
  const calls = counter('calls_total', 'Requests for a credential', [
    'door',
    'account',
    'cluster',
    'outcome',
  ] as const);
  const durations = new Histogram({
    name: 'lanyard_call_duration_seconds',
    help: 'From a request’s arrival to the decision',
    labelNames: ['door', 'outcome'] as const,
    buckets: durationBuckets,
    registers,
  });
  const logins = counter('logins_total', 'Logins', ['account', 'flow', 'outcome'] as const);
  const refreshes = counter('refreshes_total', 'Renewals of a credential', [
    'account',
    'why',
    'outcome',
  ] as const);
  const rejections = counter('inferred_401_total', 'Credentials that a cluster seemed to reject', [
    'cluster',
    'verdict',
    'action',
  ] as const);
  const approvals = counter('approvals_total', 'Questions to the user', ['cluster', 'outcome'] as const);
  const ages = new Histogram({
    name: 'lanyard_credential_rotation_age_seconds',
    help: 'Age of a credential when the next one took its place',
    labelNames: ['account'] as const,
    buckets: rotationAgeBuckets,
    registers,
  });
  const runs = new Histogram({
    name: 'lanyard_exec_plugin_duration_seconds',
    help: 'How long a wrapped exec plugin ran, the user’s time at its questions included',
    labelNames: ['account', 'outcome'] as const,
    buckets: durationBuckets,
    registers,
  });
  const execPlugins = createExecPluginMetrics(deps);
  const kubelet = createKubeletMetrics(deps);
  // What is obtained again unchanged is no event of the history.
  const accessProviders = createAccessProviderMetrics(deps, registers);
  createInventoryMetrics(deps, registers);
  const proxy = createRequestProxyMetrics(deps, registers);
  new Gauge({
    name: 'lanyard_credential_expiry_seconds',
    help: 'Seconds until the credential cached for a cluster expires; absent where none is cached',
    labelNames: ['cluster', 'account'] as const,
    registers,
    async collect() {
      this.reset();
      for (const { cluster, account, secondsLeft } of await deps.expiries()) {
        if (secondsLeft !== null) {
          this.set({ cluster, account }, secondsLeft);
        }
      }
    },
  });
  new Gauge({
    name: 'lanyard_locked',
    help: '1 while nothing is issued',
    registers,
    collect() {
      this.set(deps.isLocked() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'lanyard_build_info',
    help: 'The version that runs',
    labelNames: ['version'] as const,
    registers,
  }).set({ version: deps.version }, 1);

  const account = (name: string | null) =>
    name === null ? 'none' : deps.isKnown('account', name) ? name : 'other';
  const cluster = (name: string | null) =>
    name === null ? 'none' : deps.isKnown('cluster', name) ? name : 'other';

  return {
    contentType: registry.contentType,
    proxy,
    obtained: (name, isGood, milliseconds) => accessProviders.obtained(name, isGood, milliseconds),
    text: async () => `${await registry.metrics()}\n${await execPlugins.text()}${await kubelet.text()}`,
    count(event) {
      execPlugins.count(event);
      kubelet.count(event);
      switch (event.kind) {
        case 'call': {
          const { door, outcome } = event;
          calls.inc({
            door,
            account: account(event.account),
            cluster: cluster(clusterOf(event.target)),
            outcome,
          });
          durations.observe({ door, outcome }, event.microseconds / 1_000_000);
          return;
        }
        case 'login':
          logins.inc({
            account: account(event.account),
            flow: event.flow ?? 'none',
            outcome: event.outcome,
          });
          return;
        case 'renewal':
          refreshes.inc({ account: account(event.account), why: event.why, outcome: event.outcome });
          return;
        case 'rejection': {
          const { verdict, action } = event;
          if (action === 'shown' || action === 'cleared' || action === 'forgotten') {
            return; // nothing was inferred
          }
          rejections.inc({ cluster: cluster(clusterOf(event.target)), verdict, action });
          return;
        }
        case 'approval':
          approvals.inc({ cluster: cluster(clusterOf(event.target)), outcome: event.outcome });
          return;
        case 'generation':
          if (event.previousAge !== null) {
            ages.observe({ account: account(event.account) }, Math.max(0, event.previousAge) / 1_000);
          }
          return;
        case 'pluginRun':
          if (event.plugin !== 'execPlugin') {
            return;
          }
          runs.observe(
            { account: account(event.account), outcome: runOutcome(event) },
            event.milliseconds / 1_000,
          );
          return;
        case 'logout':
        case 'inventory':
        case 'lock':
        case 'change':
        // Counted as they pass: not all are recorded one by one.
        case 'request':
        case 'moreRequests':
          return;
      }
    },
  };
}

/** `answered`; `unusable`: it ended well, and its answer was none; else what client-go calls it. */
function runOutcome({ code, callStatus }: Extract<HistoryEvent, { kind: 'pluginRun' }>): string {
  return code === null ? 'answered' : callStatus === 'no_error' ? 'unusable' : callStatus;
}

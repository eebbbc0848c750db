import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import type { HistoryEvent } from '../../ports/history.ts';
import { componentBaseHelp as help } from './component-base-help.ts';
import { goText } from './go-text.ts';

/** Seconds; DefBuckets of Prometheus’s Go library. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface KubeletMetricsDeps {
  /** The program’s name of the account’s provider plugin: what a kubelet’s configuration calls it. Null: unknown. */
  providerName(account: string): string | null;
  /** `sha256:…` of the provider plugins’ configuration; null: there are none. */
  providerConfigHash(): string | null;
}

/**
 * The metrics that a kubelet has of its image credential providers (KEP-2133/metrics), of those that Lanyard runs: names,
 * labels, buckets and help as the kubelet’s registry prints them.
 */
export interface KubeletMetrics {
  count(event: HistoryEvent): void;
  /** To the last character what component-base's registry prints after the same runs. */
  text(): Promise<string>;
}

export function createKubeletMetrics(deps: KubeletMetricsDeps): KubeletMetrics {
  // A separate registry would print them in prom-client's form.
  const registers: never[] = [];
  const labelNames = ['plugin_name'] as const;
  const errors = new Counter({
    name: 'kubelet_credential_provider_plugin_errors_total',
    help: help('Number of errors from credential provider plugin'),
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'kubelet_credential_provider_plugin_duration',
    help: help('Duration of execution in seconds for credential provider plugin'),
    labelNames,
    buckets: durationBuckets,
    registers,
  });
  const config = new Gauge({
    name: 'kubelet_credential_provider_config_info',
    help: help('Information about the last applied credential provider configuration with hash as label'),
    labelNames: ['hash'] as const,
    registers,
    collect() {
      this.reset();
      const hash = deps.providerConfigHash();
      if (hash !== null) {
        this.set({ hash }, 1);
      }
    },
  });
  return {
    count(event) {
      if (event.kind !== 'pluginRun' || event.plugin !== 'credentialProvider') {
        return;
      }
      const labels = { plugin_name: deps.providerName(event.account) ?? 'other' };
      durations.observe(labels, event.milliseconds / 1_000);
      // A run that ended well with a bad answer is no error.
      if (event.callStatus !== 'no_error') {
        errors.inc(labels);
      }
    },
    async text() {
      const families = await Promise.all([errors, durations, config].map((metric) => metric.get()));
      return goText(families.map((each) => ({ ...each, type: String(each.type) })));
    },
  };
}

import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import { rotationAgeBuckets } from '../../domain/figures/rotation-age-buckets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { componentBaseHelp as help } from './component-base-help.ts';
import { goText } from './go-text.ts';

export interface ExecPluginMetricsDeps {
  isPlugin(account: string): boolean;
  pluginCertificateEnds(): readonly number[];
  clock: Pick<Clock, 'now'>;
}

/**
 * The metrics that client-go has of exec plugins (KEP-541), of the plugins that Lanyard wraps: names, labels, buckets and
 * help as Kubernetes' component-base prints them, so that alerts and dashboards written for those take these
 * (KEP-541/metrics).
 */
export interface ExecPluginMetrics {
  count(event: HistoryEvent): void;
  /** To the last character what component-base's registry prints after the same events. */
  text(): Promise<string>;
}

export function createExecPluginMetrics(deps: ExecPluginMetricsDeps): ExecPluginMetrics {
  // A separate registry would print them in prom-client's form.
  const registers: never[] = [];
  const ttl = new Gauge({
    name: 'rest_client_exec_plugin_ttl_seconds',
    help: help(
      'Gauge of the shortest TTL (time-to-live) of the client certificate(s) managed by the auth exec plugin.',
      'The value is in seconds until certificate expiry (negative if already expired).',
      'If auth exec plugins are unused or manage no TLS certificates, the value will be +INF.',
    ),
    registers,
    collect() {
      this.set(
        (Math.min(Number.POSITIVE_INFINITY, ...deps.pluginCertificateEnds()) - deps.clock.now()) / 1_000,
      );
    },
  });
  const rotations = new Histogram({
    name: 'rest_client_exec_plugin_certificate_rotation_age',
    help: help(
      'Histogram of the number of seconds the last auth exec plugin client certificate lived before being rotated.',
      'If auth exec plugin client certificates are unused, histogram will contain no data.',
    ),
    buckets: rotationAgeBuckets,
    registers,
  });
  const calls = new Counter({
    name: 'rest_client_exec_plugin_call_total',
    help: help(
      'Number of calls to an exec plugin, partitioned by the type of event encountered',
      '(no_error, plugin_execution_error, plugin_not_found_error, client_internal_error) and an optional exit code.',
      'The exit code will be set to 0 if and only if the plugin call was successful.',
    ),
    labelNames: ['code', 'call_status'] as const,
    registers,
  });
  return {
    count(event) {
      if (event.kind === 'pluginRun') {
        if (event.plugin !== 'execPlugin') {
          return;
        }
        calls.inc({ code: String(event.exitCode), call_status: event.callStatus });
      } else if (
        event.kind === 'generation' &&
        event.replacedCertificateAge !== null &&
        deps.isPlugin(event.account)
      ) {
        rotations.observe(event.replacedCertificateAge / 1_000);
      }
    },
    async text() {
      const families = await Promise.all([ttl, rotations, calls].map((metric) => metric.get()));
      return goText(families.map((each) => ({ ...each, type: String(each.type) })));
    },
  };
}

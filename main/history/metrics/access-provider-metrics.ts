import Counter from 'prom-client/lib/counter.js';
import Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';

export interface AccessProviderDeps {
  /** The access provider of an inventory that an account is for, as profiles name it; null: it is for none. */
  accessProvider(account: string): string | null;
}

/** Counts what accounts were asked for. */
export interface ObtainedCounter {
  /** An account was asked for a credential, and gave one (also the same again) or failed. */
  obtained(account: string, isGood: boolean, milliseconds: number): void;
}

/** Seconds: from a Secret of a near hub to a plugin’s longest run. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The two metrics that KEP-5339 names (Monitoring Requirements), which the community’s library doesn’t have: credentials
 * obtained by the type of plugin and the state of its reply, and how long that took. The type is the provider’s name
 * (KEP-5339/metrics).
 */
export function createAccessProviderMetrics(
  { accessProvider }: AccessProviderDeps,
  registers: Registry[],
): ObtainedCounter {
  const credentials = new Counter({
    name: 'lanyard_clusterprofile_credentials_total',
    help: 'Credentials that an account was asked for, by the access provider of ClusterProfiles that it is for',
    labelNames: ['provider', 'state'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'lanyard_clusterprofile_credential_duration_seconds',
    help: 'How long it took to obtain one, or to fail',
    labelNames: ['provider'] as const,
    buckets: durationBuckets,
    registers,
  });
  return {
    obtained(account, isGood, milliseconds) {
      const provider = accessProvider(account);
      if (provider !== null) {
        credentials.inc({ provider, state: isGood ? 'obtained' : 'failed' });
        durations.observe({ provider }, milliseconds / 1_000);
      }
    },
  };
}

import { basename } from 'node:path';
import { type CachedCredential, isPlugin, pluginCertificateEnds } from '../accounts/plugins/certificates.ts';
import type { Disposables } from '../base/disposables.ts';
import { groupOf } from '../contract/config/config.ts';
import { ownProviderConfigHash } from '../domain/image/own-provider-config.ts';
import { accessProviderOf } from '../domain/inventory/access-provider.ts';
import { createCountingRecorder } from '../history/metrics/counting-recorder.ts';
import { createMetrics, type Metrics, type MetricsDeps } from '../history/metrics/create-metrics.ts';
import { createScrapeEndpoint, type ScrapeEndpoint } from '../history/metrics/scrape-endpoint.ts';
import type { Recorder } from '../ports/history.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Served } from './served.ts';

/** Where events go, and their counters. */
export interface Records {
  recorder: Recorder;
  metrics: Metrics;
  scraping: ScrapeEndpoint;
}

/** What the metrics need of parts that are made later, read at each scrape. */
export interface ReadLater
  extends Pick<MetricsDeps, 'expiries' | 'isLocked' | 'inventories' | 'requestProxy'> {
  heldOf(account: string): readonly CachedCredential[];
}

export function createRecords(
  { version, config, history, clock, log }: BrokerDeps,
  { serving, bindings }: Served,
  { expiries, isLocked, inventories, requestProxy, heldOf }: ReadLater,
  disposables: Disposables,
): Records {
  const metrics = createMetrics({
    version,
    isKnown: (what, name) => config.current()[groupOf(what)].has(name),
    expiries,
    isLocked,
    inventories,
    requestProxy,
    isPlugin: (name) => isPlugin(serving.current().accounts.get(name)),
    providerName: (name) => {
      const found = serving.current().accounts.get(name)?.config;
      return found && 'credentialProvider' in found ? basename(found.credentialProvider.command) : null;
    },
    accessProvider: (name) => accessProviderOf(name, serving.current()),
    providerConfigHash: () => ownProviderConfigHash(serving.current()),
    pluginCertificateEnds: () => pluginCertificateEnds(serving, heldOf, clock.now()),
    clock,
  });
  const scraping = disposables.add(
    createScrapeEndpoint({ metrics, listen: () => bindings.settings()?.metrics.listen, log }),
  );
  return { recorder: createCountingRecorder(history, metrics), metrics, scraping };
}

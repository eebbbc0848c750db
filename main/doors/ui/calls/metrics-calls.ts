import { type PluginHealth, type PluginReader, rotationDays } from '../../../accounts/plugins/report.ts';
import { allowedFailures } from '../../../domain/figures/plugin-objectives.ts';
import { rotationAgeBuckets } from '../../../domain/figures/rotation-age-buckets.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import type { UiHandlers } from '../handlers.ts';

export interface MetricsCallsDeps {
  plugins: Pick<PluginReader, 'all'>;
  history: {
    reader: Pick<HistoryReader, 'callsOverTime' | 'answerTimes' | 'runsOverTime' | 'rotationAges' | 'names'>;
  };
  metrics: { text(): Promise<string> };
}

type Names = 'metrics.objectives' | 'metrics.overTime' | 'metrics.text';

/** The metrics of exec plugins: KEP-541’s objectives, and numbers over time. */
export function createMetricsCalls({
  plugins,
  history: { reader },
  metrics,
}: MetricsCallsDeps): Pick<UiHandlers, Names> {
  return {
    'metrics.objectives': async () => ({
      rotationDays,
      plugins: (await plugins.all())
        .filter(({ plugin }) => plugin === 'execPlugin')
        .map(({ account, command, clusters, held, ...health }) => ({
          account,
          command,
          ...healthOf(health),
          clusters: clusters.map((each) => ({ cluster: each.cluster, ...healthOf(each) })),
          held: held.map(({ cluster, expiresAt }) => ({ cluster, expiresAt })),
        })),
      clusters: reader.names('cluster'),
    }),
    'metrics.overTime': async ({ plugin, cluster, since, until, steps }, { signal }) => {
      const of = { account: plugin ?? undefined, cluster: cluster ?? undefined, since, until };
      const calls = await reader.callsOverTime({ ...of, steps });
      signal.throwIfAborted();
      const answers = await reader.answerTimes({ ...of, steps });
      signal.throwIfAborted();
      const runs = await reader.runsOverTime({ ...of, steps });
      signal.throwIfAborted();
      const { buckets } = await reader.rotationAges({ ...of, bucketSeconds: rotationAgeBuckets });
      return { calls, answers, runs, rotationAges: buckets };
    },
    'metrics.text': async () => ({ text: await metrics.text() }),
  };
}

function healthOf({ calls, rotations, troubles }: PluginHealth) {
  return {
    calls: { ...calls, allowed: allowedFailures(calls.runs) },
    rotations,
    troubles: [...troubles],
  };
}

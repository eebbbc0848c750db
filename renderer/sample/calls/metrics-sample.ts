import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { chance } from '../past/chance.ts';
import { callSteps, stepsOf, trafficOf } from '../past/sample-traffic.ts';
import type { SomeHandlers } from '../sample-calls.ts';
import { pluginOf } from '../sample-plugins.ts';
import type { SampleWorld } from '../sample-world.ts';
import { days } from '../spans.ts';

type Plugin = CallOutput<'metrics.objectives'>['plugins'][number];
type Health = Pick<Plugin, 'calls' | 'rotations' | 'troubles'>;

/** client-go's buckets of a certificate's age, in seconds. */
const buckets = [
  600, 1800, 3600, 14_400, 86_400, 604_800, 2_592_000, 7_776_000, 15_552_000, 31_104_000, 124_416_000,
];

export const metricsSample = {
  'metrics.objectives': (_, { world }) => ({
    rotationDays: 30,
    plugins: world
      .list('accounts')
      .filter(({ kind }) => kind === 'execPlugin')
      .map(({ name, state }) => {
        const clusters = world.list('clusters').filter(({ account }) => account === name);
        const health = healthOf(state === 'failing', name);
        return {
          account: name,
          command: pluginOf(name).command,
          ...health,
          clusters: clusters.map((cluster) => ({ cluster: cluster.name, ...health })),
          held: clusters.flatMap(({ name: cluster, credential }) =>
            credential === null ? [] : [{ cluster, expiresAt: credential.expiresAt }],
          ),
        };
      }),
    clusters: world.list('clusters').map(({ name }) => name),
  }),
  'metrics.overTime': ({ plugin, cluster, ...window }, { world }) => {
    const now = world.time.now();
    const clusters = chosen(world, plugin, cluster);
    const isAll = plugin === null && cluster === null;
    return {
      calls: callSteps(clusters, window, now),
      answers: stepsOf(window.since, window.until, window.steps).map((step) => {
        const answers = clusters.reduce(
          (sum, each) => sum + trafficOf(each, step.since, step.until, now).held,
          0,
        );
        const luck = chance('answer', step.since);
        const [p50, p90, p99] = [900 + 500 * luck, 1900 + 900 * luck, 4200 + 9000 * luck ** 3];
        return answers === 0
          ? { ...step, answers, p50: null, p90: null, p99: null }
          : { ...step, answers, p50, p90, p99 };
      }),
      runs: stepsOf(window.since, window.until, window.steps).map((step) => ({
        ...step,
        counts: runsOf(
          clusters.filter(({ kind }) => kind === 'execPlugin'),
          step,
          now,
        ),
      })),
      rotationAges: [...buckets, null].map((upToSeconds, index) => ({
        upToSeconds,
        rotations:
          isAll || clusters.some(({ kind }) => kind === 'clientCertificate') ? (ages[index] ?? 0) : 0,
      })),
    };
  },
  'metrics.text': () => ({ text }),
} satisfies SomeHandlers;

const ages = [0, 0, 1, 2, 9, 14, 21, 6, 0, 0, 0, 0];

function chosen(world: SampleWorld, plugin: string | null, cluster: string | null): ClusterView[] {
  return world
    .list('clusters')
    .filter(
      ({ name, account }) =>
        (plugin === null || account === plugin) && (cluster === null || name === cluster),
    );
}

function runsOf(
  clusters: readonly ClusterView[],
  { since, until }: { since: number; until: number },
  now: number,
) {
  const traffic = clusters.map((each) => trafficOf(each, since, until, now));
  const good = traffic.reduce((sum, { renewed, held }) => sum + renewed + Math.ceil(held / 3), 0);
  const failed = traffic.reduce((sum, each) => sum + each.failed, 0);
  return [
    { callStatus: 'no_error' as const, exitCode: 0, answered: true, runs: good },
    { callStatus: 'plugin_execution_error' as const, exitCode: 1, answered: false, runs: failed },
  ].filter(({ runs }) => runs > 0);
}

function healthOf(isFailing: boolean, name: string): Health {
  const runs = 60 + Math.floor(chance('runs', name) * 180);
  return {
    calls: { runs, failed: isFailing ? 14 : 0, unusable: 0, isMet: !isFailing, allowed: 0 },
    rotations: { within: 0, early: 0, rejected: 0, late: 0, idle: 0, isMet: null },
    troubles: isFailing ? ['errorsRise'] : [],
  };
}

const text = `# HELP rest_client_exec_plugin_call_total Number of calls to an exec plugin, partitioned by exit code and call status.
# TYPE rest_client_exec_plugin_call_total counter
rest_client_exec_plugin_call_total{code="0",call_status="no_error"} 1204
rest_client_exec_plugin_call_total{code="1",call_status="plugin_execution_error"} 14
# HELP rest_client_exec_plugin_ttl_seconds Shortest TTL of the certificates that are held.
# TYPE rest_client_exec_plugin_ttl_seconds gauge
rest_client_exec_plugin_ttl_seconds ${days(6) / 1000}
`;

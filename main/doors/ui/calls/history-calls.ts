import { setImmediate as nextTurn } from 'node:timers/promises';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { HistoryFigures, Lane, Span } from '../../../ports/history-figures.ts';
import type { UiHandlers } from '../handlers.ts';
import { type MarkKind, markShape, markWords } from '../rules/lane-words.ts';

export interface HistoryCallsDeps {
  config: Pick<ConfigStore, 'current'>;
  history: { reader: HistoryFigures };
  clock: Pick<Clock, 'now'>;
}

/** The history of clusters. Available while locked: it has no secrets. */
export function createHistoryCalls({
  config,
  history: { reader },
  clock,
}: HistoryCallsDeps): Pick<UiHandlers, 'cluster.lane' | 'lanes' | 'cluster.calls' | 'cluster.askers'> {
  const laneOf = (cluster: string, span: Span, most: number): Promise<Lane> | null => {
    const found = config.current().clusters.get(cluster)?.config;
    return found === undefined
      ? null
      : reader.lane({
          account: found.account,
          audience: found.audience ?? null,
          cluster,
          ...span,
          most,
          now: clock.now(),
        });
  };
  return {
    'cluster.lane': async ({ cluster, since, until, most }) => {
      const lane = await laneOf(cluster, { since, until }, most);
      if (lane === null) {
        throw unknownCluster(cluster);
      }
      return {
        segments: lane.segments,
        marks: lane.marks.map((mark) => ({ ...mark, ...drawn(mark), what: mark.kind })),
      };
    },
    lanes: async ({ clusters, since, until, most }, { signal }) => {
      const lanes: [string, { segments: Lane['segments']; marks: ReturnType<typeof drawn>[] }][] = [];
      for (const cluster of clusters) {
        // One thread reads these and serves all doors: let other requests run in between.
        await nextTurn();
        signal.throwIfAborted();
        const lane = await laneOf(cluster, { since, until }, most);
        if (lane) {
          // An uncertain 401 is only shown in the cluster’s details.
          const marks = lane.marks.filter(({ kind }) => kind !== 'doubted').map(drawn);
          lanes.push([cluster, { segments: lane.segments, marks }]);
        }
      }
      return { lanes: Object.fromEntries(lanes) };
    },
    'cluster.calls': async (query) => ({ steps: await reader.callsOverTime(query) }),
    'cluster.askers': async ({ most, ...query }) => {
      const askers = await reader.askers(query);
      return { askers: askers.slice(0, most), more: Math.max(0, askers.length - most) };
    },
  };
}

function drawn({ at, kind, count }: { at: number; kind: MarkKind; count: number }) {
  return { at, kind: markShape(kind), words: markWords(kind, count) };
}

function unknownCluster(name: string): BrokerError {
  return new BrokerError('cluster.unknown', `there is no cluster named ${name}`, {
    reason: 'notFound',
    hint: 'it may have been removed meanwhile',
  });
}

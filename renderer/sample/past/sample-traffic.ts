import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { hours, minutes } from '../spans.ts';
import { chance } from './chance.ts';
import { memory } from './sample-lane.ts';

/** Calls by outcome. */
export interface Traffic {
  held: number;
  renewed: number;
  declined: number;
  failed: number;
}

/** Invented calls for one cluster in a time. */
export function trafficOf(cluster: ClusterView, since: number, until: number, now: number): Traffic {
  const none = { held: 0, renewed: 0, declined: 0, failed: 0 };
  const [from, to] = [Math.max(since, now - memory), Math.min(until, now)];
  if (to <= from || cluster.lastCall === null) {
    return none;
  }
  const perHour = 3 + 17 * chance('rate', cluster.name);
  const luck = chance(cluster.name, since);
  const all = Math.round(perHour * ((to - from) / hours(1)) * busyness(from, to) * (0.4 + 1.2 * luck));
  const recent = (ago: number) => to > now - ago;
  if (cluster.state === 'failing' && recent(hours(2))) {
    return { ...none, held: Math.floor(all / 2), failed: Math.max(1, Math.ceil(all / 2)) };
  }
  if (cluster.state === 'loginNeeded' && recent(minutes(95))) {
    return { ...none, declined: Math.max(1, all) };
  }
  const renewed = Math.min(all, Math.round((to - from) / hours(4)));
  const declined = luck > 0.93 && all > 2 ? 1 : 0;
  return { ...none, held: all - renewed - declined, renewed, declined };
}

/** The load is high by day, and low on Saturday and Sunday. */
function busyness(from: number, to: number): number {
  if (to - from > hours(6)) {
    return 0.6;
  }
  const middle = new Date((from + to) / 2);
  const hour = middle.getHours();
  const atWork = hour >= 8 && hour < 19 ? 1.4 : 0.2;
  return middle.getDay() % 6 === 0 ? atWork / 4 : atWork;
}

/** Splits a time into equal parts. */
export function stepsOf(since: number, until: number, count: number): { since: number; until: number }[] {
  const length = (until - since) / count;
  return Array.from({ length: count }, (_, index) => ({
    since: Math.round(since + index * length),
    until: Math.round(since + (index + 1) * length),
  }));
}

/** Calls over time, of several clusters together. */
export function callSteps(
  clusters: readonly ClusterView[],
  { since, until, steps }: { since: number; until: number; steps: number },
  now: number,
): CallOutput<'cluster.calls'>['steps'] {
  return stepsOf(since, until, steps).map((step) => {
    const traffic = clusters.map((cluster) => trafficOf(cluster, step.since, step.until, now));
    const sum = (of: keyof Traffic) => traffic.reduce((total, each) => total + each[of], 0);
    return {
      ...step,
      counts: [
        { class: 'handedOut' as const, reason: 'held', calls: sum('held') },
        { class: 'handedOut' as const, reason: 'renewed', calls: sum('renewed') },
        { class: 'declined' as const, reason: 'login.needed', calls: sum('declined') },
        { class: 'failed' as const, reason: 'plugin.failed', calls: sum('failed') },
      ].filter(({ calls }) => calls > 0),
    };
  });
}

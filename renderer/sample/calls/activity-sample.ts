import { callEvent, eventsBack, passes, type SampleEvent, shownEvent } from '../past/sample-events.ts';
import type { SomeHandlers } from '../sample-calls.ts';
import type { SampleWorld } from '../sample-world.ts';
import { seconds } from '../spans.ts';

export const activitySample = {
  'activity.query': ({ filter, before, limit }, { world }) => {
    const found = [...lastCalls(world), ...eventsBack(world.list('clusters'), filter.since, world.time.now())]
      .filter((event) => passes(event, filter) && (before === undefined || event.at < before.at))
      .sort((a, b) => b.at - a.at);
    const events = found.slice(0, limit).map(shownEvent);
    const last = events.at(-1);
    return { events, next: found.length > limit && last ? { at: last.at, id: last.id } : null };
  },
  'activity.follow': async ({ filter }, { world, progress, wait }) => {
    // Ends only when the page cancels: `wait` then never resolves.
    for (let told = world.time.now(); ; told = world.time.now()) {
      await wait(seconds(1));
      const events = lastCalls(world).filter((event) => event.at >= told && passes(event, filter));
      if (events.length > 0) {
        progress({ events: events.map(shownEvent), missed: false });
      }
    }
  },
  'activity.export': ({ filter }, { world, progress }) => {
    const events = eventsBack(world.list('clusters'), filter.since, world.time.now())
      .filter((event) => passes(event, filter))
      .map(shownEvent);
    progress({ text: events.map((event) => `${JSON.stringify(event)}\n`).join('') });
    return { events: events.length, cut: false };
  },
} satisfies SomeHandlers;

/** The calls that the clusters show as their last. */
function lastCalls(world: SampleWorld): SampleEvent[] {
  return world.list('clusters').flatMap((cluster) => {
    const { lastCall } = cluster;
    return lastCall === null
      ? []
      : [callEvent(cluster, lastCall.at, lastCall.program ?? 'kubectl', lastCall.parent ?? 'zsh')];
  });
}

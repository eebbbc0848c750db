import { useEffect, useRef, useState } from 'react';
import type { LaneView } from '../../../../main/contract/ui/lane.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useBroker, useClient } from '../../../stores/use-broker.tsx';

/** The time shown before and after now. */
export const laneSpan = 4 * 3_600_000;
/** Requests a little more than is shown, so that a passing minute causes no request. */
const aheadMilliseconds = 15 * 60_000;
/** The most lanes in one call. */
const batch = 100;
/** Doesn't request rows that pass by while the user scrolls. */
const restMilliseconds = 40;

interface Known {
  mark: string;
  lane: LaneView;
}

/** The lanes of the visible clusters. Requests each once, and again when its `laneVersion` changes. */
export function useLanes(clusters: readonly ClusterView[], now: number): ReadonlyMap<string, LaneView> {
  const client = useClient();
  const isOpen = useBroker((state) => state.connection.kind === 'open');
  const known = useRef(new Map<string, Known>());
  const [lanes, setLanes] = useState<ReadonlyMap<string, LaneView>>(() => new Map());
  const since = Math.floor(now / aheadMilliseconds) * aheadMilliseconds - laneSpan;
  const wanted = clusters
    .map(({ name, laneVersion }) => ({ name, mark: `${since} ${laneVersion}` }))
    .filter(({ name, mark }) => known.current.get(name)?.mark !== mark)
    .slice(0, batch);
  const key = isOpen ? JSON.stringify(wanted) : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is wanted
  useEffect(() => {
    if (!isOpen || wanted.length === 0) {
      return undefined;
    }
    const leaving = new AbortController();
    const take = (found: Readonly<Record<string, LaneView>>) => {
      for (const { name, mark } of wanted) {
        const lane = Object.hasOwn(found, name) ? found[name] : undefined;
        known.current.set(name, { mark, lane: lane ?? { segments: [], marks: [] } });
      }
      setLanes(new Map([...known.current].map(([name, { lane }]) => [name, lane])));
    };
    const timer = setTimeout(() => {
      const input = {
        clusters: wanted.map(({ name }) => name),
        since,
        until: since + 2 * laneSpan + aheadMilliseconds,
        most: 100,
      };
      // If it fails, the list shows everything but the past. Requests it again with the next change.
      client.call('lanes', input, { signal: leaving.signal }).then(
        (answer) => take(answer.lanes),
        () => undefined,
      );
    }, restMilliseconds);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, key]);
  return lanes;
}

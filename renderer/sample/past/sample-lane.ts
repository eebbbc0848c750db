import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { days, hours, minutes } from '../spans.ts';

export type SampleLane = CallOutput<'cluster.lane'>;
type Segment = SampleLane['segments'][number];
type Mark = SampleLane['marks'][number];

/** How far back the invented history goes. */
export const memory = days(60);
/** The life of past credentials. */
const usualLife = { life: hours(1), interval: minutes(53) };

/** The invented lane of one cluster at a moment. */
export function laneOf(
  cluster: ClusterView,
  { since, until, most }: { since: number; until: number; most: number },
  now: number,
): SampleLane {
  const all = segmentsBack(cluster, Math.max(since, now - memory), now);
  const marks = marksOf(cluster, now);
  return {
    segments: merged(
      all.filter(({ from, until: end }) => from < until && (end ?? now) > since),
      most,
    ),
    marks: marks.filter(({ at }) => at >= since && at <= until),
  };
}

/** Oldest first. */
function segmentsBack({ name, credential, state, kind }: ClusterView, since: number, now: number): Segment[] {
  const what = kind === 'clientCertificate' ? 'certificate' : 'token';
  const usual = { credential: what, count: 1 } as const;
  const segments: Segment[] = [];
  let end: number;
  let interval = usualLife.interval;
  let newest = 40;
  if (credential?.issuedAt != null) {
    const { issuedAt, expiresAt, renewsAt, generation } = credential;
    newest = generation;
    const first = generation === 1;
    segments.push({
      ...usual,
      from: issuedAt,
      until: expiresAt,
      generation,
      current: true,
      why: first ? 'found' : 'ahead',
    });
    if (expiresAt === null || first) {
      return segments;
    }
    interval = Math.max(minutes(1), (renewsAt ?? expiresAt) - issuedAt);
    end = issuedAt;
  } else if (state === 'loginNeeded' || state === 'failing') {
    end = now - minutes(state === 'failing' ? 4 : 95);
  } else {
    return segments;
  }
  for (let number = 0; end > since && number < 3000; number += 1) {
    const from = end - interval;
    // There are no requests at night: the first credential of the morning is fetched for the first request.
    const why =
      new Date(from).getHours() === 8
        ? 'needed'
        : number === 2 && name.startsWith('prod-eu')
          ? 'rejected'
          : 'ahead';
    // Each login starts the count again at 1.
    const generation = Math.max(1, newest - 1 - number);
    segments.push({ ...usual, from, until: end, current: false, why, generation });
    end = from;
  }
  return segments.reverse();
}

function marksOf({ name, account, kind, state, credential }: ClusterView, now: number): Mark[] {
  const mark = (at: number, what: Mark['what'], kindOf: Mark['kind'], words: string): Mark => ({
    at,
    kind: kindOf,
    words,
    what,
    code: null,
    count: 1,
  });
  const marks: Mark[] = [];
  if (kind === 'oidc' && (credential !== null || state === 'loginNeeded')) {
    for (let day = 14; day > 0; day -= 1) {
      const at = startOfDay(now - days(day - 1)) + hours(8) + minutes(3);
      if (at < now) {
        marks.push(mark(at, 'loggedIn', 'login', `Logged in to ${account} in the browser`));
      }
    }
  }
  if (name.startsWith('prod-eu') && credential?.issuedAt != null) {
    marks.push(mark(credential.issuedAt - minutes(159), 'rejected', 'rejected', 'Rejected (401)'));
  }
  if (state === 'failing') {
    const isToken = kind === 'pkcs11';
    const words = isToken ? 'The token was taken out' : 'The plugin failed: exit 1';
    for (const ago of [4, 3, 1]) {
      marks.push({
        ...mark(now - minutes(ago), 'renewalFailed', 'failed', words),
        code: isToken ? 'pkcs11.tokenMissing' : 'plugin.failed',
      });
    }
  }
  return marks.sort((a, b) => a.at - b.at);
}

/** Merges neighbours until there are no more than `most`. */
function merged(segments: readonly Segment[], most: number): Segment[] {
  const size = Math.ceil(segments.length / most);
  if (size <= 1) {
    return [...segments];
  }
  const groups: Segment[] = [];
  for (let at = 0; at < segments.length; at += size) {
    const group = segments.slice(at, at + size);
    const [first, last] = [group[0], group.at(-1)];
    if (first && last) {
      groups.push({ ...last, from: first.from, count: group.length });
    }
  }
  return groups;
}

export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

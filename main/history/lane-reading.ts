import { clusterKey } from '../domain/target/target.ts';
import type { Lane, LaneMark, LaneQuery, LaneSegment } from '../ports/history-figures.ts';
import type { Row } from './event-tables.ts';
import type { HistoryStore } from './history-store.ts';
import { nearest, type Rows, readStepped, type Stepped } from './stepped.ts';

/** Credentials of one step, as they lie in the file. */
interface CredentialSpan {
  from: number;
  /** When the last of them was first seen; its end counts. */
  lastAt: number;
  end: number | null;
  why: LaneSegment['why'];
  credential: LaneSegment['credential'];
  generation: number;
  count: number;
}

/** What one cluster's line of time shows. */
export async function readLane(store: Pick<HistoryStore, 'use'>, query: LaneQuery): Promise<Lane> {
  const grants = store.use((open) =>
    open
      .statement('SELECT id FROM grants WHERE account = ? AND audience IS ?')
      .all(query.account, query.audience)
      .map((row) => Number(row['id'])),
  );
  const held: CredentialSpan[] = [];
  let isLater = false;
  for (const grant of grants) {
    // What serves any cluster, and what was made for this one.
    for (const target of [null, clusterKey(query.cluster)]) {
      const rows = generationsOf(grant, target);
      const before = nearest(store, rows, 'before', query.since);
      if (before) {
        held.push(spanOf({ first: before, last: before, count: 1 }));
      }
      held.push(...(await readStepped(store, rows, query, query.most)).map(spanOf));
      const after = nearest(store, rows, 'from', query.until);
      if (after) {
        isLater = true;
        held.push(spanOf({ first: after, last: after, count: 1 }));
      }
    }
  }
  held.sort((a, b) => a.from - b.from);
  const ends = await logouts(store, query, held);
  const marks: LaneMark[] = [];
  for (const { kind, rows } of [...marksOfGrants(grants), ...marksOf(query)]) {
    for (const { last, count } of await readStepped(store, rows, query, query.most)) {
      marks.push({ at: Number(last['at']), kind, code: (last['code'] as string | null) ?? null, count });
    }
  }
  marks.sort((a, b) => a.at - b.at);
  return { segments: thinned(segmentsOf(held, ends, query, isLater), query.most), marks };
}

const generationsOf = (grant: number, target: string | null): Rows => ({
  table: 'generations',
  where: 'grant_id = ? AND target IS ?',
  values: [grant, target],
  columns: 'expires_at, why, credential, generation',
});

function spanOf({ first, last, count }: Stepped): CredentialSpan {
  return {
    from: Number(first['at']),
    lastAt: Number(last['at']),
    end: last['expires_at'] as number | null,
    why: last['why'] as CredentialSpan['why'],
    credential: last['credential'] as CredentialSpan['credential'],
    generation: Number(last['generation']),
    count,
  };
}

/** A credential counts until its end, the next one's coming, or a logout. */
function segmentsOf(
  held: readonly CredentialSpan[],
  logouts: readonly number[],
  { since, until, now }: LaneQuery,
  isLater: boolean,
): LaneSegment[] {
  const segments: LaneSegment[] = [];
  let before: CredentialSpan | null = null;
  held.forEach((each, index) => {
    const next = held[index + 1];
    const loggedOut = logouts.find((at) => at >= each.lastAt);
    const ends = [each.end, next?.from, loggedOut].filter((at) => at !== null && at !== undefined);
    const end = ends.length === 0 ? null : Math.min(...ends);
    const isLast = next === undefined && !isLater;
    const segment: LaneSegment = {
      from: each.from,
      until: end,
      current: isLast && each.from <= now && (end === null || end > now),
      why: each.why,
      credential: each.credential,
      generation: each.generation,
      count: each.count,
    };
    const last = segments.at(-1);
    // The broker was restarted, and found the credential that it had before.
    if (last && before && each.why === 'found' && each.end === before.end && last.until === each.from) {
      segments[segments.length - 1] = {
        ...last,
        until: end,
        current: segment.current,
        count: last.count + each.count - 1,
      };
    } else if (end === null || end > each.from) {
      segments.push(segment);
    }
    before = each;
  });
  return segments.filter((each) => each.from < until && (each.until === null || each.until > since));
}

/** At most so many: neighbours become one, those with the least time between them first. */
function thinned(segments: readonly LaneSegment[], most: number): LaneSegment[] {
  const found = [...segments];
  while (found.length > Math.max(1, most)) {
    let closest = 1;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 1; index < found.length; index++) {
      const gap = (found[index]?.from ?? 0) - (found[index - 1]?.until ?? 0);
      if (gap < least) {
        [closest, least] = [index, gap];
      }
    }
    const [one, other] = found.slice(closest - 1, closest + 1);
    if (!one || !other) {
      break;
    }
    found.splice(closest - 1, 2, { ...other, from: one.from, count: one.count + other.count });
  }
  return found;
}

/** When the account was logged out, as far as it ends what is shown. */
async function logouts(
  store: Pick<HistoryStore, 'use'>,
  query: LaneQuery,
  held: readonly CredentialSpan[],
): Promise<number[]> {
  const since = Math.min(query.since, held[0]?.from ?? query.since);
  const rows: Rows = { table: 'logouts', where: 'account = ?', values: [query.account], columns: 'account' };
  const found = await readStepped(store, rows, { since, until: query.until }, query.most);
  return found.flatMap(({ first, last }) => [timeOf(first), timeOf(last)]);
}

function timeOf(row: Row): number {
  return Number(row['at']);
}

interface MarkSource {
  kind: LaneMark['kind'];
  rows: Rows;
}

function marksOfGrants(grants: readonly number[]): MarkSource[] {
  return grants.map((grant) => ({
    kind: 'renewalFailed',
    rows: {
      table: 'renewals',
      where: "grant_id = ? AND outcome = 'failed'",
      values: [grant],
      columns: 'code',
    },
  }));
}

function marksOf({ account, cluster }: LaneQuery): MarkSource[] {
  const rejections = (kind: LaneMark['kind'], where: string): MarkSource => ({
    kind,
    rows: {
      table: 'rejections',
      where: `target = ? AND ${where}`,
      values: [clusterKey(cluster)],
      columns: 'action',
    },
  });
  const ofAccount = (kind: LaneMark['kind'], table: string, where: string, columns: string): MarkSource => ({
    kind,
    rows: { table, where: `account = ?${where}`, values: [account], columns },
  });
  return [
    rejections('rejected', "verdict = 'rejected'"),
    rejections('doubted', "verdict <> 'rejected' AND action NOT IN ('cleared', 'forgotten')"),
    ofAccount('loggedIn', 'logins', " AND outcome = 'done'", 'code'),
    ofAccount('loginFailed', 'logins', " AND outcome <> 'done'", 'code'),
    ofAccount('loggedOut', 'logouts', '', 'account'),
  ];
}

import type { LaneMark, LaneSegment } from '../../../main/contract/ui/lane.ts';
import { clockText } from '../time/index.ts';

/** A lane in a sentence or two, for screen readers. An hour of another day is told with its day. */
export function laneWords(
  {
    segments,
    marks,
    renewsAt,
  }: {
    segments: readonly LaneSegment[];
    marks: readonly Pick<LaneMark, 'at' | 'kind'>[];
    renewsAt?: number | null | undefined;
  },
  window: { since: number; until: number },
  now: number,
): string {
  const clock = (at: number) => clockText(at, now);
  const seen = segments.filter(
    ({ from, until }) => from <= window.until && (until ?? Number.POSITIVE_INFINITY) >= window.since,
  );
  const held = seen.findLast(({ current }) => current);
  const past = seen.filter(({ current }) => !current).length;
  const inSight = marks.filter(({ at }) => at >= window.since && at <= window.until);
  return [
    held
      ? `Valid since ${clock(held.from)}, ${held.until === null ? 'never expires' : `until ${clock(held.until)}`}${
          renewsAt === null || renewsAt === undefined ? '' : `, renews automatically at ${clock(renewsAt)}`
        }.`
      : 'No cached credential.',
    past > 0 ? `${past === 1 ? 'One earlier credential' : `${past} earlier credentials`} in sight.` : '',
    many(inSight, 'rejected', 'Rejected by the server (401)', clock),
    many(inSight, 'failed', 'A renewal failed', clock),
    many(inSight, 'login', 'Logged in', clock),
  ]
    .filter((each) => each !== '')
    .join(' ');
}

function many(
  marks: readonly Pick<LaneMark, 'at' | 'kind'>[],
  kind: LaneMark['kind'],
  words: string,
  clock: (at: number) => string,
): string {
  const of = marks.filter((mark) => mark.kind === kind);
  const last = of.at(-1);
  if (!last) {
    return '';
  }
  return of.length === 1
    ? `${words} at ${clock(last.at)}.`
    : `${words} ${of.length} times, last at ${clock(last.at)}.`;
}

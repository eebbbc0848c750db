import type { LaneMark, LaneSegment } from '../../../main/contract/ui/lane.ts';
import { roundTimes } from '../time/index.ts';

/** The visible time of a lane, and its width in pixels. */
export interface LaneWindow {
  /** Milliseconds since 1970. */
  since: number;
  until: number;
  width: number;
}

/** In pixels. */
export interface LaneBar {
  x: number;
  width: number;
  /** How many segments the bar combines: those thinner than a pixel are drawn as one. */
  count: number;
}

export interface LanePoint {
  x: number;
  kind: LaneMark['kind'];
  count: number;
}

export interface LaneShape {
  past: LaneBar[];
  current: LaneBar | null;
  marks: LanePoint[];
  /** Where the credential will be renewed automatically. Null: not visible. */
  renewal: number | null;
  now: number | null;
}

/** A thinner bar joins its neighbour. */
const thinPixels = 1.5;
/** The gap between two successive bars. */
const gapPixels = 1;
/** The current credential stays visible in any span. */
const currentMinimum = 2;
/** Marks nearer than this are drawn as one. */
const markPixels = 4;
/** The most important mark is shown for those at one place. */
const weight: Readonly<Record<LaneMark['kind'], number>> = { rejected: 2, failed: 1, login: 0 };

/** The shapes of a lane. At most about one bar for each pixel, however many segments there are. */
export function laneShape(
  lane: {
    segments: readonly LaneSegment[];
    marks: readonly Pick<LaneMark, 'at' | 'kind'>[];
    renewsAt?: number | null | undefined;
  },
  now: number,
  window: LaneWindow,
): LaneShape {
  const scale = window.width / Math.max(1, window.until - window.since);
  const place = (at: number) => (at - window.since) * scale;
  const within = (at: number | null | undefined) =>
    at !== null && at !== undefined && at >= window.since && at <= window.until ? place(at) : null;
  const ordered = [...lane.segments].sort((a, b) => a.from - b.from);
  const clipped = ordered.flatMap((segment, index) => {
    const next = ordered[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    // A credential that was renewed ahead ends where its successor begins.
    const until = Math.min(segment.until ?? Number.POSITIVE_INFINITY, next, window.until);
    const from = Math.max(segment.from, window.since);
    return until < from || (until === from && segment.until !== segment.from)
      ? []
      : [{ x: place(from), end: place(until), current: segment.current, followed: next <= until }];
  });
  const held = clipped.findLast(({ current }) => current);
  return {
    past: joined(clipped.filter(({ current }) => !current)),
    current: held
      ? { ...widened(held.x, Math.max(held.end - held.x, currentMinimum), window.width), count: 1 }
      : null,
    marks: points(lane.marks, within),
    renewal: within(lane.renewsAt),
    now: within(now),
  };
}

function joined(pieces: readonly { x: number; end: number; followed: boolean }[]): LaneBar[] {
  const bars: LaneBar[] = [];
  for (const { x, end, followed } of pieces) {
    const last = bars.at(-1);
    const width = Math.max(end - x - (followed ? gapPixels : 0), 1);
    const isThin = end - x < thinPixels || (last?.width ?? 0) < thinPixels;
    if (last && isThin && x - (last.x + last.width) <= gapPixels + 0.5) {
      last.width = Math.max(last.width, end - last.x);
      last.count += 1;
    } else {
      bars.push({ x, width, count: 1 });
    }
  }
  return bars;
}

function widened(x: number, width: number, room: number): { x: number; width: number } {
  return { x: Math.max(0, Math.min(x, room - width)), width: Math.min(width, room) };
}

function points(
  marks: readonly Pick<LaneMark, 'at' | 'kind'>[],
  within: (at: number) => number | null,
): LanePoint[] {
  const found: LanePoint[] = [];
  for (const { at, kind } of [...marks].sort((a, b) => a.at - b.at)) {
    const x = within(at);
    const last = found.at(-1);
    if (x === null) {
      continue;
    }
    if (last && x - last.x < markPixels) {
      last.count += 1;
      last.kind = weight[kind] > weight[last.kind] ? kind : last.kind;
    } else {
      found.push({ x, kind, count: 1 });
    }
  }
  return found;
}

/** All bars as one path, so that only one element is drawn. */
export function barsPath(bars: readonly LaneBar[], top: number, height: number): string {
  return bars
    .map(({ x, width }) => {
      const r = Math.min(2, width / 2);
      const [left, right, bottom] = [round(x), round(x + width), top + height];
      return `M${round(left + r)} ${top}H${round(right - r)}A${r} ${r} 0 0 1 ${right} ${top + r}V${bottom - r}A${r} ${r} 0 0 1 ${round(right - r)} ${bottom}H${round(left + r)}A${r} ${r} 0 0 1 ${left} ${bottom - r}V${top + r}A${r} ${r} 0 0 1 ${round(left + r)} ${top}Z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export interface AxisLabel {
  /** Milliseconds since 1970. */
  at: number;
  x: number;
  text: string;
  isNow: boolean;
}

/** The room of one label, in pixels. */
const labelPixels = 64;
const halfLabel = 20;

/** The labels under a lane: round times, and now. What would stand in now’s room or reach over an edge is left out. */
export function axisLabels({ since, until, width }: LaneWindow, now: number): AxisLabel[] {
  const scale = width / Math.max(1, until - since);
  const nowAt = now >= since && now <= until ? (now - since) * scale : null;
  const times = roundTimes(since, until, Math.floor(width / labelPixels))
    .map(({ at, text }) => ({ at, x: (at - since) * scale, text, isNow: false }))
    .filter(
      ({ x }) =>
        x >= halfLabel && x <= width - halfLabel && (nowAt === null || Math.abs(x - nowAt) >= 2 * halfLabel),
    );
  return nowAt === null ? times : [...times, { at: now, x: nowAt, text: 'now', isNow: true }];
}

import { describe, expect, it } from 'vitest';
import { axisLabels, barsPath, laneShape } from './lane-geometry.ts';

const hour = 3_600_000;
/** One pixel for each minute: four hours before and after now. */
const now = 10 * hour;
const window = { since: now - 4 * hour, until: now + 4 * hour, width: 480 };
const lane = (
  segments: [number, number | null, boolean?][],
  marks: [number, 'rejected' | 'failed' | 'login'][] = [],
) => ({
  segments: segments.map(([from, until, current = false]) => ({ from, until, current })),
  marks: marks.map(([at, kind]) => ({ at, kind })),
});

const shapeOf = (...given: Parameters<typeof lane>) => laneShape(lane(...given), now, window);

describe('what a lane draws', () => {
  it('draws now in its place, and the current credential from its start to its expiry', () => {
    const shape = shapeOf([[now - hour, now + hour, true]]);
    expect(shape.now).toBe(240);
    expect(shape.current).toMatchObject({ x: 180, width: 120 });
    expect(shape.past).toEqual([]);
  });

  it('clips what reaches out of sight, and one without an end', () => {
    const shape = shapeOf([
      [0, now - hour],
      [now - hour, null, true],
    ]);
    expect(shape.past).toEqual([{ x: 0, width: 179, count: 1 }]);
    expect(shape.current).toMatchObject({ x: 180, width: 300 });
  });

  it('leaves out what is not in sight', () => {
    const shape = shapeOf(
      [
        [0, hour],
        [now + 5 * hour, now + 6 * hour],
      ],
      [[hour, 'rejected']],
    );
    expect(shape).toMatchObject({ past: [], current: null, marks: [] });
  });

  it('ends one that was renewed ahead where the next begins', () => {
    const shape = shapeOf([
      [now - 3 * hour, now - hour],
      [now - 2 * hour, now + hour, true],
    ]);
    expect(shape.past).toEqual([{ x: 60, width: 59, count: 1 }]);
  });

  it('shows the current credential however short it is, inside the lane', () => {
    const shape = shapeOf([[window.until - 1, window.until, true]]);
    expect(shape.current).toMatchObject({ x: 478, width: 2 });
  });

  it('draws those thinner than a pixel as one, so that a year costs no more than its pixels', () => {
    const many = Array.from({ length: 10_000 }, (_, index): [number, number] => {
      const from = window.since + (index * 4 * hour) / 10_000;
      return [from, from + (4 * hour) / 10_000];
    });
    const { past } = shapeOf(many);
    expect(past).toHaveLength(1);
    expect(past[0]?.count).toBe(10_000);
    expect(past[0]?.width).toBeCloseTo(240, 0);
  });

  it('keeps a gap in which there was no credential', () => {
    const minute = hour / 60;
    const { past } = shapeOf([
      [now - 100 * minute, now - 99.5 * minute],
      [now - 90 * minute, now - 89.5 * minute],
    ]);
    expect(past).toHaveLength(2);
  });

  it('shows marks at one place as one, by what matters most', () => {
    const minute = hour / 60;
    const marks: [number, 'rejected' | 'failed' | 'login'][] = [
      [now - 10 * minute, 'login'],
      [now - 11 * minute, 'rejected'],
      [now - 12 * minute, 'failed'],
      [now - 60 * minute, 'login'],
    ];
    expect(shapeOf([], marks).marks).toEqual([
      { x: 180, kind: 'login', count: 1 },
      { x: 228, kind: 'rejected', count: 3 },
    ]);
  });

  it('has the renewal where it is in sight, else nowhere', () => {
    const of = (renewsAt: number | null) => laneShape({ ...lane([]), renewsAt }, now, window).renewal;
    expect([of(now + hour), of(now + 9 * hour), of(null)]).toEqual([300, null, null]);
  });

  it('has no now where that is out of sight', () => {
    expect(laneShape(lane([]), window.until + 1, window).now).toBeNull();
  });

  it('is one path for all bars', () => {
    const path = barsPath(
      [
        { x: 0, width: 10, count: 1 },
        { x: 20, width: 1, count: 1 },
      ],
      6,
      8,
    );
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path).not.toContain('NaN');
  });
});

describe('the axis of a lane', () => {
  const at = (hours: number, minutes: number) => new Date(2026, 2, 3, hours, minutes).getTime();
  const day = { since: at(10, 36), until: at(16, 36), width: 480 };

  it('has round hours at their places, and now', () => {
    expect(axisLabels(day, at(14, 50)).map(({ text, x }) => [text, Math.round(x)])).toEqual([
      ['11:00', 32],
      ['12:00', 112],
      ['13:00', 192],
      ['14:00', 272],
      ['16:00', 432],
      ['now', 339],
    ]);
  });

  it('names each label by its time, as a text may come twice', () => {
    const labels = axisLabels({ since: at(10, 36), until: at(38, 0), width: 480 }, at(33, 0));
    expect(labels.filter(({ text }) => text === '12:00')).toHaveLength(2);
    expect(new Set(labels.map((label) => label.at)).size).toBe(labels.length);
  });

  it('has no hour in now’s room or over an edge, and no now that is out of sight', () => {
    expect(axisLabels({ ...day, width: 130 }, at(12, 40)).map(({ text }) => text)).toEqual(['15:00', 'now']);
    expect(axisLabels(day, at(18, 0)).every(({ isNow }) => !isNow)).toBe(true);
  });
});

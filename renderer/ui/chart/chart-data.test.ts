import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  axisMarks,
  isBlank,
  lonely,
  movedBy,
  stacked,
  stepLength,
  stepText,
  valuesText,
} from './chart-data.ts';

const series = (label: string, ...values: (number | null)[]) => ({
  key: label,
  label,
  token: '--good' as const,
  values,
});
const zone = process.env['TZ'];

describe.each(['UTC', 'Asia/Kolkata', 'America/St_Johns'])('times in %s', (name) => {
  beforeEach(() => {
    process.env['TZ'] = name;
  });
  afterEach(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });
  const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();

  it.each<[string, number, number, string]>([
    ['an hour', 3, 4, '3 Mar 03:00–04:00'],
    ['the last hour of a day', 23, 24, '3 Mar 23:00–00:00'],
    ['a whole day', 0, 24, '3 Mar'],
    ['half a day over midnight', 22, 34, '3 Mar 22:00 – 4 Mar 10:00'],
  ])('a step says %s', (_, from, to, expected) => {
    expect(stepText({ since: at(3, from), until: at(3, to) })).toBe(expected);
  });

  it('an axis has round hours, and now at its end, with room around it', () => {
    const texts = (endsNow: boolean) =>
      axisMarks(at(2, 18), at(3, 18), { most: 4, endsNow }).map(({ text }) => text);
    expect(texts(false)).toEqual(['18:00', '3 Mar', '06:00', '12:00', '18:00']);
    expect(texts(true)).toEqual(['18:00', '3 Mar', '06:00', '12:00', 'now']);
  });
});

it.each([
  [1, '1 min'],
  [30, '30 min'],
  [60, 'hour'],
  [360, '6 h'],
  [1_440, 'day'],
  [10_080, 'week'],
])('a step of %i minutes is a %s', (minutes, text) => {
  expect(stepLength([{ since: 0, until: minutes * 60_000 }])).toBe(text);
});

it('series lie on top of those before', () => {
  expect(stacked([series('a', 1, 2), series('b', 0, null), series('c', 3, 1)])).toEqual([
    [1, 2],
    [1, 2],
    [4, 3],
  ]);
});

it('zeros and nothing are nothing to draw', () => {
  expect(isBlank([series('a', 0, null)])).toBe(true);
  expect(isBlank([series('a', 0, null), series('b', 1)])).toBe(false);
});

it('says the values of a step', () => {
  expect(valuesText([series('Answered', 3), series('Failed', null)], 0, String)).toBe('Answered 3, Failed –');
});

it.each<[string, number | null, number | null]>([
  ['ArrowLeft', null, 9],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 8, 9],
  ['ArrowRight', 9, 9],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['PageUp', 2, 9],
  ['PageDown', 2, 0],
  ['x', 2, null],
])('%s goes from %s to %s', (key, from, to) => {
  expect(movedBy(key, from, 10)).toBe(to);
});

it('knows the values that no line is drawn to', () => {
  expect(lonely([null, null, 7])).toEqual([2]);
  expect(lonely([1, null, 2, 3, null, 0])).toEqual([0, 5]);
  expect(lonely([4, 5])).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { roundTimes } from './round-times.ts';

const zone = process.env['TZ'];
const hour = 3_600_000;

describe.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'])('in %s', (name) => {
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
  const at = (day: number, hours: number, minutes = 0) => new Date(2026, 2, day, hours, minutes).getTime();
  const texts = (since: number, until: number, most: number) =>
    roundTimes(since, until, most).map(({ text }) => text);

  it('are full hours, however odd the ends are', () => {
    expect(texts(at(3, 10, 36), at(3, 16, 36), 3)).toEqual(['12:00', '14:00', '16:00']);
    expect(texts(at(3, 10, 36), at(3, 16, 36), 6)).toEqual([
      '11:00',
      '12:00',
      '13:00',
      '14:00',
      '15:00',
      '16:00',
    ]);
    expect(texts(at(3, 10, 36), at(3, 11, 36), 4)).toEqual(['10:45', '11:00', '11:15', '11:30']);
  });

  it('say the day where one begins, the month where the span is long', () => {
    expect(texts(at(2, 17), at(3, 17), 4)).toEqual(['18:00', '3 Mar', '06:00', '12:00']);
    expect(texts(at(2, 17), at(9, 17), 8)).toEqual([
      '3 Mar',
      '4 Mar',
      '5 Mar',
      '6 Mar',
      '7 Mar',
      '8 Mar',
      '9 Mar',
    ]);
    expect(texts(new Date(2025, 10, 20).getTime(), new Date(2026, 1, 20).getTime(), 4)).toEqual([
      'Dec',
      'Jan 2026',
      'Feb',
    ]);
  });

  it('are never more than wanted, and their places fit their words', () => {
    for (const span of [1, 6, 24, 168, 720, 8_760]) {
      for (const most of [1, 3, 8]) {
        const found = roundTimes(at(3, 9, 7), at(3, 9, 7) + span * hour, most);
        expect(found.length).toBeLessThanOrEqual(most + 1);
        for (const each of found) {
          expect(new Date(each.at).getMinutes() % 5).toBe(0);
        }
      }
    }
  });
});

describe('where the clocks are changed', () => {
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  it('stay round', () => {
    const changed = roundTimes(Date.UTC(2026, 2, 28, 20), Date.UTC(2026, 2, 29, 20), 6);
    expect(changed.map(({ text }) => text)).toEqual(['29 Mar', '06:00', '12:00', '18:00']);
  });

  it('have each time once, in order, without the hour that is skipped in spring', () => {
    const changed = roundTimes(Date.UTC(2026, 2, 29, 0), Date.UTC(2026, 2, 29, 2), 4);
    expect(changed.map(({ text }) => text)).toEqual(['01:00', '01:30', '03:00', '03:30', '04:00']);
  });
});

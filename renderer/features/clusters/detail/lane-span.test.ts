import { describe, expect, it } from 'vitest';
import { happenedAt, happenedIn, lastedText, panned, windowOf, zoomed } from './lane-span.ts';

const hour = 3_600_000;
const now = 1_000 * hour;

describe('what of time is seen', () => {
  it('goes along with now, with a part of what is to come', () => {
    const window = windowOf({ span: 'hour', until: null }, now);
    expect(window.until - window.since).toBe(hour);
    expect(window.since).toBeLessThan(now);
    expect(window.until).toBeGreaterThan(now);
  });

  it('is the same for a while, so that a second causes no request', () => {
    const looking = { span: 'day', until: null } as const;
    expect(windowOf(looking, now + 1000)).toEqual(windowOf(looking, now + 2000));
  });

  it('keeps its middle when it is zoomed, and ends at an hour and a year', () => {
    const looking = { span: 'day', until: now } as const;
    const middle = ({ since, until }: { since: number; until: number }) => (since + until) / 2;
    expect(middle(windowOf(zoomed(looking, -1), now))).toBeCloseTo(middle(windowOf(looking, now)), -6);
    expect(zoomed({ span: 'hour', until: null }, -1).span).toBe('hour');
    expect(zoomed({ span: 'year', until: null }, 1).span).toBe('year');
  });

  it('is never later than now goes along with', () => {
    const earlier = panned({ span: 'hour', until: null }, -1, now);
    expect(earlier.until).toBeLessThan(now);
    expect(panned(earlier, 1, now).until).toBeNull();
  });
});

describe('what happened', () => {
  const segment = { credential: 'token' as const, count: 1, generation: 7 };
  const past = {
    segments: [
      { ...segment, from: now - 2 * hour, until: now - hour, current: false, why: 'loggedIn' as const },
      { ...segment, from: now - hour, until: now + hour, current: true, why: 'rejected' as const },
    ],
    marks: [
      {
        at: now - hour,
        kind: 'rejected' as const,
        what: 'rejected' as const,
        words: 'Rejected (401)',
        code: null,
        count: 1,
      },
    ],
  };
  const happened = happenedIn(past, now);

  it('is listed newest first, with its reason and how long it lasted', () => {
    expect(happened.map(({ words, lasted }) => [words, lastedText(lasted)])).toEqual([
      ['Renewed after a 401', '60 min'],
      ['Rejected (401)', ''],
      ['After a login', '60 min'],
    ]);
    expect(lastedText(300)).toBe('');
  });

  it('of several that are drawn as one is listed as one', () => {
    const many = {
      ...past,
      segments: past.segments.map((each) => ({ ...each, count: 12, why: 'due' as const })),
    };
    expect(happenedIn(many, now)[0]?.words).toBe('12 credentials, the last: renewed on demand');
  });

  it('is found by its moment, a mark before the credential under it', () => {
    expect(happenedAt(happened, now - hour + 1000, 5000)?.words).toBe('Rejected (401)');
    expect(happenedAt(happened, now + 1000, 5000)?.words).toBe('Renewed after a 401');
    expect(happenedAt(happened, now - 1.5 * hour, 5000)?.words).toBe('After a login');
    expect(happenedAt(happened, now - 3 * hour, 5000)).toBeNull();
  });
});

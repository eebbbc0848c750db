import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { grouped, merged, rowsOf } from './event-list.ts';

const event = (id: number, at: number) => ({ id, at }) as ActivityEvent;

it('has each event once, the newest first', () => {
  const list = merged([event(3, 30), event(1, 10)], [event(2, 30), event(3, 30), event(4, 40)]);
  expect(list.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
});

it('stays the same list where nothing is new', () => {
  const list = [event(3, 30)];
  expect(merged(list, [event(3, 30)])).toBe(list);
  expect(merged(list, [])).toBe(list);
});

const call = (id: number, minutes: number, more: Partial<ActivityEvent> = {}) =>
  ({
    id,
    at: minutes * 60_000,
    kind: 'call',
    program: 'kubectl',
    target: 'prod',
    account: 'corp',
    result: 'Issued',
    tone: 'good',
    foldKey: '/usr/bin/kubectl',
    ...more,
  }) as ActivityEvent;

describe('equal neighbours', () => {
  const sizes = (...events: ActivityEvent[]) => grouped(events).map((each) => each.events.length);

  it('are one group', () => {
    expect(sizes(call(4, 125), call(3, 124), call(2, 122), call(1, 121))).toEqual([4]);
  });

  it.each<[string, Partial<ActivityEvent>]>([
    ['another program', { program: 'helm' }],
    ['another cluster', { target: 'dev' }],
    ['another result', { result: 'Denied: by you' }],
    ['a program of that name elsewhere', { foldKey: '/tmp/x/kubectl' }],
    ['another kind', { kind: 'approval' }],
  ])('end at %s', (_, other) => {
    expect(sizes(call(3, 124), call(2, 122, other), call(1, 121))).toEqual([1, 1, 1]);
  });

  it('end at an hour’s rest', () => {
    expect(sizes(call(3, 200), call(2, 139), call(1, 80))).toEqual([1, 2]);
  });
});

describe('the rows of groups', () => {
  const groups = grouped([call(5, 9, { program: 'helm' }), call(4, 5), call(3, 4), call(2, 2)]);
  const keys = (open: string[], of = groups) =>
    rowsOf(of, new Set(open)).map(({ key, level }) => `${level} ${key}`);

  it('are one each, until a group is opened', () => {
    expect(keys([])).toEqual(['1 5', '1 group 2']);
    expect(keys(['group 2'])).toEqual(['1 5', '1 group 2', '2 4', '2 3', '2 2']);
  });

  it('stay as they are when the group grows at both ends', () => {
    const newer = grouped([call(6, 6), call(4, 5), call(3, 4), call(2, 2)]);
    expect(keys(['group 2'], newer)[0]).toBe('1 group 2');
    const older = grouped([call(4, 5), call(3, 4), call(2, 2), call(1, 1)]);
    expect(keys(['group 2'], older)).toEqual(['1 group 1', '2 4', '2 3', '2 2', '2 1']);
  });
});

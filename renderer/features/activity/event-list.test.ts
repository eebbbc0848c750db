import { expect, it } from 'vitest';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { merged } from './event-list.ts';

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

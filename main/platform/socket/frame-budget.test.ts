import { expect, it } from 'vitest';
import { createFrameBudget } from './frame-budget.ts';

function setUp(limit: number) {
  const dropped: string[] = [];
  const budget = createFrameBudget(limit);
  return { budget, dropped, join: (name: string) => budget.join(() => dropped.push(name)) };
}

it('drops the connection that holds the most, and no other', () => {
  const { budget, dropped, join } = setUp(100);
  const [small, large, last] = [join('small'), join('large'), join('last')];
  small.holds(20);
  large.holds(60);
  expect([budget.held(), dropped]).toEqual([80, []]);
  last.holds(30);
  expect([budget.held(), dropped]).toEqual([50, ['large']]);
});

it('drops the one that asks, where that is the one', () => {
  const { budget, dropped, join } = setUp(100);
  join('small').holds(20);
  join('large').holds(90);
  expect([budget.held(), dropped]).toEqual([20, ['large']]);
});

it('counts what is in memory now: finished frames and ended connections give back', () => {
  const { budget, dropped, join } = setUp(100);
  const [one, two] = [join('one'), join('two')];
  one.holds(80);
  one.holds(0);
  two.holds(90);
  two.leave();
  two.holds(500);
  one.holds(100);
  expect([budget.held(), dropped]).toEqual([100, []]);
});

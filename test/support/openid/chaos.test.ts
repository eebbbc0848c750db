import { expect, test } from 'vitest';
import { createChaosDice } from './chaos.ts';

const draw = (times: number, chaos: Parameters<typeof createChaosDice>[0]) => {
  const dice = createChaosDice(chaos);
  return Array.from({ length: times }, () => dice('token'));
};

test('the same seed gives the same faults, another seed others', () => {
  const chaos = { errorRate: 0.3, stallRate: 0.1 };
  expect(draw(200, { seed: 1, ...chaos })).toEqual(draw(200, { seed: 1, ...chaos }));
  expect(draw(200, { seed: 1, ...chaos })).not.toEqual(draw(200, { seed: 2, ...chaos }));
});

test('the rates are right, and each form of an error occurs', () => {
  const faults = draw(10_000, { seed: 7, errorRate: 0.3, stallRate: 0.2, resetAfterHandlingRate: 0.1 });
  const share = (kind: string) => faults.filter((fault) => fault.kind === kind).length / faults.length;
  expect(share('none')).toBeCloseTo(0.4, 1);
  expect(share('slow')).toBeCloseTo(0.2, 1);
  expect(share('resetAfterHandling')).toBeCloseTo(0.1, 1);
  expect(share('status') + share('down')).toBeCloseTo(0.3, 1);
  expect(faults).toContainEqual({ kind: 'status', status: 503, retryAfterSeconds: 1 });
  expect(faults).toContainEqual({ kind: 'status', status: 500 });
  expect(faults).toContainEqual({ kind: 'slow', milliseconds: 5000, when: 'after' });
  expect(faults).toContainEqual({ kind: 'slow', milliseconds: 5000, when: 'before' });
});

test('other endpoints are left alone, and more than everything is a mistake', () => {
  const dice = createChaosDice({ seed: 1, errorRate: 1, endpoints: ['token'] });
  expect(dice('jwks')).toEqual({ kind: 'none' });
  expect(dice('token').kind).not.toBe('none');
  expect(() => createChaosDice({ seed: 1, errorRate: 0.8, stallRate: 0.3 })).toThrow('more than 1');
});

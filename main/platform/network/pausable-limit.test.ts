import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PausableLimit } from './pausable-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('aborts once its time has passed, and not before', () => {
  const { signal } = new PausableLimit(1_000);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test('what it was paused for doesn’t count, and what ran before does', () => {
  const limit = new PausableLimit(1_000);
  vi.advanceTimersByTime(600);
  limit.pause();
  limit.pause();
  vi.advanceTimersByTime(60_000);
  expect(limit.signal.aborted).toBe(false);
  limit.resume();
  limit.resume();
  vi.advanceTimersByTime(399);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.signal.aborted).toBe(true);
});

test('once it has ended nothing begins again', () => {
  const limit = new PausableLimit(1_000);
  limit.pause();
  limit.end();
  limit.resume();
  expect(vi.getTimerCount()).toBe(0);
});

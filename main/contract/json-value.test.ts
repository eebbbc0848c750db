import { expect, test } from 'vitest';
import { jsonValue, lostDigits } from './json-value.ts';

const loop: unknown[] = [];
loop.push(loop);

test.each<[string, unknown, boolean]>([
  ['an object', { audience: 'a', list: [1, true, null, { b: -0.5 }] }, true],
  ['a text', 'text', true],
  ['null', null, true],
  ['1 KiB', 'x'.repeat(1022), true],
  ['a byte more', 'x'.repeat(1023), false],
  ['1 KiB, counted in bytes', 'é'.repeat(512), false],
  ['not a number', { a: Number.NaN }, false],
  ['what is endless', [Number.POSITIVE_INFINITY], false],
  ['what holds itself', loop, false],
])('JSON of 1 KiB at most: %s', (_, value, isGood) => {
  expect(jsonValue(1024).safeParse(value).success).toBe(isGood);
});

test.each<[number | number[], boolean]>([
  [Number.MAX_SAFE_INTEGER, true],
  [-0.1, true],
  [JSON.parse('1.0'), true],
  [[JSON.parse('12345678901234567890')], false],
  [JSON.parse('-9007199254740993'), false],
])('%j, whose digits it keeps: %j', (value, isKept) => {
  const { error } = jsonValue(1024).safeParse(value);
  expect(error?.issues[0]?.message).toBe(isKept ? undefined : lostDigits);
});

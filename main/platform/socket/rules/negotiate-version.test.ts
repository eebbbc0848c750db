import { describe, expect, it } from 'vitest';
import { negotiateVersion } from './negotiate-version.ts';

describe('negotiateVersion', () => {
  it.each([
    ['the same', [1, 1], [1, 1], { ok: true, version: 1 }],
    ['a newer broker that still speaks N-1', [1, 2], [1, 1], { ok: true, version: 1 }],
    ['a newer helper that still speaks N-1', [1, 1], [1, 2], { ok: true, version: 1 }],
    ['both newer: the highest', [1, 3], [2, 3], { ok: true, version: 3 }],
    ['a helper too old', [2, 3], [1, 1], { ok: false, tooOld: 'helper' }],
    ['a broker too old', [1, 1], [2, 3], { ok: false, tooOld: 'broker' }],
  ] as const)('%s', (_, [brokerMin, brokerMax], [helperMin, helperMax], expected) => {
    expect(negotiateVersion({ min: brokerMin, max: brokerMax }, { min: helperMin, max: helperMax })).toEqual(
      expected,
    );
  });
});

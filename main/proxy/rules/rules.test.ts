import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import { choosePort } from './choose-port.ts';
import { epochOf } from './epoch.ts';
import { statusOf } from './refusal-answer.ts';
import { mintWayIn } from './way-in.ts';

describe('the port', () => {
  const ends = (range: string | null) => [choosePort(range, 0), choosePort(range, 1 - Number.EPSILON)];
  test.each<[string, string | null, number[]]>([
    ['Linux’ usual range', '32768\t60999\n', [20_000, 32_767]],
    ['no known range', null, [20_000, 32_767]],
    ['a range that begins early', '10000\t50000\n', [50_001, 65_535]],
    ['a range that begins a little later', '25000\t65535\n', [20_000, 24_999]],
    // None lies outside: it may be taken then, and another is chosen.
    ['all ports', '1024\t65535\n', [20_000, 32_767]],
  ])('lies outside the range for outgoing connections: %s', (_, range, expected) => {
    expect(ends(range)).toEqual(expected);
  });
});

test('an epoch is another one with another approval and another shape', () => {
  const all = [epochOf('a', 'x'), epochOf('b', 'x'), epochOf('a', 'y'), epochOf('ax', '')];
  expect(new Set(all).size).toBe(4);
  expect(epochOf('a', 'x')).toBe(all[0]);
});

test('a way in is what the data plane reads (native-helper/proxy/src/way_in.rs)', () => {
  const key = Buffer.alloc(32, 7);
  const wayIn = { cluster: 'prod', epoch: '1', pid: 42, startTime: '1234', bootId: 'b', expiresAt: 9_999 };
  const [payload = '', mac] = mintWayIn(new Secret(key.toString('base64')), wayIn)
    .reveal()
    .split('.');
  const json = Buffer.from(payload, 'base64url').toString();
  expect(JSON.parse(json)).toEqual({ c: 'prod', e: '1', p: 42, s: '1234', b: 'b', x: 9 });
  const signed = createHmac('sha256', key).update(`lanyard way in 1\n${json}`).digest('base64url');
  expect(mac).toBe(signed);
});

// Whatever else were a 401 would be asked for again at once, for as long as the client runs.
test.each([
  ['loginNeeded', 401],
  ['locked', 403],
  ['denied', 403],
  ['notPermitted', 403],
  ['notFound', 403],
  ['timedOut', 504],
  ['provider', 502],
  ['internal', 502],
] as const)('a client gets for %s the status %i', (reason, status) => {
  expect(statusOf(refuse(reason, 'a.b', 'no'))).toBe(status);
});

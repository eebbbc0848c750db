import { expect, test } from 'vitest';
import { parseChallenges } from './auth-challenge.ts';

const ofBearer = { realm: 'https://auth.example.com/token', service: 'registry' };
const bearer = 'Bearer realm="https://auth.example.com/token",service="registry"';

test.each<[what: string, header: string, ...challenges: [string, Record<string, string>][]]>([
  ['Basic', 'Basic realm="a registry"', ['basic', { realm: 'a registry' }]],
  ['Bearer', bearer, ['bearer', ofBearer]],
  ['two in one header', `${bearer}, Basic realm=x`, ['bearer', ofBearer], ['basic', { realm: 'x' }]],
  ['white space', ' ,, BEARER  Realm = "a" , service\t=b ,', ['bearer', { realm: 'a', service: 'b' }]],
  ['a comma and quotes in quotes', 'Basic realm="a,\\"b\\\\"', ['basic', { realm: 'a,"b\\' }]],
  ['letters outside ASCII', 'Basic realm="für \\ß"', ['basic', { realm: 'für ß' }]],
  [
    'a token68, and a scheme alone',
    'Negotiate abc/+==, Basic, Digest a=b',
    ['negotiate', {}],
    ['basic', {}],
    ['digest', { a: 'b' }],
  ],
  ['nothing', ''],
])('%s', (_what, header, ...challenges) => {
  const found = parseChallenges(header)?.map(({ scheme, parameters }) => [
    scheme,
    Object.fromEntries(parameters),
  ]);
  expect(found).toEqual(challenges);
});

/** (rule: bounded-input) */
test.each<[what: string, header: string]>([
  ['a quoted text without an end', 'Bearer realm="https://a'],
  ['a parameter twice', 'Bearer realm="https://a", realm="https://b"'],
  ['a character that no header has', 'Bearer realm="a\u0000b"'],
  ['a line break in quotes', 'Bearer realm="a\r\nb"'],
  ['letters outside Latin-1', 'Bearer realm="→"'],
  ['letters outside ASCII without quotes', 'Bearer realm=ä'],
  ['parameters without a scheme', 'realm="a"'],
  ['parameters without a comma between them', 'Bearer realm="a" service="b"'],
  ['100 challenges', Array.from({ length: 100 }, () => bearer).join(', ')],
  ['more than 8 KiB', `Bearer realm="${'a'.repeat(8192)}"`],
])('not %s', (_what, header) => {
  expect(parseChallenges(header)).toBeNull();
});

test('takes no time that grows with the square of a header', () => {
  expect(parseChallenges(`Bearer ${'a '.repeat(4000)}`)).toBeNull();
  expect(parseChallenges(`Bearer a="${'\\'.repeat(8000)}`)).toBeNull();
});

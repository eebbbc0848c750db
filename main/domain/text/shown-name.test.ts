import { expect, test } from 'vitest';
import { shownName } from './shown-name.ts';

test.each([
  ['prod', 'prod'],
  ['arn:aws:eks:eu-1:1:cluster/prod', 'arn:aws:eks:eu-1:1:cluster/prod'],
  ['übung', 'übung'],
  ['', '""'],
  ['my prod', '"my prod"'],
  ['a at https://a.example.com: the system’s CAs, b', '"a at https://a.example.com: the system’s CAs, b"'],
  ['a", "b', '"a\\", \\"b"'],
  ['a\u00a0\u00a0b', '"a\u00a0\u00a0b"'],
  ['a\u202eb', '"a\\u{202e}b"'],
  ['x'.repeat(90), `"${'x'.repeat(80)}…"`],
])('%s is shown as %s', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});

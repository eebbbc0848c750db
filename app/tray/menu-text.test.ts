import { expect, test } from 'vitest';
import { menuText } from './menu-text.ts';

test.each([
  ['prod-eu', 'prod-eu'],
  ['r&d', 'r&&d'],
  ['a\u202eb\u2066c\u200bd\ufeff', 'abcd'],
  ['two\nlines\tand\u2028more', 'two lines and more'],
  ['\u0000\u001b[31mred', '[31mred'],
  ['\u202e', '?'],
  ['\u3164', '?'],
  ['名前', '名前'],
])('%j is shown as %j', (name, shown) => {
  expect(menuText(name)).toBe(shown);
});

test('what is too long keeps both ends, and no half of a character', () => {
  const arn = `arn:aws:eks:eu-central-1:123456789012:cluster/${'😀'.repeat(30)}-prod`;
  const shown = menuText(arn);
  expect([...shown]).toHaveLength(44);
  expect(shown).toMatch(/^arn:aws:eks:eu-centra…😀+-prod$/u);
});

import { expect, test } from 'vitest';
import { displayName, displayText } from './display-text.ts';

test.each<[string, string]>([
  ['plain', 'plain'],
  ['two\r\nlines\tand\u0000more', 'two lines and more'],
  ['\u001b]0;title\u0007x', ']0;title x'],
  ['user\u202Egnp.exe', 'user gnp.exe'],
  ['a\u200bb\u2028c', 'a b c'],
  ['Zo\u00eb \u{1F600}', 'Zo\u00eb \u{1F600}'],
])('%j is shown as %j', (text, shown) => {
  expect(displayText(text)).toBe(shown);
});

test('long text is cut, between characters (rule: stripped-text)', () => {
  expect(displayText('x'.repeat(5000))).toBe(`${'x'.repeat(199)}…`);
  expect(displayText('\u{1F600}'.repeat(300))).toBe(`${'\u{1F600}'.repeat(199)}…`);
  expect(displayText('x'.repeat(200))).toHaveLength(200);
});

test('the user has the name that the provider gives, else by the subject', () => {
  expect(displayName({ preferred_username: 'al', email: 'a@b', name: 'Alice' }, 'id-1')).toBe('al');
  expect(displayName({ preferred_username: 7, email: '\u0000', name: 'Alice' }, 'id-1')).toBe('Alice');
  expect(displayName({}, 'id-1')).toBe('id-1');
});

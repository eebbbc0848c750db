import { expect, test } from 'vitest';
import { visibleLine } from './visible-text.ts';

test('one line out of many has spaces for its line breaks, and escapes what hides', () => {
  expect(visibleLine('Install it:\n\n  brew install x\n')).toBe('Install it: brew install x');
  expect(visibleLine('a\u202eb')).toBe('a\\u{202e}b');
});

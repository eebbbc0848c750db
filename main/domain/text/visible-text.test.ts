import { expect, test } from 'vitest';
import { displayName } from '../../contract/config/names.ts';
import { hasInvisible } from '../../contract/invisible.ts';
import { plainJson } from './plain-json.ts';
import { visibleLine, visibleText } from './visible-text.ts';

test('one line out of many has spaces for its line breaks, and escapes what hides', () => {
  expect(visibleLine('Install it:\n\n  brew install x\n')).toBe('Install it: brew install x');
  expect(visibleLine('a\u202eb')).toBe('a\\u{202e}b');
});

// Fillers, joiners and selectors, which Unicode counts as letters and marks (Default_Ignorable_Code_Point), and blank Braille
// (rule: stripped-text).
test.each([0x00ad, 0x034f, 0x115f, 0x17b4, 0x180b, 0x200d, 0x2065, 0x2800, 0x3164, 0xfe0f, 0xffa0, 0xe0100])(
  'U+%s hides nowhere',
  (code) => {
    const text = `pr${String.fromCodePoint(code)}od`;
    expect(visibleText(text)).toBe(`pr\\u{${code.toString(16)}}od`);
    expect(hasInvisible(text)).toBe(true);
    expect(hasInvisible(plainJson(JSON.stringify(text)))).toBe(false);
    expect(JSON.parse(plainJson(JSON.stringify(text)))).toBe(text);
    expect(displayName.safeParse(text).success).toBe(code === 0x200d);
  },
);

test('letters of any script stay, and their marks', () => {
  expect(visibleText('ключ 鍵 🔑 é e\u0301 \u202f')).toBe('ключ 鍵 🔑 é e\u0301 \u202f');
});

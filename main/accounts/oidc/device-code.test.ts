import { expect, test } from 'vitest';
import { pageAddress } from './device-code.ts';
import { displayName, displayText } from './display-text.ts';

test.each<[string, boolean, string | null]>([
  ['https://id.example.com/device', false, 'https://id.example.com/device'],
  ['https://id.example.com/device', true, 'https://id.example.com/device'],
  ['https://ID.example.com:443/a b', false, 'https://id.example.com/a%20b'],
  ['http://127.0.0.1:8080/device', true, 'http://127.0.0.1:8080/device'],
  ['http://127.0.0.1:8080/device', false, null],
  ['http://id.example.com/device', true, null],
  ['https://id.example.com@evil.example/device', false, null],
  ['javascript:alert(1)', true, null],
  ['file:///etc/passwd', true, null],
  ['ssh://id.example.com', false, null],
  ['/device', false, null],
  ['', false, null],
  [`https://id.example.com/${'x'.repeat(3000)}`, false, null],
])('the page %j (loopback issuer: %s) is opened as %j', (text, loopback, opened) => {
  expect(pageAddress(text, loopback)).toBe(opened);
});

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

test('long text is cut, between characters', () => {
  expect(displayText('x'.repeat(5000))).toBe(`${'x'.repeat(199)}…`);
  expect(displayText('\u{1F600}'.repeat(300))).toBe(`${'\u{1F600}'.repeat(199)}…`);
  expect(displayText('x'.repeat(200))).toHaveLength(200);
});

test('a person is called what the provider calls them, else by the subject', () => {
  expect(displayName({ preferred_username: 'al', email: 'a@b', name: 'Alice' }, 'id-1')).toBe('al');
  expect(displayName({ preferred_username: 7, email: '\u0000', name: 'Alice' }, 'id-1')).toBe('Alice');
  expect(displayName({}, 'id-1')).toBe('id-1');
});

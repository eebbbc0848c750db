import { expect, it } from 'vitest';
import { goJson } from '../../doors/docker/rules/go-json.ts';
import { inputText } from '../../doors/docker/rules/input.ts';
import { readEntry } from './docker-entry.ts';

const read = (text: string) => {
  const entry = readEntry(text);
  return entry && [entry.serverUrl, entry.userName, entry.secret.reveal()];
};

/** As Go’s decoder does, which test/integration/docker-reference.test.ts compares. */
it.each([
  ['{"ServerURL":"s","Username":"u","Secret":"p"}', ['s', 'u', 'p']],
  [' \t{"serverurl":"s","USERNAME":"u","sEcret":"p"} ', ['s', 'u', 'p']],
  ['{"ServerURL":"s","Username":"u","Secret":"p","More":[1,{"Secret":"x"}]}', ['s', 'u', 'p']],
  ['{"ServerURL":"s","Username":"u","Secret":"p"} and more', ['s', 'u', 'p']],
  ['{"ServerURL":"s","Username":"u","Secret":"p"}}', ['s', 'u', 'p']],
  ['{"ServerURL":"s","Username":"u","Secret":"}\\"]"}', ['s', 'u', '}"]']],
  ['{"ServerURL":"s","ServerURL":"t","Username":null}', ['t', '', '']],
  ['{"ServerURL":"s","Secret":"\\ud800\\u003c"}', ['s', '', '\ufffd<']],
  ['{"__proto__":{"ServerURL":"x"},"constructor":1}', ['', '', '']],
  ['{}', ['', '', '']],
  ['{"ServerURL":1}', null],
  ['{"Secret":["p"]}', null],
  ['{"Secret":true}', null],
  ['["s","u","p"]', null],
  ['"s"', null],
  ['12', null],
  ['', null],
  ['{"ServerURL":"s"', null],
  ["{'ServerURL':'s'}", null],
  ['{"Secret":"a\tb"}', null],
  ['\ufeff{}', null],
  ['['.repeat(65_536), null],
  ['{"Secret":"\\"', null],
  ['{"Secret":"\\', null],
])('%j is the entry %j', (text, entry) => {
  expect(read(text)).toEqual(entry);
});

it('a string without an end is read once, not again from each of its quotes', () => {
  expect(read(`{"Secret":"${'\\"'.repeat(256 * 1024)}`)).toBeNull();
});

it('prints no secret', () => {
  expect(JSON.stringify(readEntry('{"ServerURL":"s","Secret":"canary"}'))).not.toContain('canary');
});

it('standard input loses its line breaks, and is text or nothing', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(inputText(bytes('https://\r\nghcr.io\r\n\n'))).toBe('https://ghcr.io');
  expect(inputText(bytes('a\rb\r'))).toBe('a\rb');
  expect(inputText(new Uint8Array([0x61, 0xff]))).toBeNull();
});

it('JSON is written as Go’s encoder does', () => {
  expect(goJson({ Username: '<token>', Secret: 'a&b\u2028"\\\u0001é\u007f/' })).toBe(
    '{"Username":"\\u003ctoken\\u003e","Secret":"a\\u0026b\\u2028\\"\\\\\\u0001é\u007f/"}\n',
  );
});

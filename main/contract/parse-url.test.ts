import { expect, test } from 'vitest';
import { serverUrl } from './config/url-rules.ts';
import { parseUrl } from './parse-url.ts';

test('an address with letters outside ASCII stays one, however many were parsed before', () => {
  const hosts = new Set<string | undefined>();
  for (let times = 0; times < 20_000; times++) {
    hosts.add(parseUrl('https://bücher.example')?.host);
  }
  expect([...hosts]).toEqual(['xn--bcher-kva.example']);
});

test('so the rules for a server hold for it then, too (rule: safe-addresses)', () => {
  const accepted = () => serverUrl.safeParse('https://bücher.example/?a').success;
  for (let times = 0; times < 20_000; times++) {
    parseUrl('https://example.com');
  }
  expect(accepted()).toBe(false);
});

test('what is none is null, and a base makes a whole of a path', () => {
  expect(parseUrl('no address')).toBeNull();
  expect(parseUrl('/a', 'https://b.example')?.href).toBe('https://b.example/a');
});

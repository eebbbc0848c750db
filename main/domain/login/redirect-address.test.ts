import { expect, test } from 'vitest';
import { redirectAddress, redirectPlace, registeredAddress } from './redirect-address.ts';

const at = (issuer: string, more: { redirectUri?: string; redirectPorts?: number[] } = {}) => ({
  issuer,
  redirectPorts: [],
  ...more,
});

test('each issuer has its own path, the same at each login (RFC 9700, 4.4)', () => {
  const one = redirectPlace(at('https://id.example.com'));
  expect(one).toEqual({ host: null, path: expect.stringMatching(/^\/callback\/[0-9a-f]{20}$/), ports: [] });
  expect(redirectPlace(at('https://id.example.com'))).toEqual(one);
  expect(redirectPlace(at('https://id.example.com/')).path).not.toBe(one.path);
  expect(redirectPlace(at('https://id.example.com', { redirectPorts: [8000, 18000] })).ports).toEqual([
    8000, 18000,
  ]);
});

test.each<[string, number[], string, number, string]>([
  ['http://localhost:8000', [], 'localhost', 8000, 'http://localhost:8000'],
  ['http://localhost:8000/', [], 'localhost', 8000, 'http://localhost:8000/'],
  ['http://localhost:8000', [9000], 'localhost', 8000, 'http://localhost:8000'],
  ['http://127.0.0.1/callback', [], '127.0.0.1', 0, 'http://127.0.0.1:0/callback'],
  ['http://127.0.0.1/callback', [9000], '127.0.0.1', 9000, 'http://127.0.0.1:9000/callback'],
  ['http://[::1]:8000/a/b/', [], '[::1]', 8000, 'http://[::1]:8000/a/b/'],
  ['http://127.0.0.1:80/x', [9000], '127.0.0.1', 80, 'http://127.0.0.1:80/x'],
])('%s with the ports %j', (redirectUri, redirectPorts, host, port, address) => {
  const place = redirectPlace(at('https://id.example.com', { redirectUri, redirectPorts }));
  expect([place.host, place.ports[0] ?? 0]).toEqual([host, port]);
  expect(redirectAddress(place, place.host ?? '', place.ports[0] ?? 0)).toBe(address);
  // As the login uses it: with the port, where it is known.
  expect(registeredAddress(at('https://id.example.com', { redirectUri, redirectPorts }))).toBe(
    port === 0 ? redirectUri : address,
  );
});

test('what has to be registered: without a port, or each of the ports', () => {
  expect(registeredAddress(at('https://id.example.com'))).toMatch(
    /^http:\/\/127\.0\.0\.1\/callback\/\w{20}$/,
  );
  expect(registeredAddress(at('https://id.example.com', { redirectPorts: [1, 2] }))).toMatch(
    /^http:\/\/127\.0\.0\.1:1\/callback\/\w{20} and http:\/\/127\.0\.0\.1:2\/callback\/\w{20}$/,
  );
});

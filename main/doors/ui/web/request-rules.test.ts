import { describe, expect, test } from 'vitest';
import { judgeRequest, judgeUpgrade } from './request-rules.ts';

const host = '127.0.0.1:4711';
const own = `http://${host}`;
const opening = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

describe('a file (rule: guarded-loopback)', () => {
  const judge = (headers: object, path = '/', method = 'GET') =>
    judgeRequest({ method, path, headers: { host, ...headers } }, host)?.status ?? 200;

  test.each<[string, number, object, string?, string?]>([
    ['by what is no browser', 200, {}],
    ['from the address line', 200, { 'sec-fetch-site': 'none', ...opening }],
    ['from the redirect file', 200, { 'sec-fetch-site': 'cross-site', ...opening }],
    ['by the page itself', 200, { 'sec-fetch-site': 'same-origin' }, '/assets/a.js'],
    ['by the page itself, with its origin', 200, { 'sec-fetch-site': 'same-origin', origin: own }, '/a.js'],
    ['by another name', 421, { host: 'localhost:4711' }],
    ['by a name that was led here', 421, { host: 'evil.example:4711' }],
    ['at another port', 421, { host: '127.0.0.1' }],
    ['with a dot', 421, { host: '127.0.0.1.:4711' }],
    ['without a name', 421, { host: undefined }],
    ['by another port’s fetch', 403, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['by another origin', 403, { origin: 'http://127.0.0.1:4712' }],
    ['by no origin', 403, { origin: 'null' }],
    [
      'in a frame',
      403,
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    ['a script, as another’s', 403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }, '/a.js'],
    ['a script, opened from elsewhere', 403, { 'sec-fetch-site': 'cross-site', ...opening }, '/a.js'],
    ['to be changed', 405, {}, '/', 'POST'],
  ])('asked for %s: %i', (_, status, headers, path, method) => {
    expect(judge(headers, path, method)).toBe(status);
  });
});

describe('a WebSocket (rule: guarded-loopback)', () => {
  const judge = (headers: object, path = '/') =>
    judgeUpgrade({ method: 'GET', path, headers: { host, origin: own, ...headers } }, host)?.status ?? 101;

  test.each<[string, number, object, string?]>([
    ['by the page', 101, {}],
    ['by the page, as some browsers say', 101, { 'sec-fetch-site': 'same-origin' }],
    ['without an origin', 403, { origin: undefined }],
    ['by a file', 403, { origin: 'null' }],
    ['by another port', 403, { origin: 'http://127.0.0.1:4712' }],
    ['by another name', 403, { origin: 'http://localhost:4711' }],
    ['by another scheme', 403, { origin: `https://${host}` }],
    ['by two', 403, { origin: `${own}, ${own}` }],
    ['from another site, whatever its origin says', 403, { 'sec-fetch-site': 'cross-site' }],
    ['to another name', 421, { host: 'localhost:4711' }],
    ['elsewhere', 404, {}, '/assets/a.js'],
  ])('%s: %i', (_, status, headers, path) => {
    expect(judge(headers, path)).toBe(status);
  });
});

import { describe, expect, it } from 'vitest';
import type { PageFiles } from '../../main/doors/ui/web/page-files.ts';
import { createPageHandler } from './page-handler.ts';

const files: PageFiles = new Map([
  ['/', { type: 'text/html; charset=utf-8', body: Buffer.from('<p>page') }],
  ['/assets/a.js', { type: 'text/javascript; charset=utf-8', body: Buffer.from('1') }],
]);
const handle = createPageHandler(files);
/** Electron passes the address as Chromium normalized it. The stand-in passes even what Chromium would change. */
const request = (url: string, method = 'GET') => handle({ url, method } as Request);

describe('the app’s own pages', () => {
  it.each([
    ['app://lanyard/', 'text/html; charset=utf-8', '<p>page'],
    ['app://lanyard/#/clusters/prod', 'text/html; charset=utf-8', '<p>page'],
    ['app://lanyard/assets/a.js', 'text/javascript; charset=utf-8', '1'],
  ])('%s is served', async (url, type, text) => {
    const answer = request(url);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      type,
      text,
    ]);
    expect(answer.headers.get('content-length')).toBe(`${text.length}`);
  });

  it.each([
    'app://lanyard',
    'app://lanyard/index.html',
    'app://lanyard/assets',
    'app://lanyard/assets/',
    'app://lanyard//assets/a.js',
    'app://lanyard/assets//a.js',
    'app://lanyard/./assets/a.js',
    'app://lanyard/assets/../assets/a.js',
    'app://lanyard/../../etc/passwd',
    'app://lanyard/%2e%2e/%2e%2e/etc/passwd',
    'app://lanyard/..%5c..%5cwindows',
    'app://lanyard/..\\..\\windows',
    'app://lanyard/assets/a.js%00',
    'app://lanyard/assets/a.js\0',
    'app://lanyard/assets/%61.js',
    'app://lanyard/assets/a.js?',
    'app://lanyard/assets/a.js?v=1',
    'app://lanyard/?ticket=1',
    'app://lanyard/__proto__',
    'app://lanyard/constructor',
    'app://LANYARD/assets/a.js',
    'app://lanyard.example/',
    'app://lanyard:80/',
    'app://user@lanyard/',
    'app://lanyard@example.com/',
    'app://example.com/',
    'file:///etc/passwd',
    'https://lanyard/',
    '',
  ])('%j is unknown, and not said again', async (url) => {
    const answer = request(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('nothing is here\n');
  });

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'get'])('%s is no way to ask', async (method) => {
    const answer = request('app://lanyard/', method);
    expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([
      405,
      'GET',
      'only GET\n',
    ]);
  });

  it.each(['app://lanyard/', 'app://lanyard/nothing', 'app://elsewhere/'])(
    '%s has the strict headers',
    (url) => {
      const headers = Object.fromEntries(request(url).headers);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'none'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      });
      expect(headers['permissions-policy']).toMatch(/camera=\(\).*clipboard-write=\(\)/);
    },
  );
});

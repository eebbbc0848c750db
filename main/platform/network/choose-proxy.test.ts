import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { chooseProxy, type ProxyEnvironment } from './choose-proxy.ts';

const via = (url: string, environment: ProxyEnvironment, configured?: string) => {
  const choice = chooseProxy(new URL(url), configured, environment);
  return choice.kind === 'proxy' ? choice.proxy.name : choice.kind;
};
const id = 'https://id.example.com/token';

describe('which proxy', () => {
  test.each<[ProxyEnvironment, string | undefined, string]>([
    [{}, undefined, 'direct'],
    [{ HTTPS_PROXY: 'http://proxy.example.net:3128' }, undefined, 'proxy.example.net:3128'],
    [{ https_proxy: 'http://proxy.example.net:3128' }, undefined, 'proxy.example.net:3128'],
    [{ HTTPS_PROXY: 'proxy.example.net:3128' }, undefined, 'proxy.example.net:3128'],
    [{ HTTPS_PROXY: 'https://proxy.example.net' }, undefined, 'proxy.example.net:443'],
    [{ HTTPS_PROXY: 'http://[::2]:3128' }, undefined, '[::2]:3128'],
    [{ ALL_PROXY: 'http://all.example.net' }, undefined, 'all.example.net:80'],
    [
      { ALL_PROXY: 'http://all.example.net', HTTPS_PROXY: 'http://proxy.example.net' },
      undefined,
      'proxy.example.net:80',
    ],
    // For http alone: the provider is https.
    [{ HTTP_PROXY: 'http://proxy.example.net:3128' }, undefined, 'direct'],
    [{ HTTPS_PROXY: '' }, undefined, 'direct'],
    [{ HTTPS_PROXY: 'http://proxy.example.net' }, 'http://own.example.net:1', 'own.example.net:1'],
    [{ NO_PROXY: '*' }, 'http://own.example.net:1', 'own.example.net:1'],
    [{ ALL_PROXY: 'socks5://127.0.0.1:1080' }, undefined, 'unusable'],
    [{ HTTPS_PROXY: 'http://bad host' }, undefined, 'unusable'],
  ])('%j with proxyUrl %s: %s', (environment, configured, expected) => {
    expect(via(id, environment, configured)).toBe(expected);
  });

  test('loopback is reached directly, unless the account says a proxy', () => {
    for (const url of ['http://127.0.0.1:1/', 'https://localhost/', 'https://[::1]/']) {
      expect(via(url, { ALL_PROXY: 'http://proxy.example.net' })).toBe('direct');
      expect(via(url, {}, 'http://own.example.net:1')).toBe('own.example.net:1');
    }
  });
});

test.each<[noProxy: string, url: string, direct: boolean]>([
  ['*', id, true],
  ['example.com', id, true],
  ['id.example.com', id, true],
  ['ID.Example.COM', id, true],
  ['.example.com', id, true],
  ['*.example.com', id, true],
  ['.id.example.com', id, false],
  ['d.example.com', id, false],
  ['example.com:443', id, true],
  ['example.com:8443', id, false],
  ['example.com:8443', 'https://id.example.com:8443', true],
  ['other.com, example.com', id, true],
  ['other.com example.com', id, true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.0.0.0/8', id, false],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.1.2.3:443', 'https://10.1.2.3', true],
  ['10.1.2.3:444', 'https://10.1.2.3', false],
  ['fd00::/8', 'https://[fd00::1]', true],
  ['fd00::1', 'https://[fd00::1]', true],
  ['[fd00::1]:443', 'https://[fd00::1]', true],
  ['10.0.0.0/99', 'https://10.1.2.3', false],
  [',', id, false],
])('NO_PROXY=%s and %s: direct is %s', (noProxy, url, direct) => {
  const environment = { HTTPS_PROXY: 'http://proxy.example.net:3128', NO_PROXY: noProxy };
  expect(via(url, environment)).toBe(direct ? 'direct' : 'proxy.example.net:3128');
});

/**
 * What curl 7.88 and Go 1.26 (x/net/http/httpproxy) made of each address as HTTPS_PROXY: the login that reached the
 * proxy at proxy.test:3128, or null: another host, or a refusal.
 */
type Read = string | null;
const measured: [address: string, curl: Read, go: Read][] = [
  ['http://u:pw@proxy.test:3128', 'u:pw', 'u:pw'],
  ['u:pw@proxy.test:3128', 'u:pw', 'u:pw'],
  ['u@proxy.test:3128', 'u:', 'u:'],
  ['http://u:@proxy.test:3128', 'u:', 'u:'],
  ['http://:pw@proxy.test:3128', ':pw', ':pw'],
  ['http:u:pw@proxy.test:3128', 'http:u:pw', 'http:u:pw'],
  ['http://u:p%40w@proxy.test:3128', 'u:p@w', 'u:p@w'],
  ['http://u:p%c3%a4@proxy.test:3128', 'u:pä', 'u:pä'],
  ['http://u:p+w@proxy.test:3128', 'u:p+w', 'u:p+w'],
  ['http://u:p:w@proxy.test:3128', 'u:p:w', 'u:p:w'],
  ['http://u:p%w@proxy.test:3128', 'u:p%w', null],
  ['http://u:p%zz@proxy.test:3128', 'u:p%zz', null],
  ['http://u:100%@proxy.test:3128', 'u:100%', null],
  ['http://u:%40%zz@proxy.test:3128', 'u:@%zz', null],
  ['http://u:p\\w@proxy.test:3128', 'u:p\\w', null],
  ['u:p\\w@proxy.test:3128', 'u:p\\w', null],
  ['http://u:12\\w@proxy.test:3128', 'u:12\\w', null],
  ['http://u:p[w]@proxy.test:3128', 'u:p[w]', null],
  ['http://u:p[::2]w@proxy.test:3128', 'u:p[::2]w', null],
  ['http://u:p"w@proxy.test:3128', 'u:p"w', null],
  ['http://u:p|w^{}`@proxy.test:3128', 'u:p|w^{}`', null],
  ['http://u:pä@proxy.test:3128', 'u:pä', null],
  ['http://u:p@w@proxy.test:3128', null, 'u:p@w'],
  ['http://u:12@evil.test@proxy.test:3128', null, 'u:12@evil.test'],
  ['http://u:p#w@proxy.test:3128', null, null],
  ['http://u:12#w@proxy.test:3128', null, null],
  ['http://u:p?w@proxy.test:3128', null, null],
  ['http://u:12?w@proxy.test:3128', null, null],
  ['http://u:p/w@proxy.test:3128', null, null],
  ['http://u:12/w@proxy.test:3128', null, null],
  ['u:p#w@proxy.test:3128', null, null],
];

test.each(measured)('HTTPS_PROXY=%s: curl %s, Go %s', (address, curl, go) => {
  const expected = curl ?? go;
  const choice = chooseProxy(new URL(id), undefined, { HTTPS_PROXY: address });
  expect(choice.kind === 'proxy' ? [choice.proxy.name, choice.proxy.login?.reveal()] : choice).toEqual(
    expected === null ? { kind: 'unusable', name: 'HTTPS_PROXY' } : ['proxy.test:3128', expected],
  );
});

/** It may be copied into an issue (rule: no-secret-in-text). */
test('a login in the environment’s address is a secret, whatever is wrong with the rest', () => {
  const login = 'http://user:a space-canary@[::1]:3128';
  const choice = chooseProxy(new URL(id), undefined, { HTTPS_PROXY: login });
  expect(choice).toMatchObject({ proxy: { name: '[::1]:3128', hostname: '::1' } });
  expect(choice.kind === 'proxy' && choice.proxy.login?.reveal()).toBe('user:a space-canary');
  expect(inspect(choice, { depth: 9, showHidden: true })).not.toContain('canary');
  for (const broken of [
    'http://user:canary#@proxy.example.net',
    'http://canary@bad host',
    'http://user:12\\canary@proxy.example.net:x',
    'http://user:canary%00@proxy.example.net',
    'socks5://u:canary@s.example.net',
    'socks5://u:12#canary@s.example.net',
    'ftp://u:12\\canary@s.example.net',
  ]) {
    const refused = chooseProxy(new URL(id), undefined, { HTTPS_PROXY: broken });
    expect(refused.kind).toBe('unusable');
    expect(JSON.stringify(refused)).not.toMatch(/canary|12/);
  }
});

import { describe, expect, test } from 'vitest';
import { normalizeServerUrl } from './server-url.ts';

test.each([
  ['https://API.Example.com', 'https://api.example.com'],
  ['HTTPS://api.example.com:443/', 'https://api.example.com'],
  ['https://api.example.com:6443', 'https://api.example.com:6443'],
  ['http://localhost:80', 'http://localhost'],
  ['http://localhost:443', 'http://localhost:443'],
  ['https://10.0.0.1:6443//', 'https://10.0.0.1:6443'],
  ['https://[2001:DB8:0:0::1]:6443', 'https://[2001:db8::1]:6443'],
  ['https://[::ffff:10.0.0.1]', 'https://[::ffff:a00:1]'],
  ['https://host/k8s/clusters/c-1/', 'https://host/k8s/clusters/c-1'],
  ['https://host/K8S', 'https://host/K8S'],
  ['socks5://Proxy.example.com:1080', 'socks5://proxy.example.com'],
])('%s is %s', (text, url) => {
  expect(normalizeServerUrl(text)).toEqual({ ok: true, url });
});

describe('what two readers could take for two places is refused', () => {
  test.each([
    '',
    '10.0.0.1:6443',
    'localhost:6443',
    'https://user@host',
    'https://user:pw@host',
    'https://evil.example\\@host',
    'https://evil.example\\.host',
    'https://host?x=1',
    'https://host/?x=1',
    'https://host/#x',
    'https://ho st',
    ' https://host',
    'https://host\n',
    'https://ho\tst',
    'https://h%6fst',
    'https://0x7f.1',
    'https://127.1',
    'https://2130706433',
    'https://host/a/../b',
    'https://host/a/%2e%2E/b',
    'https://host/a/..%2fb',
    'https://host/..;x/b',
    'https://host/.',
    'https://host:99999',
    'https://höst.example',
    'https://[fe80::1%25eth0]',
    'https:///host',
    'file:///etc/passwd',
  ])('%j', (text) => {
    expect(normalizeServerUrl(text).ok).toBe(false);
  });
});

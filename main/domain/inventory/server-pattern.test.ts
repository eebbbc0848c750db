import { describe, expect, test } from 'vitest';
import { matchesServer, parseServerPattern } from './server-pattern.ts';

const matches = (pattern: string, server: string) => {
  const parsed = parseServerPattern(pattern);
  if (!parsed.ok) {
    throw new Error(parsed.fault);
  }
  return matchesServer(parsed.pattern, server);
};

describe('which servers a pattern covers', () => {
  test.each([
    ['api.example.com', 'https://api.example.com'],
    ['API.Example.com', 'https://api.example.com'],
    ['api.example.com', 'https://api.example.com:6443/k8s/clusters/a'],
    ['api.example.com:6443', 'https://api.example.com:6443'],
    ['api.example.com:443', 'https://api.example.com'],
    ['*.example.com', 'https://a.example.com'],
    ['*.example.com', 'https://a.b.example.com:6443/x'],
    ['*.example.com:6443', 'https://a.example.com:6443'],
    ['10.0.0.0/8', 'https://10.200.3.4:6443'],
    ['10.0.0.1', 'https://10.0.0.1:6443'],
    ['fd00::/8', 'https://[fd00::1]:6443'],
    ['[FD00:0::1]:6443', 'https://[fd00::1]:6443'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clusters'],
    ['https://proxy.example.com/clusters/', 'https://proxy.example.com/clusters/a'],
    ['https://proxy.example.com', 'https://proxy.example.com/any'],
    ['https://proxy.example.com', 'https://proxy.example.com/a%2fb'],
  ])('%s: %s', (pattern, server) => {
    expect(matches(pattern, server)).toBe(true);
  });

  test.each([
    ['api.example.com', 'https://evil-api.example.com'],
    ['api.example.com', 'https://api.example.com.evil.example'],
    ['api.example.com:6443', 'https://api.example.com'],
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['*.example.com', 'https://a.example.com.evil.example'],
    ['10.0.0.0/8', 'https://11.0.0.1'],
    ['10.0.0.0/8', 'https://10.0.0.1.evil.example'],
    ['10.0.0.0/8', 'https://[fd00::1]'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clustersevil'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com:8443/clusters'],
    // What stands behind a gateway may read these as /admin, or as /x.
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clusters/..%2fadmin'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clusters/..%5Cadmin'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clusters/%252e%252e/admin'],
    ['https://proxy.example.com/clusters', 'https://proxy.example.com/clusters//x'],
    ['https://proxy.example.com/Clusters', 'https://proxy.example.com/clusters/x'],
    ['api.example.com', 'http://api.example.com'],
  ])('%s: not %s', (pattern, server) => {
    expect(matches(pattern, server)).toBe(false);
  });
});

test.each([
  ['*', 'a * stands for the names below a domain, as in *.example.com, and nowhere else'],
  ['a.*.example.com', 'a * stands for the names below a domain, as in *.example.com, and nowhere else'],
  ['*.10.0.0.1', 'an address has no names below it; write addresses as 10.0.0.0/8'],
  ['http://api.example.com', 'expected https://: a credential goes to no other server of a profile'],
  ['https://me@api.example.com', 'expected a plain https:// URL: not a plain scheme://host:port address'],
  ['https://api.example.com/a?b', 'expected a plain https:// URL: has a query, a fragment or a backslash'],
  ['https://api.example.com/a/../b', 'expected a plain https:// URL: has a dot segment in its path'],
  [
    'https://api.example.com/a%2fb',
    'expected a path without empty parts, and without escaped slashes, dots and percent signs',
  ],
  ['10.0.0.0/33', 'expected addresses such as 10.0.0.0/8; for a path write the whole https:// URL'],
  ['api.example.com/path', 'expected addresses such as 10.0.0.0/8; for a path write the whole https:// URL'],
  ['api.example.com:0', 'expected a host, *.DOMAIN, addresses such as 10.0.0.0/8, or an https:// URL'],
  ['api.example.com:70000', 'expected a host, *.DOMAIN, addresses such as 10.0.0.0/8, or an https:// URL'],
  ['a b', 'expected a host, *.DOMAIN, addresses such as 10.0.0.0/8, or an https:// URL'],
  ['127.1', 'expected a plain host: has a host in an unusual form'],
])('%s is no pattern', (text, fault) => {
  expect(parseServerPattern(text)).toEqual({ ok: false, fault });
});

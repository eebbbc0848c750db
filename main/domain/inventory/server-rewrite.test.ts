import { describe, expect, test } from 'vitest';
import { parseServerRewrite } from './server-rewrite.ts';

const rewritten = (from: string, to: string, server: string) => {
  const parsed = parseServerRewrite({ from, to });
  return parsed.ok ? parsed.rewrite(server) : `${parsed.key} ${parsed.fault}`;
};

describe('a server’s rewrite', () => {
  const hub = 'https://proxy.hub.svc:9092';
  test.each<[string, string, string, string | null]>([
    [hub, 'https://proxy.example.com', `${hub}/cluster1`, 'https://proxy.example.com/cluster1'],
    [hub, 'https://proxy.example.com/', hub, 'https://proxy.example.com'],
    [hub, 'https://proxy.example.com/a/b/', `${hub}/c/d`, 'https://proxy.example.com/a/b/c/d'],
    [`${hub}/a`, 'https://x', `${hub}/a`, 'https://x'],
    [`${hub}/a/`, 'https://x:8443', `${hub}/a/b`, 'https://x:8443/b'],
    ['https://PROXY.hub.svc:9092', 'https://x', `${hub}/a`, 'https://x/a'],
    ['https://proxy:443', 'https://x', 'https://proxy/a', 'https://x/a'],
    // Whole parts, the same port, the same host.
    [`${hub}/a`, 'https://x', `${hub}/ab`, null],
    [`${hub}/a`, 'https://x', hub, null],
    ['https://proxy.hub.svc', 'https://x', `${hub}/a`, null],
    [hub, 'https://x', 'https://proxy.hub.svc.evil:9092', null],
    [hub, 'https://x', 'https://evil.proxy.hub.svc:9092', null],
    // Behind the proxy it may be another path.
    [hub, 'https://x', `${hub}/..%2fadmin`, null],
    [hub, 'https://x', `${hub}/a//b`, null],
    ['http://a', 'https://x', hub, 'from is no https:// URL'],
    [hub, 'http://x', hub, 'to is no https:// URL'],
    [hub, 'https://me@x', hub, 'to not a plain scheme://host:port address'],
    [`${hub}/a%2fb`, 'https://x', hub, 'from has an escaped or an empty part in its path'],
  ])('%s to %s: %s is %s', (from, to, server, expected) => {
    expect(rewritten(from, to, server)).toBe(expected);
  });
});

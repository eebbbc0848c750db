import { describe, expect, test } from 'vitest';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { KnownServers } from './known-servers.ts';

const cluster = (
  name: string,
  config: object,
  certificateAuthorityPem: string | null = null,
): LoadedCluster => ({
  name,
  config: clusterSchema.parse({ server: 'https://api.example.com', account: 'corp', ...config }),
  certificateAuthorityPem,
});

const known = new KnownServers([cluster('prod', { proxyUrl: 'http://proxy.example.com:3128' })]);

describe('a profile with a known cluster’s server', () => {
  test.each([
    ['another proxy', { proxyUrl: 'http://evil.example.com:3128' }],
    ['no proxy', {}],
    ['another TLS name', { proxyUrl: 'http://proxy.example.com:3128', tlsServerName: 'other' }],
    ['TLS unchecked', { proxyUrl: 'http://proxy.example.com:3128', insecureSkipTlsVerify: true }],
  ])('is in conflict with it: %s', (_, config) => {
    const spelled = { server: 'https://API.example.com:443/', ...config };
    expect(known.conflictOf(cluster('other', spelled))?.name).toBe('prod');
  });

  test('is in conflict with it: another CA', () => {
    const same = { proxyUrl: 'http://proxy.example.com:3128' };
    expect(known.conflictOf(cluster('other', same, 'no certificate'))?.name).toBe('prod');
  });

  test('is not where it is reached in the same way, or is another', () => {
    expect(known.conflictOf(cluster('other', { proxyUrl: 'http://proxy.example.com:3128/' }))).toBeNull();
    expect(known.conflictOf(cluster('other', { server: 'https://api.example.com/path' }))).toBeNull();
  });
});

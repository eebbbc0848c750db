import { expect, test } from 'vitest';
import { credentialProviderAccount } from '../../contract/config/accounts/image-plugins.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { ownProviderConfigHash } from './own-provider-config.ts';

type Entries = Pick<LoadedConfig, 'accounts' | 'registries'>;

function entries(plugin: object | null, matchImages: readonly string[] = ['a.io']): Entries {
  const other = { config: { staticToken: {} }, certificateAuthorityPem: null };
  const own = plugin && {
    config: {
      credentialProvider: credentialProviderAccount.parse({
        apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
        command: 'plugin',
        ...plugin,
      }),
    },
    certificateAuthorityPem: null,
  };
  const registry = (name: string, account: string, patterns: readonly string[]) =>
    [name, { name, config: { account, matchImages: patterns } }] as const;
  return {
    accounts: new Map(
      [
        ...(own ? [['ecr', { name: 'ecr', ...own }] as const] : []),
        ['x', { name: 'x', ...other }] as const,
      ].map(([name, account]) => [name, account]),
    ),
    registries: new Map([registry('r', 'ecr', matchImages), registry('s', 'x', ['b.io'])]),
  } as unknown as Entries;
}

test('is another one after a change of a plugin, or of the patterns that it is asked for', () => {
  const hashes = [
    entries({}),
    entries({ args: ['get'] }),
    entries({ env: [{ name: 'AWS_PROFILE', value: 'dev' }] }),
    entries({ defaultCacheDuration: '1h' }),
    entries({}, ['a.io', 'c.io']),
  ].map(ownProviderConfigHash);
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const hash of hashes) {
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  }
});

test('is the same while nothing of them changes; there is none without a plugin', () => {
  expect(ownProviderConfigHash(entries({}))).toBe(ownProviderConfigHash(entries({})));
  expect(ownProviderConfigHash(entries(null))).toBeNull();
});

import { expect, test } from 'vitest';
import type { AccountConfig } from '../../../../contract/config/accounts/account.ts';
import type { RegistryConfig } from '../../../../contract/config/registry.ts';
import type { LoadedConfig } from '../../../../domain/loaded-config.ts';
import { providersOf } from './providers.ts';

const attributes = { serviceAccountTokenAudience: 'aud', cacheType: 'Token', requireServiceAccount: true };
const oidc = (more: object) => ({ oidc: { issuer: 'https://id', clientId: 'c', ...more } });
const accounts: Record<string, object> = {
  hub: { registry: { userName: 'robot' } },
  byToken: { registry: {} },
  user: oidc({ flow: 'auto' }),
  pods: oidc({ flow: 'serviceAccountToken' }),
  same: oidc({ flow: 'serviceAccountToken', serviceAccountTokenAudience: 'https://id' }),
  other: oidc({ flow: 'serviceAccountToken', serviceAccountTokenAudience: 'other' }),
  plugin: { credentialProvider: { tokenAttributes: attributes } },
  plain: { credentialProvider: {} },
};

const of = (registries: Record<string, Partial<RegistryConfig>>) =>
  providersOf({
    accounts: new Map(
      Object.entries(accounts).map(([name, config]) => [
        name,
        { name, config: config as AccountConfig, certificateAuthorityPem: null },
      ]),
    ),
    registries: new Map(
      Object.entries(registries).map(([name, config]) => [name, { name, config: config as RegistryConfig }]),
    ),
  } as unknown as LoadedConfig);

test('one provider for all registries without tokens, first; one for each kind of token', () => {
  expect(
    of({
      a: { matchImages: ['a.io'], account: 'pods', userName: 'pod' },
      b: { matchImages: ['b.io', '*.b.io'], account: 'hub' },
      c: { matchImages: ['c.io', 'a.io'], account: 'same', userName: 'pod' },
      d: { matchImages: ['d.io'], account: 'plugin' },
      e: { matchImages: ['e.io', 'b.io'], account: 'user', userName: 'pod' },
      f: { matchImages: ['f.io'], account: 'other', userName: 'pod' },
      g: { matchImages: ['g.io'], account: 'plain' },
    }),
  ).toMatchObject({
    left: [],
    providers: [
      { patterns: ['b.io', '*.b.io', 'e.io', 'g.io'], tokenAttributes: null },
      {
        patterns: ['a.io', 'c.io'],
        tokenAttributes: { ...attributes, serviceAccountTokenAudience: 'https://id' },
      },
      { patterns: ['d.io'], tokenAttributes: attributes },
      { patterns: ['f.io'], tokenAttributes: { ...attributes, serviceAccountTokenAudience: 'other' } },
    ],
  });
});

test('a registry whose credential is an identity token is none of a kubelet’s, and says so', () => {
  const { providers, left } = of({
    a: { matchImages: ['a.io'], account: 'byToken' },
    b: { matchImages: ['b.io'], account: 'user' },
    c: { matchImages: ['c.io'], account: 'user', userName: 'oauth2' },
  });
  expect(providers).toMatchObject([{ patterns: ['c.io'] }]);
  expect(left).toMatchObject([
    { registry: 'a', why: expect.stringContaining('byToken has an identity token') },
    { registry: 'b' },
  ]);
});

test('a registry that answers docker under a separate name is none of a kubelet’s', () => {
  expect(of({ a: { matchImages: ['a.io'], account: 'pods', calledAs: 'work' } })).toEqual({
    providers: [],
    left: [],
  });
});

import { expect, it } from 'vitest';
import { clusterName } from '../../../domain/target/target.ts';
import type { CachedCredential } from '../../../grants/grants.ts';
import { cachedCredential } from '../../../grants/testing/cached-credential.ts';
import { indexCredentials } from './credential-index.ts';

const held = (more: Partial<CachedCredential>, expiresAt: number | null = 100) =>
  cachedCredential(more, expiresAt);
const prod = { name: 'prod', account: 'corp', audience: null };

it('gives a cluster what its account holds, and what it renews to', () => {
  expect(indexCredentials([held({})]).of(prod)).toEqual({
    kind: 'token',
    issuedAt: 1,
    expiresAt: 100,
    renewsAt: 8,
    trouble: null,
    generation: 4,
  });
});

it('gives a cluster with its own audience that one alone', () => {
  const index = indexCredentials([held({}), held({ audience: 'prod', generation: 7 })]);
  expect(index.of({ ...prod, audience: 'prod' })?.generation).toBe(7);
  expect(index.of({ ...prod, audience: 'dev' })).toBeNull();
});

it('gives of a plugin’s what was made for this cluster or for any, and of several what ends last', () => {
  const index = indexCredentials([
    held({ isShaped: true, target: clusterName('prod'), generation: 1 }, 100),
    held({ isShaped: true, target: clusterName('prod'), generation: 2 }, 300),
    held({ isShaped: true, generation: 4 }, 200),
    held({ isShaped: true, target: clusterName('dev'), generation: 5 }, 900),
  ]);
  expect(index.of(prod)?.generation).toBe(2);
  expect(index.of({ ...prod, name: 'new' })?.generation).toBe(4);
  expect(indexCredentials([held({ isShaped: true, target: clusterName('dev') })]).of(prod)).toBeNull();
});

it('shows the expiry in a credential where none was promised', () => {
  const { credential } = held({});
  const noExpiry = { ...credential, noExpiry: { ownExpiry: 55, onlyFor: null } };
  expect(indexCredentials([held({ credential: noExpiry })]).of(prod)?.expiresAt).toBe(55);
});

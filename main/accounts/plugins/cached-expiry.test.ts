import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Credential } from '../../ports/account.ts';
import { cachedExpiry } from './cached-expiry.ts';

function held(cluster: string | null, expiresAt: number | null, noExpiry?: Credential['noExpiry']) {
  const credential = { token: new Secret('t'), certificate: null, issuedAt: null, expiresAt, noExpiry };
  return { target: cluster === null ? null : clusterName(cluster), credential };
}

test.each([
  ['nothing is held', [], null, { expiresAt: null, endIs: 'nothing' }],
  [
    'the last of several',
    [held(null, 5), held(null, 9), held(null, 7)],
    null,
    { expiresAt: 9, endIs: 'promised' },
  ],
  [
    'without an end is later than any',
    [held(null, null), held(null, 9)],
    null,
    { expiresAt: null, endIs: 'promised' },
  ],
  ['of the cluster alone', [held('dev', 9), held('prod', 5)], 'prod', { expiresAt: 5, endIs: 'promised' }],
  ['of another cluster is nothing', [held('dev', 9)], 'prod', { expiresAt: null, endIs: 'nothing' }],
  ['what serves any serves this one', [held(null, 9)], 'prod', { expiresAt: 9, endIs: 'promised' }],
  ['what was read', [held(null, 3, { ownExpiry: 9, onlyFor: null })], null, { expiresAt: 9, endIs: 'read' }],
  [
    'what tells no end, kept for a while',
    [held(null, 3, { ownExpiry: null, onlyFor: null })],
    null,
    { expiresAt: null, endIs: 'promised' },
  ],
] as const)('%s', (_name, all, cluster, expected) => {
  expect(cachedExpiry(all, cluster === null ? null : clusterName(cluster))).toEqual(expected);
});

import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Credential } from '../../ports/account.ts';
import { cachedExpiry } from './cached-expiry.ts';

function held(cluster: string | null, expiresAt: number | null, noExpiry?: Credential['noExpiry']) {
  const credential = { token: new Secret('t'), certificate: null, issuedAt: null, expiresAt, noExpiry };
  return { target: cluster === null ? null : clusterName(cluster), credential };
}

const promised = (expiresAt: number | null) => ({ expiresAt, endIs: 'promised' });
const nothing = { expiresAt: null, endIs: 'nothing' };
const read = (ownExpiry: number | null) => held(null, 3, { ownExpiry, onlyFor: null });
test.each([
  ['nothing is held', [], null, nothing],
  ['the last of several', [held(null, 5), held(null, 9), held(null, 7)], null, promised(9)],
  ['without an end is later than any', [held(null, null), held(null, 9)], null, promised(null)],
  ['of the cluster alone', [held('dev', 9), held('prod', 5)], 'prod', promised(5)],
  ['of another cluster is nothing', [held('dev', 9)], 'prod', nothing],
  ['what serves any serves this one', [held(null, 9)], 'prod', promised(9)],
  ['what was read', [read(9)], null, { expiresAt: 9, endIs: 'read' }],
  ['what tells no end, kept for a while', [read(null)], null, promised(null)],
] as const)('%s', (_name, all, cluster, expected) => {
  expect(cachedExpiry(all, cluster === null ? null : clusterName(cluster))).toEqual(expected);
});

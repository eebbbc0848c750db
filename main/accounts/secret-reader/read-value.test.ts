import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { LoadedCluster } from '../../domain/loaded-config.ts';
import { createDestinationMatcher } from '../../domain/server/destination.ts';
import { credentialInKubeconfig, tokenIn } from './read-value.ts';

const matcher = createDestinationMatcher();

function kubeconfig(server: string, token = 'a-token'): Secret {
  return new Secret(
    JSON.stringify({
      'current-context': 'x',
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    }),
  );
}

function spoke(server: string): LoadedCluster {
  const config = clusterSchema.parse({ server, account: 'fleet' });
  return { name: 'spoke', config, certificateAuthorityPem: null };
}

/** A JWT without a signature. */
function jwt(claims: object): string {
  return ['{"alg":"none"}', JSON.stringify(claims), '']
    .map((each) => btoa(each).replace(/=+$/, ''))
    .join('.');
}

describe('a stored kubeconfig', () => {
  const read = (stated: string, known: string, rewrites: { from: string; to: string }[] = []) =>
    credentialInKubeconfig(kubeconfig(stated), { context: null }, spoke(known), { matcher, rewrites });

  test('is for the cluster that asks, in any spelling', () => {
    expect(read('https://Spoke:443/', 'https://spoke')).toMatchObject({ ok: true });
    expect(read('https://other', 'https://spoke')).toEqual({
      ok: false,
      code: 'otherCluster',
      fault: 'has a kubeconfig for another cluster than spoke: it differs in server',
    });
  });

  const rewrites = [{ from: 'https://proxy.svc/clusters', to: 'https://hub.example' }];
  test.each<[string, string, string, boolean]>([
    ['by the rewrites of its inventory', 'https://proxy.svc/clusters/a', 'https://hub.example/a', true],
    ['not another one below them', 'https://proxy.svc/clusters/b', 'https://hub.example/a', false],
    ['not one beside them', 'https://proxy.svc/clustersa', 'https://hub.example/a', false],
    ['as it is, where none of them matches', 'https://hub.example/a', 'https://hub.example/a', true],
  ])('%s', (_, stated, known, ok) => {
    expect(read(stated, known, rewrites).ok).toBe(ok);
    expect(read(stated, known).ok).toBe(stated === known);
  });

  test('can have a token that is none', () => {
    const text = kubeconfig('https://spoke', 'a b');
    const found = credentialInKubeconfig(text, { context: null }, spoke('https://spoke'), {
      matcher,
      rewrites: [],
    });
    expect(found).toMatchObject({
      ok: false,
      code: 'token',
      fault: expect.stringMatching(/with a token that has/),
    });
  });
});

describe('a token', () => {
  test('is known with the life that it states, without what is around it', () => {
    const token = jwt({ iat: 1_000, exp: 2_000 });
    const found = tokenIn(new Secret(`\uFEFF${token}\r\n`), { key: 'token' });
    expect(found).toMatchObject({ ok: true, credential: { issuedAt: 1_000_000, ownExpiry: 2_000_000 } });
    expect(found.ok && found.credential.token?.reveal()).toBe(token);
  });

  test.each(['', ' \n', 'a\nb', 'a\u0000b', 'ä'])('is none: %j', (text) => {
    expect(tokenIn(new Secret(text), { key: 'bearer' })).toMatchObject({
      ok: false,
      code: 'token',
      fault: expect.stringMatching(/^has a bearer that /),
    });
  });
});

import { expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { Provider } from './provider.ts';
import { requestTokens } from './token-request.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = { sub: 'alice', at_hash: '77QmUPtjPfzWtF2AnpK9RQ' };

test.each([
  ['jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y', 'taken'],
  ['another', 'tokenHash'],
])('the access token %s beside an id token with at_hash: %s', async (accessToken, expected) => {
  const provider = {
    configure: () => ({ clientMetadata: () => ({ client_id: 'kubernetes' }) }),
    refuseProblem: ({ kind }: { kind: string }) => refuse('provider', kind, kind),
  } as unknown as Provider;
  const proof = { assertion: null, key: null, certificate: null };
  const known = { ok: true, metadata: {}, checkSignature: async () => undefined, proof } as never;
  const answer = await requestTokens(
    provider,
    known,
    { grant: new Secret('code'), clientSecret: null },
    async () =>
      ({
        access_token: accessToken,
        id_token: `${part({ alg: 'RS256' })}.${part(claims)}.x`,
        token_type: 'bearer',
        claims: () => claims,
        expiresIn: () => undefined,
      }) as never,
  );
  expect(answer.kind === 'tokens' ? 'taken' : answer.problem.kind).toBe(expected);
});

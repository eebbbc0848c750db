import { expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { ClaimFault, checkAccessTokenHash } from './id-token.ts';

// OpenID Connect Core 1.0, A.3 and A.4.
const accessToken = new Secret('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y');
const hash = '77QmUPtjPfzWtF2AnpK9RQ';

test.each<[string, string, unknown, boolean]>([
  ['the standard’s own example', 'RS256', hash, true],
  ['the same for a curve', 'ES256', hash, true],
  ['none: it may be left out', 'RS256', undefined, true],
  ['another’s', 'RS256', '77QmUPtjPfzWtF2AnpK9RR', false],
  ['the whole digest', 'RS256', 'x'.repeat(43), false],
  ['not text', 'RS256', 7, false],
  ['by another algorithm’s digest', 'RS512', hash, false],
])('at_hash, %s', (_name, alg, claimed, good) => {
  const check = () => checkAccessTokenHash(alg, claimed, accessToken);
  if (good) {
    expect(check).not.toThrow();
  } else {
    expect(check).toThrow(ClaimFault);
  }
});

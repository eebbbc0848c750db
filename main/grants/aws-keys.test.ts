import { expect, test } from 'vitest';
import { FakeClock } from '../accounts/testing/fake-clock.ts';
import { Secret } from '../base/secret.ts';
import type { Credential } from '../ports/account.ts';
import { Grant } from './grant.ts';

const keys = (id: string, secret: string, session: string | null): Credential => ({
  token: null,
  certificate: null,
  awsKeys: {
    accessKeyId: id,
    secretAccessKey: new Secret(secret),
    sessionToken: session === null ? null : new Secret(session),
  },
  issuedAt: null,
  expiresAt: null,
});

/** Else a file’s new keys, or those of `secret set`, would never be used. */
test('AWS keys are the same credential only with every part', () => {
  const grant = new Grant(keys('A', 's', 't'), 1, new FakeClock());
  const same = [keys('A', 's', 't'), keys('B', 's', 't'), keys('A', 'r', 't'), keys('A', 's', null)];
  expect(same.map((each) => grant.holds(each))).toEqual([true, false, false, false]);
  expect(grant.holds({ ...keys('A', 's', 't'), awsKeys: undefined })).toBe(false);
});

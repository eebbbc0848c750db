import { expect, test } from 'vitest';
import { aProfile } from '../../inventory/testing/a-profile.ts';
import { findSameCluster } from './same-cluster.ts';

test('profiles with one member id are of one cluster, in whichever inventory', () => {
  const east = aProfile('team', 'east', { memberId: 'm1' });
  const other = aProfile('team', 'east', { inventory: 'other', memberId: 'm1' });
  const west = aProfile('team', 'west', { memberId: 'm2' });
  const nameless = [aProfile('a', 'a'), aProfile('a', 'b')];
  const alsoListed = findSameCluster([east, other, west, ...nameless]);
  expect(alsoListed(east)).toEqual({ count: 1, profiles: [other] });
  expect(alsoListed(other)).toEqual({ count: 1, profiles: [east] });
  for (const each of [west, ...nameless]) {
    expect(alsoListed(each)).toEqual({ count: 0, profiles: [] });
  }
});

test('of 10,000 that say the same, eight are named', () => {
  const profiles = Array.from({ length: 10_000 }, (_, index) =>
    aProfile('team', `c-${index}`, { memberId: 'same' }),
  );
  const alsoListed = findSameCluster(profiles);
  for (const each of profiles) {
    const { count, profiles: named } = alsoListed(each);
    expect([count, named.length, named.includes(each)]).toEqual([9_999, 8, false]);
  }
});

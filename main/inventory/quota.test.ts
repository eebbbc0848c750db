import { expect, test } from 'vitest';
import { KnownProfiles } from './known-profiles.ts';
import { memoryOf, profileQuota } from './quota.ts';
import { aProfile, read } from './testing/a-profile.ts';

const withConfig = (name: string, execConfig: unknown) => {
  const profile = aProfile('team', name);
  return { ...profile, providers: profile.providers.map((each) => ({ ...each, execConfig })) };
};

test('what a config takes in memory counts, not only its text', () => {
  expect(memoryOf(withConfig('a', 'text'))).toBe(0);
  expect(memoryOf(withConfig('a', undefined))).toBe(0);
  // 3 bytes of text each, and about 44 of memory.
  expect(memoryOf(withConfig('a', Array(1000).fill([])))).toBeGreaterThan(44_000);
  // 5 bytes each, and about 100.
  expect(memoryOf(withConfig('a', Array(1000).fill({ a: 1 })))).toBeGreaterThan(100_000);
});

test('a namespace of profiles with thousands of empty objects is left out before it takes too much memory', () => {
  const known = new KnownProfiles();
  const config = Array(4_000).fill({});
  const most = Math.ceil(profileQuota.namespace.bytes / memoryOf(withConfig('a', config)));
  for (let at = 0; at < most; at++) {
    known.put(read(withConfig(`p${at}`, config)));
  }
  expect(known.isOverQuota).toBe(true);
  expect(known.profiles.size).toBeGreaterThan(most / 2);
  for (const key of [...known.profiles.keys()]) {
    known.remove(key);
  }
  known.put(read(withConfig('last', config)));
  expect(known.profiles.has('team/last')).toBe(true);
});

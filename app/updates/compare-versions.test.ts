import { describe, expect, it } from 'vitest';
import { compareVersions, isPrerelease, versionPattern } from './compare-versions.ts';

describe('versions come in the order of semver.org', () => {
  const ordered = [
    ...['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
    ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.0.10', '1.2.0', '1.10.0', '2.0.0', '10.0.0'],
  ];

  it.each(ordered.slice(1).map((later, index) => [ordered[index] as string, later]))(
    '%s before %s',
    (earlier, later) => {
      expect(compareVersions(earlier, later)).toBeLessThan(0);
      expect(compareVersions(later, earlier)).toBeGreaterThan(0);
      expect(compareVersions(later, later)).toBe(0);
    },
  );

  it.each([
    '1.0',
    '1.0.0.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-a..b',
    '1.0.0+build',
    '1.0.0\n',
    '',
    '1e3.0.0',
  ])('%j is none', (text) => {
    expect(versionPattern.test(text)).toBe(false);
  });

  it.each([
    ['1.0.0', false],
    ['1.0.0-rc.1', true],
  ])('%s is on trial: %s', (version, expected) => {
    expect(isPrerelease(version)).toBe(expected);
  });
});

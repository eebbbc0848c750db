import { describe, expect, it } from 'vitest';
import { clusterCalled, clusterNamed } from './cluster-called.ts';

const clusters = [
  { name: 'prod-eu', config: { aliases: ['eu', 'live'] } },
  { name: 'prod-us', config: { aliases: ['us', 'live', 'prod-eu'] } },
  { name: 'dev', config: {} },
];

describe('what a user calls a cluster', () => {
  it('is its name, or an alias', () => {
    expect(['dev', 'eu', 'us'].map((said) => clusterCalled(said, clusters))).toEqual([
      'dev',
      'prod-eu',
      'prod-us',
    ]);
  });

  it('is the name first: an alias hides no cluster', () => {
    expect(clusterCalled('prod-eu', clusters)).toBe('prod-eu');
  });

  it('is what was said where no cluster has it', () => {
    expect(clusterCalled('other', clusters)).toBe('other');
  });

  it('is refused where it is an alias of several', () => {
    expect(() => clusterCalled('live', clusters)).toThrow('"live" is an alias of prod-eu and prod-us');
  });
});

describe('what takes the name alone', () => {
  it('takes a name, also one that no cluster has', () => {
    expect(['prod-eu', 'other'].map((said) => clusterNamed(said, clusters))).toEqual(['prod-eu', 'other']);
  });

  it('refuses an alias, of one cluster or of several', () => {
    expect(() => clusterNamed('eu', clusters)).toThrow('"eu" is an alias of prod-eu: use the name');
    expect(() => clusterNamed('live', clusters)).toThrow('"live" is an alias of prod-eu and prod-us');
  });
});

import { describe, expect, it } from 'vitest';
import { entryOf, faultsOf, valuesOf } from './registry-values.ts';

const full = {
  matchImages: ['ghcr.io/team', '*.azurecr.io'],
  account: 'bot',
  userName: 'oauth2accesstoken',
  audience: 'reg',
  approval: '8h',
  cacheDuration: '10m',
  calledAs: 'work',
  tokenServers: ['auth.example.com', 'auth.example.com:8443'],
};

describe('the form of a registry', () => {
  it.each([[full], [{ matchImages: ['ghcr.io'], account: 'bot' }], [{ ...full, approval: 'never' }]])(
    'gives the entry back as it was %#',
    (entry) => {
      expect(entryOf(valuesOf(entry), entry)).toEqual(entry);
    },
  );

  it('writes what was typed, one pattern a line, and leaves out what is empty', () => {
    const values = { ...valuesOf(null), matchImages: ' ghcr.io \n\nquay.io/team', account: 'bot' };
    expect(entryOf(values, null)).toEqual({ matchImages: ['ghcr.io', 'quay.io/team'], account: 'bot' });
    expect(entryOf({ ...valuesOf(full), calledAs: '', tokenServers: ' ', approval: 'always' }, full)).toEqual(
      {
        matchImages: full.matchImages,
        account: 'bot',
        userName: 'oauth2accesstoken',
        audience: 'reg',
        approval: 'always',
        cacheDuration: '10m',
      },
    );
  });

  it.each([
    [{}, ['matchImages', 'account']],
    [{ account: 'bot' }, ['matchImages']],
    [{ ...full, calledAs: 'a b' }, ['calledAs']],
    [{ ...full, matchImages: ['a b'] }, ['matchImages']],
    [{ ...full, tokenServers: ['https://auth.example.com'] }, ['tokenServers']],
    [full, []],
  ])('has a fault at each wrong field %#', (entry, fields) => {
    expect(Object.keys(faultsOf(entryOf(valuesOf(entry), null))).sort()).toEqual([...fields].sort());
  });
});

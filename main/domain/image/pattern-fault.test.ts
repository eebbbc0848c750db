import { expect, test } from 'vitest';
import { patternFault } from './pattern-fault.ts';

test.each([
  'registry.example.com',
  '*.azurecr.io',
  '123456789012.dkr.ecr.*.amazonaws.com',
  'ghcr.io/team',
  'ghcr.io/team/app',
  'ghcr.io/team/',
  'localhost:5000',
  '[::1]:5000/team',
  'docker.io',
  'docker.io/library',
])('%s is a pattern', (text) => {
  expect(patternFault(text)).toBeNull();
});

test.each([
  ['https://ghcr.io', /scheme/],
  ['r?.example.com', /no \?/],
  ['ghcr.io/a?b', /no \?/],
  ['ghcr.io#team', /no #/],
  ['ghcr.io/%2e%2e', /no %/],
  ['me@ghcr.io', /user name/],
  ['ghcr.io/app@sha256', /digest/],
  ['[a-z].example.com', /brackets/],
  ['r[12].example.com', /brackets/],
  ['ghcr.io/[a]', /brackets/],
  ['[::1]', /needs its port/],
  ['', /host/],
  ['/team', /host/],
  [':5000', /host/],
  ['.example.com', /host/],
  ['example.com.', /host/],
  ['localhost:*', /\* has no effect in a port/],
  ['localhost:', /expected a port/],
  ['localhost:99999999', /expected a port/],
  ['ghcr.io/*', /\* has no effect in a path/],
  ['ghcr.io/app:1.25', /tag/],
  ['ghcr.io/a/../b', /dots/],
  ['ghcr.io//b', /empty part/],
  ['index.docker.io/library', /docker\.io/],
  ['*.docker.io', /docker\.io/],
  ['docker.io:443', /docker\.io/],
  ['GHCR.IO', /lower case/],
  ['ghcr.io/Team', /lower case/],
  ['nginx', /no registry’s host/],
  ['library/nginx', /docker\.io\/library/],
  ['ghcr.io:99999', /expected a port/],
  ['a..b', /letters, digits/],
  ['ghcr.io;x', /letters, digits/],
])('%j is refused', (text, why) => {
  expect(patternFault(text)).toMatch(why);
});

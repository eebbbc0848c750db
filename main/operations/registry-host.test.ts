import { expect, test } from 'vitest';
import { RegistryPatterns } from '../domain/image/registry-choice.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import { loadedRegistry } from '../domain/testing/loaded.ts';
import { testedPlace } from './registry-host.ts';

function registry(name: string, matchImages: string[], calledAs?: string): LoadedRegistry {
  return loadedRegistry(name, { matchImages, account: 'a', ...(calledAs && { calledAs }) });
}

const all = [
  registry('ghcr', ['ghcr.io']),
  registry('team', ['ghcr.io/team/', 'ghcr.io/labs/']),
  registry('azure', ['*.azurecr.io']),
  registry('two', ['a.example.com', 'b.example.com:5000']),
  registry('hub', ['docker.io']),
  registry('work', ['ghcr.io'], 'work'),
];
const patterns = new RegistryPatterns(all);

function placeOf(name: string, image: string | null) {
  const found = all.find((each) => each.name === name) ?? expect.unreachable();
  return testedPlace(found, image, {
    registryFor: (asked, calledAs) => {
      const matches =
        calledAs === null ? patterns.find(asked) : patterns.findAnyPath(asked.split('/')[0] ?? '');
      const match = matches.find((each) => (each.registry.config.calledAs ?? null) === calledAs) ?? null;
      return { ok: true, match };
    },
  });
}

test.each<[name: string, image: string | null, place: object]>([
  ['ghcr', null, { host: 'ghcr.io', asked: 'ghcr.io', image: null, isChosen: false, isOnly: true }],
  ['team', null, { host: 'ghcr.io', asked: 'ghcr.io', image: null }],
  [
    'ghcr',
    'ghcr.io/other/app',
    { host: 'ghcr.io', image: { path: 'other/app', reference: 'latest' }, isChosen: false, isOnly: true },
  ],
  [
    'team',
    'ghcr.io/team/app:v1',
    { asked: 'ghcr.io/team/app', image: { path: 'team/app', reference: 'v1' } },
  ],
  ['azure', 'corp.azurecr.io/app', { host: 'corp.azurecr.io', isChosen: true, isOnly: false }],
  ['two', 'b.example.com:5000/app', { host: 'b.example.com:5000', isChosen: false, isOnly: false }],
  ['hub', 'nginx', { host: 'docker.io', image: { path: 'library/nginx', reference: 'latest' } }],
  ['hub', null, { host: 'docker.io', asked: 'docker.io' }],
  [
    'hub',
    `nginx@sha256:${'a'.repeat(64)}`,
    { image: { path: 'library/nginx', reference: `sha256:${'a'.repeat(64)}` } },
  ],
  ['work', 'ghcr.io/team/app', { host: 'ghcr.io' }],
])('%s is tested with %s', (name, image, place) => {
  expect(placeOf(name, image)).toMatchObject({ ok: true, place });
});

test.each<[name: string, image: string | null, code: string]>([
  ['azure', null, 'registry.manyHosts'],
  ['two', null, 'registry.manyHosts'],
  // Another credential goes there.
  ['ghcr', 'ghcr.io/team/app', 'registry.otherImage'],
  ['ghcr', 'quay.io/app', 'registry.otherImage'],
  ['azure', 'evil.example/azurecr.io/app', 'registry.otherImage'],
  ['ghcr', 'ghcr.io/../v2/_catalog', 'image.name'],
  ['ghcr', 'GHCR.io/App', 'image.name'],
  ['ghcr', '', 'image.name'],
])('%s is not tested with %s', (name, image, code) => {
  expect(placeOf(name, image)).toMatchObject({ ok: false, code });
});

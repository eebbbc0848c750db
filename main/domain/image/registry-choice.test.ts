import { expect, test } from 'vitest';
import { registry as registrySchema } from '../../contract/config/registry.ts';
import type { LoadedRegistry } from '../loaded-config.ts';
import { RegistryPatterns } from './registry-choice.ts';

function registry(name: string, matchImages: string[], more: object = {}): LoadedRegistry {
  const config = registrySchema.parse({ matchImages, account: 'hub', ...more });
  return { name, config, certificateAuthorityPem: null };
}

const namesFor = (image: string, ...registries: LoadedRegistry[]) =>
  new RegistryPatterns(registries).find(image).map(({ registry: { name } }) => name);

test('the longest path counts, then the fewest wildcards', () => {
  const all = [
    registry('any', ['*.io']),
    registry('host', ['ghcr.io']),
    registry('team', ['ghcr.io/team/']),
    registry('wild', ['*.io/team/']),
  ];
  expect(namesFor('ghcr.io/team/app', ...all)).toEqual(['team', 'wild', 'host', 'any']);
  expect(namesFor('ghcr.io/teams/app', ...all)).toEqual(['host', 'any']);
});

/** (rule: confirmed-binding) */
test('equal patterns come in an order that no edit of the file changes: who asks most often, then by name', () => {
  const all = [
    registry('c', ['r.example.com']),
    registry('b', ['r.example.com'], { approval: 'perTerminal' }),
    registry('d', ['r.example.com'], { approval: '8h' }),
    registry('e', ['r.example.com'], { approval: '15m' }),
    registry('z', ['r.example.com'], { approval: 'always' }),
    registry('a', ['r.example.com']),
  ];
  const expected = ['z', 'e', 'd', 'b', 'a', 'c'];
  expect(namesFor('r.example.com/app', ...all)).toEqual(expected);
  expect(namesFor('r.example.com/app', ...all.toReversed())).toEqual(expected);
});

test('the key is the image’s host with the pattern’s path; a path of the host keeps answers apart', () => {
  const patterns = new RegistryPatterns([
    registry('azure', ['*.azurecr.io']),
    registry('team', ['ghcr.io/team/']),
    registry('other', ['ghcr.io']),
  ]);
  expect(patterns.find('corp.azurecr.io/app')[0]?.authKey).toBe('corp.azurecr.io');
  expect(patterns.find('ghcr.io/team/app')[0]?.authKey).toBe('ghcr.io/team/');
  expect(patterns.cacheKeyType('corp.azurecr.io/app')).toBe('Registry');
  expect(patterns.cacheKeyType('ghcr.io/other/app')).toBe('Image');
});

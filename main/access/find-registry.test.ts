import { expect, test } from 'vitest';
import { registry as registrySchema } from '../contract/config/registry.ts';
import { refuse } from '../contract/refusal.ts';
import { RegistryPatterns } from '../domain/image/registry-choice.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import { type FindRegistryDeps, findRegistry } from './find-registry.ts';

function registry(name: string, pattern: string, calledAs?: string): LoadedRegistry {
  const config = registrySchema.parse({ matchImages: [pattern], account: 'hub', calledAs });
  return { name, config, certificateAuthorityPem: null };
}

function find(
  image: string,
  active: LoadedRegistry[],
  more: Partial<FindRegistryDeps> = {},
  calledAs: string | null = null,
) {
  const found = findRegistry(image, calledAs, {
    patterns: new RegistryPatterns(active),
    isServed: () => true,
    pending: () => [],
    isOpen: true,
    fault: null,
    ...more,
  });
  return found.ok ? (found.match?.registry.name ?? null) : found.code;
}

test('an approved registry comes before one that is pending', () => {
  const active = [registry('a', 'ghcr.io/team/'), registry('b', 'ghcr.io')];
  expect(find('ghcr.io/team/app', active)).toBe('a');
  expect(find('ghcr.io/team/app', active, { isServed: (name) => name === 'b' })).toBe('b');
  // Its caller refuses it, with its name.
  expect(find('ghcr.io/team/app', active, { isServed: () => false })).toBe('a');
});

test('what only a pending form covers is refused, not absent', () => {
  expect(find('new.example.com/app', [], { pending: () => [registry('a', 'new.example.com')] })).toBe(
    'binding.held',
  );
});

test('with a config.yaml that never was valid nothing is absent', () => {
  const fault = refuse('notPermitted', 'config.invalid', 'errors');
  expect(find('ghcr.io/app', [], { fault })).toBe('config.invalid');
  expect(find('ghcr.io/app', [registry('a', 'ghcr.io')], { fault })).toBe('a');
});

test('while locked the vault isn’t asked', () => {
  const closed = () => expect.unreachable();
  const locked = { isOpen: false, isServed: closed, pending: closed };
  expect(find('ghcr.io/app', [registry('a', 'ghcr.io')], locked)).toBe('a');
  expect(find('quay.io/app', [registry('a', 'ghcr.io')], locked)).toBeNull();
});

test('a name of the helper chooses its own registries, by the host alone', () => {
  const active = [registry('a', 'ghcr.io/team/', 'work'), registry('b', 'ghcr.io')];
  expect(find('ghcr.io', active)).toBe('b');
  expect(find('ghcr.io', active, {}, 'work')).toBe('a');
  expect(find('quay.io', active, {}, 'work')).toBeNull();
  expect(find('ghcr.io/team/app', [active[0] as LoadedRegistry])).toBeNull();
});

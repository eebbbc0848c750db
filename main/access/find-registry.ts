import { type Refusal, refuse } from '../contract/refusal.ts';
import { type RegistryMatch, RegistryPatterns } from '../domain/image/registry-choice.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';

export interface FindRegistryDeps {
  /** The patterns of the active registries. */
  patterns: RegistryPatterns;
  /** False: it is pending approval, without an approved form. Throws while the vault isn't open. */
  isServed(registry: string): boolean;
  /** As config.yaml has them, pending. Throws while the vault isn't open. */
  pending(): readonly LoadedRegistry[];
  isOpen: boolean;
  /** Why no registry of config.yaml is known at all; null: they are. */
  fault: Refusal | null;
}

/**
 * The registry whose credential an image gets; null: config.yaml has none for it. What is pending is refused, not
 * absent (rule: confirmed-binding): a client would go on without a credential, or with a stored one. While locked, whether an entry is approved
 * isn't known: the caller refuses every match then.
 */
export function findRegistry(
  image: string,
  calledAs: string | null,
  { patterns, isServed, pending, isOpen, fault }: FindRegistryDeps,
): { ok: true; match: RegistryMatch | null } | Refusal {
  const active = matches(image, calledAs, patterns);
  const match = isOpen ? (active.find(({ registry }) => isServed(registry.name)) ?? active[0]) : active[0];
  if (match) {
    return { ok: true, match };
  }
  const waiting = isOpen ? matches(image, calledAs, new RegistryPatterns(pending()))[0] : undefined;
  if (waiting) {
    const { name } = waiting.registry;
    return refuse(
      'notPermitted',
      'binding.held',
      `the registry ${name} in config.yaml is pending approval: nothing is issued for ${waiting.pattern} until then`,
      `review and approve it: lanyard confirm ${name}`,
    );
  }
  return fault ?? { ok: true, match: null };
}

function matches(image: string, calledAs: string | null, patterns: RegistryPatterns): RegistryMatch[] {
  const found = calledAs === null ? patterns.find(image) : patterns.findAnyPath(image.split('/', 1)[0] ?? '');
  return found.filter(({ registry }) => (registry.config.calledAs ?? null) === calledAs);
}

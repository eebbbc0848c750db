import { RegistryPatterns } from '../../image/registry-choice.ts';
import type { LoadedRegistry } from '../../loaded-config.ts';
import { partsOfPattern, witnessOf } from './pattern-witness.ts';

/** More notes tell nothing new. */
const mostNotes = 20;
/** Each is compared with each other one. */
const mostPatterns = 500;

/**
 * Where a kubelet and Lanyard differ: of several providers for one image a kubelet asks each and tries all of their
 * credentials, while Lanyard chooses one registry. `fresh`: names of those that the import adds; only they are noted.
 */
export function overlapNotes(registries: readonly LoadedRegistry[], fresh: ReadonlySet<string>): string[] {
  const all = registries
    .filter(({ config }) => config.calledAs === undefined)
    .flatMap((registry) =>
      registry.config.matchImages.map((pattern) => ({ registry, pattern, parts: partsOfPattern(pattern) })),
    );
  const notes: string[] = [];
  if (all.length > mostPatterns) {
    return [`there are ${all.length} patterns: which of them overlap is not listed`];
  }
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      const isNew = fresh.has(one.registry.name) || fresh.has(other.registry.name);
      const image =
        isNew && one.registry.name !== other.registry.name ? witnessOf(one.parts, other.parts) : null;
      if (image !== null) {
        if (notes.length === mostNotes) {
          return [...notes, 'more patterns overlap: lanyard image why IMAGE tells which one is used'];
        }
        const [first] = new RegistryPatterns([one.registry, other.registry]).find(image);
        notes.push(
          `${one.pattern} (${one.registry.name}) and ${other.pattern} (${other.registry.name}) overlap: a kubelet asks both plugins and tries each credential; Lanyard asks ${first?.registry.name ?? one.registry.name} alone for an image of both`,
        );
      }
    }
  }
  return notes;
}

import { imageOf } from '../operations/image-name.ts';
import type { RegistryCredentialDeps } from './registry-credential.ts';

/**
 * The image that a client names, as a kubelet asks for it, and the registry whose credential it gets. `match` null: no
 * registry has a pattern for it.
 */
export function imageRegistry(
  text: string,
  { directory, gate }: Pick<RegistryCredentialDeps, 'directory' | 'gate'>,
) {
  const named = imageOf(text);
  if (!named.ok) {
    return named;
  }
  const { image } = named;
  const found = directory.registryFor(image, null, gate() === null);
  return found.ok
    ? {
        ok: true as const,
        image,
        match: found.match,
        cacheKeyType: directory.registryPatterns().cacheKeyType(image),
      }
    : found;
}

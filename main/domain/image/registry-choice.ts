import { approvalPolicy } from '../approval/approval.ts';
import type { LoadedRegistry } from '../loaded-config.ts';
import { type ImagePattern, imageTarget, matchesImage, parseImagePattern } from './image-pattern.ts';
import type { CacheKeyType } from './provider-response.ts';

/** A registry of config.yaml that has a pattern for an image. */
export interface RegistryMatch {
  registry: LoadedRegistry;
  pattern: string;
  /** The key of a kubelet’s `auth`: the image’s host and port with the pattern’s path, never a wildcard. */
  authKey: string;
}

interface Compiled {
  registry: LoadedRegistry;
  text: string;
  pattern: ImagePattern;
}

/** The patterns of all registries, compiled once, for an image is looked up at each pull. */
export class RegistryPatterns {
  readonly #all: readonly Compiled[];

  constructor(registries: Iterable<LoadedRegistry>) {
    this.#all = [...registries].flatMap((registry) =>
      registry.config.matchImages.flatMap((text) => {
        const parsed = parseImagePattern(text);
        return parsed.ok ? [{ registry, text, pattern: parsed.pattern }] : [];
      }),
    );
  }

  /**
   * Those that match `image` (with registry and path, without tag and digest), as a kubelet would try their keys: the
   * longest path first; of one path the pattern with fewer wildcards. Two that are still equal come in an order that no
   * edit of config.yaml changes unapproved: the one that asks most often first, then by name.
   */
  find(image: string): RegistryMatch[] {
    const target = imageTarget(image);
    return this.#all
      .filter(({ pattern }) => matchesImage(pattern, target))
      .sort(
        (a, b) =>
          b.pattern.path.length - a.pattern.path.length || wildcards(a) - wildcards(b) || byPolicy(a, b),
      )
      .map(({ registry, text, pattern }) => ({
        registry,
        pattern: text,
        authKey: hostOf(image) + pattern.path,
      }));
  }

  /** Those that match with any path below the host. */
  findAnyPath(host: string): RegistryMatch[] {
    const target = imageTarget(host);
    return this.#all
      .filter(({ pattern }) => matchesImage({ ...pattern, path: '' }, target))
      .sort(byPolicy)
      .map(({ registry, text, pattern }) => ({ registry, pattern: text, authKey: host + pattern.path }));
  }

  /**
   * What a kubelet may reuse an answer for: another image of the registry, unless one of its paths has a credential of
   * its own. Never `Global`: that would send one registry’s credential to all.
   */
  cacheKeyType(image: string): CacheKeyType {
    return this.findAnyPath(hostOf(image)).some(({ authKey }) => authKey !== hostOf(image))
      ? 'Image'
      : 'Registry';
  }
}

function hostOf(image: string): string {
  return image.split('/', 1)[0] ?? '';
}

/** Who asks most often first, then by name: no edit of config.yaml changes it unapproved. */
function byPolicy(a: Compiled, b: Compiled): number {
  return compare(permissiveness(a), permissiveness(b)) || (a.registry.name < b.registry.name ? -1 : 1);
}

/** The less, the more often the user is asked. */
function permissiveness({ registry }: Compiled): number {
  const policy = approvalPolicy(registry.config.approval);
  switch (policy.kind) {
    case 'always':
      return -1;
    case 'duration':
      return policy.milliseconds;
    case 'perTerminal':
      return Number.MAX_SAFE_INTEGER;
    case 'never':
      return Infinity;
  }
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function wildcards({ text }: Compiled): number {
  return text.split('*').length - 1;
}

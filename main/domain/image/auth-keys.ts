import { toBytes } from '../decode/go-quote.ts';
import { parseUrl } from './go-url.ts';
import { type ImagePattern, imageTarget, matchesImage, patternOfBytes } from './image-pattern.ts';

/** Where no key matches an image of Docker Hub. */
const defaultRegistry = 'index.docker.io';

/**
 * An `auth` key as the kubelet keeps it, in bytes: host, port and path, without a scheme and without a leading `/v1/` or
 * `/v2/`. Null: it can't be parsed, and the kubelet drops it.
 */
export function normaliseAuthKey(key: string): string | null {
  const bytes = toBytes(key);
  const parsed = parseUrl(/^https?:\/\//.test(bytes) ? bytes : `https://${bytes}`);
  if (!parsed.ok) {
    return null;
  }
  const { host, path } = parsed.url;
  const rest = /^\/v[12]\//.test(path) ? path.slice('/v1'.length) : path;
  return rest === '/' ? host : host + rest;
}

/** What one provider says, key by key. */
export type AuthEntries<T> = Iterable<readonly [key: string, credential: T]>;

/** The credentials of several providers, as the kubelet tries them (BasicDockerKeyring). */
export class Keyring<T> {
  readonly #credentials = new Map<string, T[]>();
  readonly #keys: { key: string; pattern: ImagePattern }[];

  /** In the order of the configuration: it decides within one key alone. */
  constructor(providers: Iterable<AuthEntries<T>>) {
    for (const entries of providers) {
      this.#add(entries);
    }
    this.#keys = [...this.#credentials.keys()]
      .sort((a, b) => (a < b ? 1 : -1))
      .flatMap((key) => {
        const parsed = patternOfBytes(key);
        return parsed.ok ? [{ key, pattern: parsed.pattern }] : [];
      });
  }

  /** Those of all keys that match, the last key by its bytes first; else those of Docker Hub for an image of it. */
  lookup(image: string): readonly T[] {
    const target = imageTarget(image);
    const found = this.#keys
      .filter(({ pattern }) => matchesImage(pattern, target))
      .flatMap(({ key }) => this.#credentials.get(key) ?? []);
    return found.length === 0 && isOfDefaultRegistry(image)
      ? (this.#credentials.get(defaultRegistry) ?? [])
      : found;
  }

  /** Where two keys of one provider are one, the kubelet's order is by chance; here it is that of the answer. */
  #add(entries: AuthEntries<T>): void {
    for (const [name, credential] of entries) {
      const key = normaliseAuthKey(name);
      const earlier = key === null ? undefined : this.#credentials.get(key);
      if (earlier) {
        earlier.push(credential);
      } else if (key !== null) {
        this.#credentials.set(key, [credential]);
      }
    }
  }
}

/** As docker tells a host from a user of Docker Hub. */
function isOfDefaultRegistry(image: string): boolean {
  const [first = '', ...rest] = image.split('/');
  return (
    first !== '' &&
    (rest.length === 0 || first === 'docker.io' || first === defaultRegistry || !/[.:]/.test(first))
  );
}

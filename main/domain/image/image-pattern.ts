import { toBytes } from '../decode/go-quote.ts';
import { compileGlob, type Glob } from './go-glob.ts';
import { type GoUrl, parseUrl, splitHostPort } from './go-url.ts';

/** An image, taken apart for patterns; in bytes. */
export interface ImageTarget {
  labels: readonly string[];
  port: string;
  path: string;
}

/** One of a provider's `matchImages`, or an `auth` key. Made once, for it is matched often. */
export interface ImagePattern {
  globs: readonly Glob[];
  port: string;
  path: string;
}

export type ParsedPattern = { ok: true; pattern: ImagePattern } | { ok: false; message: string };

/**
 * Parses a pattern as the kubelet does (ParseSchemelessURL of k8s.io/kubernetes/pkg/credentialprovider), in its words:
 * `?` begins a query, which is dropped as is user info; `[…]` is an IP literal or an error; `%2f` in a path is a slash.
 */
export function parseImagePattern(text: string): ParsedPattern {
  return patternOfBytes(toBytes(text));
}

/** The same of bytes. */
export function patternOfBytes(bytes: string): ParsedPattern {
  const parsed = parseUrl(`https://${bytes}`);
  if (!parsed.ok) {
    return parsed;
  }
  const { labels, port, path } = partsOf(parsed.url);
  return { ok: true, pattern: { globs: labels.map(compileGlob), port, path } };
}

/** Null: an image that the kubelet can't parse, such as one with a tag and no path; no pattern matches it. */
export function imageTarget(image: string): ImageTarget | null {
  const parsed = parseUrl(`https://${toBytes(image)}`);
  return parsed.ok ? partsOf(parsed.url) : null;
}

/**
 * Whether a pattern covers an image, as URLsMatch: the same port or none on both sides, the same number of labels, each
 * matched by a glob, and a path that begins with the pattern's (a `*` in it is a `*`).
 */
export function matchesImage({ globs, port, path }: ImagePattern, target: ImageTarget | null): boolean {
  return (
    target !== null &&
    port === target.port &&
    globs.length === target.labels.length &&
    target.path.startsWith(path) &&
    globs.every((glob, index) => glob(target.labels[index] ?? ''))
  );
}

function partsOf(url: GoUrl): ImageTarget {
  const { host, port } = splitHostPort(url.host);
  return { labels: host.split('.'), port, path: url.path };
}

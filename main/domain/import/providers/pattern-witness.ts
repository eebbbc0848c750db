/** A host’s label has 63 characters at most (RFC 1035, section 2.3.4); a longer one of a pattern matches no host. */
const longestLabel = 63;

/**
 * An image that both patterns match; null: none. For patterns without a fault (`patternFault`), where `*` alone is
 * special, and only within one label of the host.
 */
export function witnessOf(one: string, other: string): string | null {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.port !== b.port || a.labels.length !== b.labels.length) {
    return null;
  }
  const path = a.path.startsWith(b.path) ? a.path : b.path.startsWith(a.path) ? b.path : null;
  if (path === null) {
    return null;
  }
  const labels = a.labels.map((label, index) => commonLabel(label, b.labels[index] ?? ''));
  return labels.includes(null) ? null : `${labels.join('.')}${a.port}${path === '' ? '/x' : path}`;
}

function partsOf(pattern: string): { labels: string[]; port: string; path: string } {
  const slash = pattern.indexOf('/');
  const host = slash < 0 ? pattern : pattern.slice(0, slash);
  const path = slash < 0 ? '' : pattern.slice(slash);
  const [, name = host, port = ''] = /^(\[.*\]|[^:]*)(:\d+)?$/.exec(host) ?? [];
  return { labels: name.split('.'), port, path };
}

/** A label that both globs match; null: none. */
function commonLabel(one: string, other: string): string | null {
  if (one.length > longestLabel || other.length > longestLabel) {
    return null;
  }
  const failed = new Set<number>();
  const from = (i: number, j: number): string | null => {
    const key = i * (longestLabel + 1) + j;
    if (failed.has(key)) {
      return null;
    }
    const found = step(i, j);
    if (found === null) {
      failed.add(key);
    }
    return found;
  };
  const step = (i: number, j: number): string | null => {
    const [a, b] = [one[i], other[j]];
    if (a === undefined && b === undefined) {
      return '';
    }
    if (a === '*' || b === '*') {
      return (
        (a === '*' ? from(i + 1, j) : null) ??
        (b === '*' ? from(i, j + 1) : null) ??
        (a === '*' && b !== undefined && b !== '*' ? prefixed(b, from(i, j + 1)) : null) ??
        (b === '*' && a !== undefined && a !== '*' ? prefixed(a, from(i + 1, j)) : null)
      );
    }
    return a !== undefined && a === b ? prefixed(a, from(i + 1, j + 1)) : null;
  };
  const label = from(0, 0);
  return label === '' ? 'x' : label;
}

function prefixed(character: string, rest: string | null): string | null {
  return rest === null ? null : character + rest;
}

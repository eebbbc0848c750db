import { compileGlob, type Glob } from '../../image/go-glob.ts';

interface Label {
  text: string;
  /** Null: there is no `*` in it. */
  glob: Glob | null;
  /** Before the first `*`, between the first and the last, and after the last. */
  start: string;
  middle: string;
  end: string;
}

/** A pattern taken apart, once for all that it is compared with. */
export interface PatternParts {
  labels: readonly Label[];
  port: string;
  path: string;
}

/** Of a pattern without a fault (`patternFault`), where `*` alone is special, and only within one label of the host. */
export function partsOfPattern(pattern: string): PatternParts {
  const slash = pattern.indexOf('/');
  const host = slash < 0 ? pattern : pattern.slice(0, slash);
  const path = slash < 0 ? '' : pattern.slice(slash);
  const [, name = host, port = ''] = /^(\[.*\]|[^:]*)(:\d+)?$/.exec(host) ?? [];
  return { labels: name.split('.').map(labelOf), port, path };
}

function labelOf(text: string): Label {
  const [start = '', ...rest] = text.split('*');
  const end = rest.pop() ?? '';
  return { text, glob: text.includes('*') ? compileGlob(text) : null, start, middle: rest.join(''), end };
}

/** An image that both patterns match; null: none. */
export function witnessOf(one: PatternParts, other: PatternParts): string | null {
  if (one.port !== other.port || one.labels.length !== other.labels.length) {
    return null;
  }
  const path = longer(one.path, other.path, (long, short) => long.startsWith(short));
  if (path === null) {
    return null;
  }
  const labels: string[] = [];
  for (const [index, label] of one.labels.entries()) {
    const common = commonLabel(label, other.labels[index] ?? labelOf(''));
    if (common === null) {
      return null;
    }
    labels.push(common);
  }
  return `${labels.join('.')}${one.port}${path === '' ? '/x' : path}`;
}

/** A label that both match; null: none. */
function commonLabel(one: Label, other: Label): string | null {
  if (one.glob && other.glob) {
    // A * takes what the other one needs: only the fixed ends can differ.
    const start = longer(one.start, other.start, (long, short) => long.startsWith(short));
    const end = longer(one.end, other.end, (long, short) => long.endsWith(short));
    return start === null || end === null ? null : `${start}${one.middle}${other.middle}${end}` || 'x';
  }
  if (one.glob) {
    return one.glob(other.text) ? other.text : null;
  }
  return (other.glob ? other.glob(one.text) : one.text === other.text) ? one.text : null;
}

/** The longer of the two, where it covers the shorter one. */
function longer(a: string, b: string, covers: (long: string, short: string) => boolean): string | null {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return covers(long, short) ? long : null;
}

import { parseGoDuration } from './go-duration.ts';
import { goQuote } from './go-quote.ts';
import { parseGoTime } from './go-time.ts';
import { type GoStruct, type GoType, type GoValue, goName, isNilable, kindOf, zero } from './go-type.ts';
import type { Tree } from './tree.ts';

export type GoDecoded<T> =
  /** `strict`: what a strict decoder refuses. */
  { ok: true; value: GoValue<T>; strict: string[] } | { ok: false; message: string };

/**
 * Decodes JSON into a struct as sigs.k8s.io/json does (encoding/json but for names, which have a case), with its
 * errors: names count as they are written, a member that comes again is laid over the one before, and null leaves a
 * text as it was.
 */
export function decodeStruct<const T extends GoStruct>(tree: Tree, struct: T): GoDecoded<T> {
  const decoding = new Decoding();
  try {
    const value = decoding.value(tree, struct, undefined, { path: [], strictPath: '', inside: null });
    return decoding.error === null
      ? { ok: true, value: value as GoValue<T>, strict: [...decoding.strict] }
      : { ok: false, message: decoding.error };
  } catch (error) {
    if (error instanceof Unmarshal) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
}

/** An error of a type's own decoder, which ends all. */
class Unmarshal extends Error {}

interface Place {
  path: readonly string[];
  strictPath: string;
  /** The struct around, as errors name it. */
  inside: string | null;
}

/** As many as are told. */
const mostStrict = 100;

class Decoding {
  /** The first of a wrong kind; the others are decoded nevertheless. */
  error: string | null = null;
  readonly strict = new Set<string>();

  /** Decoded over what was there `before`. */
  value(tree: Tree, type: GoType, before: unknown, place: Place): unknown {
    if (type === 'any') {
      return undefined;
    }
    if (tree.kind === 'null') {
      return isNilable(type) ? null : before;
    }
    if (type === 'duration' || type === 'time') {
      if (tree.kind !== 'string') {
        throw new Unmarshal(mismatch(tree, 'string', place));
      }
      return type === 'time' ? time(tree.value, place) : duration(tree.value);
    }
    if (type === 'bytes' && tree.kind === 'string') {
      if (!isBase64(tree.value)) {
        this.error ??= 'illegal base64 data';
      }
      return before;
    }
    if (tree.kind === kindOf(type) && (tree.kind === 'bool' || tree.kind === 'string')) {
      return tree.value;
    }
    if (tree.kind === 'array' && typeof type === 'object' && 'list' in type) {
      return tree.items.map((item, index) => {
        const at = { ...place, strictPath: `${place.strictPath}[${index}]` };
        return this.value(item, type.list, zero(type.list), at);
      });
    }
    if (tree.kind === 'object' && typeof type === 'object' && 'map' in type) {
      return this.#map(tree.members, type.map, before, place);
    }
    if (tree.kind === 'object' && typeof type === 'object' && 'fields' in type) {
      return this.#struct(tree.members, type, before, place);
    }
    this.error ??= mismatch(tree, goName(type), place);
    return before;
  }

  #map(members: readonly (readonly [string, Tree])[], of: GoType, before: unknown, place: Place): unknown {
    const map = new Map<string, unknown>(before instanceof Map ? before : []);
    const seen = new Set<string>();
    for (const [name, tree] of members) {
      this.#once(seen, name, place);
      map.set(name, this.value(tree, of, zero(of), { ...place, strictPath: below(place, name) }));
    }
    return map;
  }

  #struct(
    members: readonly (readonly [string, Tree])[],
    { go, fields }: GoStruct,
    before: unknown,
    place: Place,
  ): unknown {
    const values: Record<string, unknown> = { ...(typeof before === 'object' ? before : {}) };
    const seen = new Set<string>();
    for (const [name, tree] of members) {
      const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (type === undefined) {
        this.#refuse('unknown field', below(place, name));
        continue;
      }
      this.#once(seen, name, place);
      const at = { path: [...place.path, name], strictPath: below(place, name), inside: go };
      values[name] = this.value(tree, type, values[name] ?? zero(type), at);
    }
    return values;
  }

  #once(seen: Set<string>, name: string, place: Place): void {
    if (seen.has(name)) {
      this.#refuse('duplicate field', below(place, name));
    }
    seen.add(name);
  }

  #refuse(what: string, path: string): void {
    if (this.strict.size < mostStrict) {
      this.strict.add(`${what} ${goQuote(path)}`);
    }
  }
}

function below({ strictPath }: Place, name: string): string {
  return strictPath === '' ? name : `${strictPath}.${name}`;
}

function mismatch(tree: Tree, type: string, { path, inside }: Place): string {
  const where = inside === null ? 'value' : `struct field ${inside.replace(/^.*\./, '')}.${path.join('.')}`;
  return `json: cannot unmarshal ${tree.kind} into Go ${where} of type ${type}`;
}

function duration(text: string): bigint {
  const parsed = parseGoDuration(text);
  if (!parsed.ok) {
    throw new Unmarshal(parsed.message);
  }
  return parsed.nanoseconds;
}

/** The text is not told: it is in a credential. */
function time(text: string, { path }: Place): number | null {
  const parsed = parseGoTime(text);
  if (!parsed.ok) {
    throw new Unmarshal(`parsing time: ${path.at(-1)} can’t be read as "2006-01-02T15:04:05Z07:00"`);
  }
  return parsed.milliseconds;
}

function isBase64(text: string): boolean {
  const base64 = text.replaceAll(/[\r\n]/g, '');
  return base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
}

import { isScalar, type Scalar } from 'yaml';
import { resolvePlainScalar, type ScalarValue } from './plain-scalar.ts';

const prefix = 'tag:yaml.org,2002:';

/**
 * A scalar's value for kubectl, by its tag: `!!str 12` is text; an unknown tag changes nothing. Undefined: the tag
 * doesn't fit.
 */
export function scalarOf(node: Scalar): ScalarValue | undefined {
  const { tag } = node;
  const text = textOf(node);
  if (tag === undefined) {
    return node.type === 'PLAIN' ? resolvePlainScalar(text) : text;
  }
  if (tag === `${prefix}binary`) {
    return node.value instanceof Uint8Array ? Buffer.from(node.value).toString('utf8') : undefined;
  }
  if (!tag.startsWith(prefix) || tag === `${prefix}str`) {
    return text;
  }
  const value = resolvePlainScalar(text);
  switch (tag.slice(prefix.length)) {
    case 'int':
      return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
    case 'float':
      return typeof value === 'number' ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'null':
      return value === null ? null : undefined;
    default:
      return text;
  }
}

/** `<<` as a key takes another map's entries in; in quotes it is a key like others. */
export function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || textOf(key) !== '<<') {
    return false;
  }
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === `${prefix}merge`;
}

/** A key as text, as sigs.k8s.io/yaml writes it into JSON; null where it can't be one. */
export function keyOf(node: unknown): string | null {
  const value = isScalar(node) ? scalarOf(node) : null;
  return value === null || value === undefined ? null : String(value);
}

/** The parser turns what has a tag it knows into a value of that tag, such as a Date. */
function textOf(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

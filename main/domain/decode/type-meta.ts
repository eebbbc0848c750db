import type { Tree, Unreadable } from './tree.ts';

export interface TypeMeta {
  apiVersion: string;
  kind: string;
}

/** In Unicode’s folding, as Go’s: a k may be the sign of Kelvin, and an s the long one. */
const names = { kind: /^kind$/iu, apiVersion: /^apiversion$/iu };

/**
 * The `kind` and `apiVersion` of an object as apimachinery finds them first, in any case; empty where it says none.
 * The last one counts.
 */
export function typeMeta(tree: Tree): { ok: true; meta: TypeMeta } | Unreadable {
  const meta = { apiVersion: '', kind: '' };
  if (tree.kind === 'null') {
    return { ok: true, meta };
  }
  if (tree.kind !== 'object') {
    return unreadable(`${tree.kind} into Go value`);
  }
  for (const [name, value] of tree.members) {
    const field = names.kind.test(name) ? 'kind' : names.apiVersion.test(name) ? 'apiVersion' : null;
    if (field === null || value.kind === 'null') {
      continue;
    }
    if (value.kind !== 'string') {
      return unreadable(`${value.kind} into Go struct field .${field} of type string`);
    }
    meta[field] = value.value;
  }
  return { ok: true, meta };
}

function unreadable(what: string): Unreadable {
  const message = `couldn't get version/kind; json parse error: json: cannot unmarshal ${what}`;
  return { ok: false, message };
}

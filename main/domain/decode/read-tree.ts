import { jsonTree } from './json-tree.ts';
import type { Tree, Unreadable } from './tree.ts';
import { type YamlLimits, yamlTree } from './yaml-tree.ts';

/** As apimachinery guesses: a brace after what Go takes for spaces. */
const jsonObject = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*\{/;

/**
 * The tree of a text that is JSON or YAML, as apimachinery reads it: what begins as JSON is never tried as YAML, for
 * half an object may be a complete one there. `repeated`: the names that YAML’s strict form refuses.
 */
export function readTree(
  text: string,
  limits: YamlLimits,
): { ok: true; tree: Tree; repeated: string[] } | Unreadable {
  if (!jsonObject.test(text)) {
    return yamlTree(text.replace(/^\uFEFF/, ''), limits);
  }
  const read = jsonTree(text);
  return read.ok ? { ...read, repeated: [] } : read;
}

import { isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ListName } from './change.ts';
import { EditFault } from './fault.ts';
import { lookUp, mapOf, ownPair, scalarSource } from './pairs.ts';
import type { Source } from './source.ts';

/** A list of a kubeconfig by the names of its entries. */
export interface Entries {
  list: YAMLSeq;
  byName: ReadonlyMap<string, { index: number; map: YAMLMap | null }>;
}

/** What is asked for is not there; kubectl refuses a file that names an entry twice, and so does this. */
export function entriesOf({ root, document }: Source, what: ListName): Entries | null {
  const value = root ? ownPair(root, what)?.value : null;
  if (!isSeq(value)) {
    return null;
  }
  const byName = new Map<string, { index: number; map: YAMLMap | null }>();
  for (const [index, item] of value.items.entries()) {
    const map = mapOf(item, document);
    const name = map ? lookUp(map, 'name', document) : null;
    const text = isScalar(name) ? scalarSource(name.value, name.source) : '';
    if (byName.has(text)) {
      throw new EditFault(`${what} has the name ${text} twice; kubectl takes no such file`);
    }
    // The alias’s target is elsewhere: the entry has a name, but can’t be changed here.
    byName.set(text, { index, map: isMap(item) ? (item as YAMLMap) : null });
  }
  return { list: value as YAMLSeq, byName };
}

/** Throws EditFault where there is no such entry, or it isn’t in the list itself. */
export function entryOf(entries: Entries | null, what: string, name: string) {
  const found = entries?.byName.get(name);
  if (!entries || !found) {
    throw new EditFault(`there is no ${what} ${name} in it`);
  }
  if (!found.map) {
    throw new EditFault(`the ${what} ${name} is an alias for what stands elsewhere`);
  }
  return { list: entries.list, index: found.index, map: found.map };
}

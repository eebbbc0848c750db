import { isScalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { addEntry } from './add-entry.ts';
import { innerKeys, type ListChange } from './change.ts';
import { editInnerMap, editMap } from './edit-inner-map.ts';
import { entriesOf } from './entries.ts';
import { EditFault } from './fault.ts';
import { lookUp, mapOf, ownPair, resolvedPairs } from './pairs.ts';
import { columnOf, contentEnd, endWithComments, layoutFault, rangeOf } from './places.ts';
import type { Source } from './source.ts';
import type { Edit } from './splice.ts';
import { type TreePair, treeOf } from './tree.ts';
import type { Style } from './write-tree.ts';

/** Removes, changes and adds entries of one list; the list is made where there is none. */
export function changeList(source: Source, change: ListChange, style: Omit<Style, 'newline'>): Edit[] {
  const { text, root, document } = source;
  const { list: key, remove, set, add } = change;
  const inner = innerKeys[key];
  const entries = entriesOf(source, key);
  const mapNamed = (name: string): YAMLMap => {
    const found = entries?.byName.get(name)?.map;
    if (!found) {
      throw new EditFault(`there is no ${inner} ${name} in it that can be changed`);
    }
    return found;
  };
  for (const name of remove) {
    mapNamed(name);
  }
  for (const name of add.keys()) {
    if (entries?.byName.has(name) && !remove.has(name)) {
      throw new EditFault(`there is a ${inner} ${name} in it already`);
    }
  }
  const added = [...add].map(([name, value]): readonly TreePair[] => [
    ['name', { kind: 'text', value: name }],
    [inner, treeOf(value)],
  ]);
  const items = entries?.list.items ?? [];
  if (!entries || items.length === remove.size) {
    if (items.length === 0 && added.length === 0) {
      return [];
    }
    if (!root || root.items.length === 0) {
      throw new EditFault('there is nothing in it');
    }
    const present = ownPair(root, key)?.value;
    if (!entries && present != null && !(isScalar(present) && present.value === null)) {
      throw new EditFault(`its ${key} are no list`);
    }
    const list = added.map((pairs) => ({ kind: 'map', pairs }) as const);
    const whole = { removed: new Set([key]), added: [[key, { kind: 'list', items: list }]] as const };
    // After what is added to the list before it.
    return editMap(text, root, whole, document, style).map((edit) => ({ ...edit, rank: 2 }));
  }
  const gone = new Set([...remove].map((name) => entries.byName.get(name)?.index ?? -1));
  const changed = [...set].flatMap(([name, value]) => {
    const map = mapNamed(name);
    const old = mapOf(lookUp(map, inner, document), document);
    const removed = new Set(old ? resolvedPairs(old, document).keys() : []);
    const pairs = Object.entries(value).map(([each, tree]): TreePair => [each, treeOf(tree)]);
    return editInnerMap(source, map, inner, { removed, added: pairs }, style);
  });
  const last = items.at(-1) as YAMLMap;
  return [
    ...(entries.list.flow
      ? removeFlowItems(source, entries.list, gone)
      : removeItems(source, entries.list, gone)),
    ...changed,
    ...added.map((pairs) => addEntry(source, entries.list, last, pairs, style)),
  ];
}

/** Each with the line break before its dash, and the comments in it. */
function removeItems({ text }: Source, list: YAMLSeq, gone: ReadonlySet<number>): Edit[] {
  const dash = columnOf(text, rangeOf(list)?.[0] ?? 0);
  return [...gone].map((index) => {
    const item = list.items[index];
    const start = rangeOf(item)?.[0] ?? 0;
    const line = text.lineStart(start);
    if (line === 0 || !/^ *- +$/.test(text.whole.slice(line, start))) {
      throw layoutFault(text, start);
    }
    const end = endWithComments(text, contentEnd(text, item), dash);
    return { start: text.lineEnd(text.lineStart(line - 1)), end, text: '', rank: 0 };
  });
}

/** Each with the comma before it; those before the first that stays, with the comma after it. */
function removeFlowItems({ text }: Source, { items }: YAMLSeq, gone: ReadonlySet<number>): Edit[] {
  const firstKept = items.findIndex((_, index) => !gone.has(index));
  const startOf = (index: number) => rangeOf(items[index])?.[0] ?? 0;
  return [...gone].map((index) =>
    index < firstKept
      ? { start: startOf(index), end: startOf(index + 1), text: '', rank: 0 }
      : {
          start: contentEnd(text, items[index - 1]),
          end: contentEnd(text, items[index]),
          text: '',
          rank: 0,
        },
  );
}

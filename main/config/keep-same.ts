import { isDeepStrictEqual } from 'node:util';
import { groupOf, kindNames } from '../contract/config/config.ts';
import { entriesOf, type LoadedConfig, loadedEntries } from '../domain/loaded-config.ts';

/**
 * `next` with the objects of `before` wherever they are equal, or `before` where all are. Others compare entries by
 * object: an edit of one must not look like an edit of a thousand.
 */
export function keepSame(before: LoadedConfig, next: LoadedConfig): LoadedConfig {
  const entries = loadedEntries((kind) => keepSameEntries(entriesOf(before, kind), entriesOf(next, kind)));
  const settings = isDeepStrictEqual(before.settings, next.settings) ? before.settings : next.settings;
  const isSame = kindNames().every((kind) => entries[groupOf(kind)] === before[groupOf(kind)]);
  return isSame && settings === before.settings ? before : { ...entries, settings };
}

function keepSameEntries<T>(
  before: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  const kept = new Map<string, T>();
  for (const [name, entry] of next) {
    const old = before.get(name);
    kept.set(name, isDeepStrictEqual(old, entry) ? (old as T) : entry);
  }
  // The order counts, too: lists are shown in it.
  const [names, oldNames] = [[...kept.keys()], [...before.keys()]];
  const isSame =
    names.length === oldNames.length &&
    names.every((name, index) => name === oldNames[index] && kept.get(name) === before.get(name));
  return isSame ? before : kept;
}

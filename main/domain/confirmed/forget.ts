import type { Confirmed, LoadedConfig } from '../loaded-config.ts';
import { editable, groupOf } from './editable.ts';

/** An account or a cluster by its name. */
export interface EntryName {
  what: 'account' | 'cluster';
  name: string;
}

/** Without what was approved of these. */
export function withoutEntries(confirmed: Confirmed, entries: readonly EntryName[]): Confirmed {
  const next = editable(confirmed);
  for (const { what, name } of entries) {
    delete next[groupOf(what)][name];
    delete next.forms[groupOf(what)][name];
    if (what === 'account') {
      delete next.programs[name];
    }
  }
  return next;
}

/** Without what was approved of entries that config.yaml no longer has. */
export function withoutGone(confirmed: Confirmed, { accounts, clusters }: LoadedConfig): Confirmed {
  const gone = (what: EntryName['what'], there: ReadonlyMap<string, unknown>): EntryName[] =>
    Object.keys(confirmed[groupOf(what)])
      .filter((name) => !there.has(name))
      .map((name) => ({ what, name }));
  return withoutEntries(confirmed, [...gone('account', accounts), ...gone('cluster', clusters)]);
}

import type { Confirmed, LoadedAccount, LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { accountOfForm, clusterOfForm } from './approved-form.ts';
import type { ShapeOf } from './cluster-shape.ts';
import { narrowedAccount, narrowedCluster } from './narrowing.ts';

/** What is served (rule: confirmed-binding). */
export interface ActiveForms {
  /**
   * The names of config.yaml, in its order: each entry in its approved form, narrowed by a pending change. An entry
   * without an approved form is as the file has it, and is listed in `unserved`.
   */
  config: LoadedConfig;
  /** `account NAME` or `cluster NAME`: nothing is issued for these until they are approved. */
  unserved: ReadonlySet<string>;
}

/** `settings` are the file's; those that need approval come from `approvedSettings`. */
export function activeForms(
  file: LoadedConfig,
  approved: Pick<Confirmed, 'accounts' | 'clusters' | 'forms'>,
  shapeOf: ShapeOf,
): ActiveForms {
  const unserved = new Set<string>();
  const accounts = activeEntries('account', file.accounts, unserved, (entry, name): LoadedAccount | null => {
    const shape = own(approved.accounts, name);
    if (shape === undefined || shape === shapeOf.account(entry)) {
      return shape === undefined ? null : entry;
    }
    const form = accountOfForm(name, own(approved.forms.accounts, name) ?? '', shape);
    return form && narrowedAccount(form, entry);
  });
  const clusters = activeEntries('cluster', file.clusters, unserved, (entry, name): LoadedCluster | null => {
    const shape = own(approved.clusters, name);
    if (shape === undefined || shape === shapeOf.cluster(entry)) {
      return shape === undefined ? null : entry;
    }
    const form = clusterOfForm(name, own(approved.forms.clusters, name) ?? '', shape);
    return form && narrowedCluster(form, entry);
  });
  return { config: { accounts, clusters, settings: file.settings }, unserved };
}

/** The map of the file itself where nothing differs from it. `formOf` returns null where there is no approved form. */
function activeEntries<Entry>(
  what: 'account' | 'cluster',
  file: ReadonlyMap<string, Entry>,
  unserved: Set<string>,
  formOf: (entry: Entry, name: string) => Entry | null,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  let isFile = true;
  for (const [name, entry] of file) {
    const form = formOf(entry, name);
    if (form === null) {
      unserved.add(`${what} ${name}`);
    }
    entries.set(name, form ?? entry);
    isFile &&= form === null || form === entry;
  }
  return isFile ? file : entries;
}

/** An own property only: a cluster may be named `constructor`. */
export function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

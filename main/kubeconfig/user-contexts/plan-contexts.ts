import { createHash } from 'node:crypto';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { innerKeys, type KubeconfigChange, type ListName } from '../edit/index.ts';
import { lanyardUser } from '../rules/lanyard-user.ts';
import { nothingWritten, type WrittenEntries } from './consent.ts';

/** A cluster that is to have a context. */
export interface WantedContext {
  name: string;
  account: string;
  /** Of the entry for its user. */
  userName: string;
  cluster: object;
  user: object;
  /** For a new context. */
  namespace: string | null;
}

export interface PlannedContexts {
  changes: KubeconfigChange[];
  /** What is Lanyard’s in the file afterwards. */
  written: WrittenEntries;
  /** By cluster, of contexts that went now or earlier. */
  namespaces: Readonly<Record<string, string>>;
}

const lists = ['clusters', 'users', 'contexts'] as const;

type Values = Readonly<Record<string, unknown>>;

/**
 * What has to change in one kubeconfig so that each of these clusters has a context, and no other entry of Lanyard’s is
 * in it. An entry is Lanyard’s while it is as Lanyard wrote it, a context’s namespace aside; anyone else’s stays, and
 * keeps its name. `value`: what the file says; `merged`: all that the user’s kubectl reads, this file among them.
 */
export function planContexts(
  wanted: readonly WantedContext[],
  {
    file,
    value,
    merged,
    written,
    namespaces,
  }: {
    file: string;
    value: unknown;
    merged: MergedKubeconfig;
    written: WrittenEntries;
    /** By cluster, of contexts that went earlier. */
    namespaces: Readonly<Record<string, string>>;
  },
): PlannedContexts {
  const away = new Map(Object.entries(namespaces));
  const present = presentIn(value);
  const isOwn = (list: ListName, name: string) => {
    const entry = present[list].get(name);
    const known = Object.hasOwn(written[list], name) ? written[list][name] : undefined;
    return entry !== undefined && (known?.digests.includes(digestOf(list, entry)) ?? false);
  };
  const foreign = [...merged.contexts.values()].filter(
    ({ name, origin }) => origin.file !== file || !isOwn('contexts', name),
  );
  const taken = takenNames(merged, file, present, isOwn);
  const reserved = new Set(wanted.map(({ name }) => name));
  const desired = {
    clusters: new Map<string, Desired>(),
    users: new Map<string, Desired>(),
    contexts: new Map<string, Desired>(),
  };

  const place = (list: ListName, of: string, names: readonly string[]): string => {
    const isFree = (name: string) => !taken[list].has(name) && !desired[list].has(name);
    const known = names.find(isFree);
    for (let number = 1; known === undefined; number++) {
      const name = `${names[0]}-lanyard${number === 1 ? '' : `-${number}`}`;
      if (isFree(name) && (!reserved.has(name) || name === of)) {
        return name;
      }
    }
    return known;
  };
  const led = new Set(foreign.flatMap((context) => leadsTo(context, merged, isOwn) ?? []));
  const earlier = {
    clusters: ownByCluster('clusters', written, isOwn),
    users: ownByCluster('users', written, isOwn),
    contexts: ownByCluster('contexts', written, isOwn),
  };
  for (const each of wanted) {
    if (led.has(asLed(each.account, each.name))) {
      continue;
    }
    const context = earlier.contexts.get(each.name);
    const cluster = earlier.clusters.get(each.name);
    const user = earlier.users.get(each.name);
    const names = {
      context: place('contexts', each.name, [...(context === undefined ? [] : [context]), each.name]),
      cluster: place('clusters', each.name, [
        ...(cluster === undefined ? [] : [cluster]),
        each.name,
        `lanyard:${each.name}`,
      ]),
      user: place('users', each.name, [...(user?.startsWith(each.userName) ? [user] : []), each.userName]),
    };
    const old = present.contexts.get(names.context);
    const namespace = each.namespace ?? away.get(each.name);
    desired.clusters.set(names.cluster, { of: each.name, value: each.cluster });
    desired.users.set(names.user, { of: each.name, value: each.user });
    desired.contexts.set(names.context, {
      of: each.name,
      value: {
        ...(old ?? (namespace === undefined ? {} : { namespace })),
        cluster: names.cluster,
        user: names.user,
      },
    });
  }
  const needed = {
    clusters: new Set(foreign.map(({ cluster }) => cluster)),
    users: new Set(foreign.map(({ user }) => user)),
    contexts: new Set<string>(),
  };
  const result = nothingWritten();
  for (const [of, name] of earlier.contexts) {
    const namespace = present.contexts.get(name)?.['namespace'];
    if (typeof namespace === 'string' && namespace !== '') {
      away.set(of, namespace);
    }
  }
  for (const { name } of wanted) {
    away.delete(name);
  }
  const changes = lists.flatMap((list): KubeconfigChange[] => {
    const remove = new Set<string>();
    for (const [name, entry] of Object.entries(written[list])) {
      if (isOwn(list, name) && !desired[list].has(name)) {
        // Somebody’s own context, with another namespace say, stands on it.
        if (needed[list].has(name)) {
          result[list][name] = entry;
        } else {
          remove.add(name);
        }
      }
    }
    const set = new Map<string, object>();
    const add = new Map<string, object>();
    for (const [name, { of, value: next }] of desired[list]) {
      const now = present[list].get(name);
      const digest = digestOf(list, next as Values);
      result[list][name] = { of, digests: [digest] };
      if (now === undefined) {
        add.set(name, next);
      } else if (digestOf(list, now) !== digest) {
        set.set(name, next);
      }
    }
    return remove.size + set.size + add.size === 0 ? [] : [{ kind: 'changeList', list, remove, set, add }];
  });
  return { changes, written: result, namespaces: Object.fromEntries(away) };
}

interface Desired {
  of: string;
  value: object;
}

/** Both: what is Lanyard’s before a write and what is after it. A kill between the two leaves one of them in the file. */
export function eitherWritten(before: WrittenEntries, after: WrittenEntries): WrittenEntries {
  const both = nothingWritten();
  for (const list of lists) {
    for (const [name, entry] of [...Object.entries(before[list]), ...Object.entries(after[list])]) {
      const digests = new Set([...(both[list][name]?.digests ?? []), ...entry.digests]);
      both[list][name] = { of: entry.of, digests: [...digests] };
    }
  }
  return both;
}

export function isNothing(written: WrittenEntries): boolean {
  return lists.every((list) => Object.keys(written[list]).length === 0);
}

type Present = Record<ListName, ReadonlyMap<string, Values>>;

function presentIn(value: unknown): Present {
  const entriesOf = (list: ListName) => {
    const items: unknown = (value as Values | null)?.[list];
    const found = new Map<string, Values>();
    for (const item of Array.isArray(items) ? (items as (Values | null)[]) : []) {
      found.set(String(item?.['name']), (item?.[innerKeys[list]] ?? {}) as Values);
    }
    return found;
  };
  return { clusters: entriesOf('clusters'), users: entriesOf('users'), contexts: entriesOf('contexts') };
}

/** All names that the user’s kubectl knows, but for those of Lanyard’s entries in this file. */
function takenNames(
  { clusters, users, contexts, hidden }: MergedKubeconfig,
  file: string,
  present: Present,
  isOwn: (list: ListName, name: string) => boolean,
): Record<ListName, Set<string>> {
  const hiddenOf = (what: 'cluster' | 'user' | 'context') =>
    hidden.filter((each) => each.what === what).map(({ name, origin }) => ({ name, origin }));
  const all = {
    clusters: [...clusters.values(), ...hiddenOf('cluster')],
    users: [...users.values(), ...hiddenOf('user')],
    contexts: [...contexts.values(), ...hiddenOf('context')],
  };
  const namesIn = (list: ListName) =>
    new Set([
      ...all[list].filter(({ origin }) => origin.file !== file).map(({ name }) => name),
      ...[...present[list].keys()].filter((name) => !isOwn(list, name)),
    ]);
  return { clusters: namesIn('clusters'), users: namesIn('users'), contexts: namesIn('contexts') };
}

/**
 * Which cluster’s credential somebody else’s context goes by, where it doesn’t stand on an entry of Lanyard’s here; null:
 * none.
 */
function leadsTo(
  { cluster, user }: { cluster: string; user: string },
  { users }: MergedKubeconfig,
  isOwn: (list: ListName, name: string) => boolean,
): string | null {
  const found = lanyardUser(users.get(user)?.exec ?? null);
  return found?.cluster != null && !isOwn('users', user) && !isOwn('clusters', cluster)
    ? asLed(found.account, found.cluster)
    : null;
}

function asLed(account: string, cluster: string): string {
  return JSON.stringify([account, cluster]);
}

/** The first entry of Lanyard’s in the file for each cluster. */
function ownByCluster(
  list: ListName,
  written: WrittenEntries,
  isOwn: (list: ListName, name: string) => boolean,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { of }] of Object.entries(written[list])) {
    if (!found.has(of) && isOwn(list, name)) {
      found.set(of, name);
    }
  }
  return found;
}

/** By entry, which is asked about several times. */
const digests = new WeakMap<Values, string>();

/** The same for all ways to write the same: kubectl sorts keys and writes some as null. */
function digestOf(list: ListName, value: Values): string {
  const known = digests.get(value);
  if (known !== undefined) {
    return known;
  }
  const { namespace, extensions, ...context } = value;
  const digest = createHash('sha256')
    .update(JSON.stringify(canonical(list === 'contexts' ? context : value)))
    .digest('hex');
  digests.set(value, digest);
  return digest;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(canonical);
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(
      ([, each]) => each !== null && each !== undefined && each !== false,
    );
    return Object.fromEntries(
      pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, canonical(each)]),
    );
  }
  return value;
}

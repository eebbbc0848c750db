import type { Bindings } from '../../access/bindings.ts';
import type { ConfigStore, EntryEdit } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';

export interface TakeBackDeps {
  config: Pick<ConfigStore, 'edit' | 'current'>;
  vault: Pick<Vault, 'update'>;
  bindings: Pick<Bindings, 'pending' | 'forget'>;
  recorder: Recorder;
}

/**
 * Removes what an import wrote from config.yaml and the vault again, and returns the number of those entries. Removes
 * only what is new and pending: what the user has approved meanwhile, or what existed before, stays, and so does an
 * account that another cluster uses. Throws `vault.locked` while the vault isn't open.
 */
export async function takeBack(
  wanted: { accounts: readonly string[]; clusters: readonly string[] },
  { config, vault, bindings, recorder }: TakeBackDeps,
): Promise<number> {
  const { clusters: known } = config.current();
  const isNew = (what: 'account' | 'cluster', name: string) => bindings.pending(what, name)?.change === 'new';
  const clusters = new Set(wanted.clusters.filter((name) => isNew('cluster', name)));
  const used = new Set(
    [...known.values()].filter(({ name }) => !clusters.has(name)).map((cluster) => cluster.config.account),
  );
  const accounts = new Set(wanted.accounts.filter((name) => isNew('account', name) && !used.has(name)));
  const edits: EntryEdit[] = [
    ...[...clusters].map((name) => ({ kind: 'removeCluster' as const, name })),
    ...[...accounts].map((name) => ({ kind: 'removeAccount' as const, name })),
  ];
  if (edits.length === 0) {
    return 0;
  }
  await config.edit(edits);
  await vault.update(
    (now) => ({
      ...now,
      sessions: without(now.sessions, accounts),
      secrets: without(now.secrets, accounts),
    }),
    { bothGenerations: true },
  );
  for (const { kind, name } of edits) {
    const what = kind === 'removeCluster' ? 'cluster.remove' : 'account.remove';
    recorder.record({ kind: 'change', what, name });
  }
  // Not taken as it is now: a page may have written an entry of that name meanwhile, and that is a new one.
  await bindings.forget(
    edits.map(({ kind, name }) => ({ what: kind === 'removeCluster' ? 'cluster' : 'account', name })),
  );
  return edits.length;
}

function without<T>(record: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !names.has(key)));
}

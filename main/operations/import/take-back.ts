import type { Bindings } from '../../access/bindings.ts';
import type { ConfiguredKind } from '../../contract/config/config.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
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
  const isNew = (what: ConfiguredKind, name: string) => bindings.pending(what, name)?.change === 'new';
  const clusters = new Set(wanted.clusters.filter((name) => isNew('cluster', name)));
  const used = new Set(
    [...known.values()].filter(({ name }) => !clusters.has(name)).map((cluster) => cluster.config.account),
  );
  const accounts = new Set(wanted.accounts.filter((name) => isNew('account', name) && !used.has(name)));
  const edits = [
    ...[...clusters].map((name) => ({ kind: 'remove', what: 'cluster', name }) as const),
    ...[...accounts].map((name) => ({ kind: 'remove', what: 'account', name }) as const),
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
  for (const { what, name } of edits) {
    recorder.record({ kind: 'change', what: `${what}.remove`, name });
  }
  // Not taken as it is now: a page may have written an entry of that name meanwhile, and that is a new one.
  await bindings.forget(edits);
  return edits.length;
}

function without<T>(record: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !names.has(key)));
}

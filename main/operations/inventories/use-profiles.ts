import type { Bindings } from '../../access/bindings.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import { approvedProfile } from '../../domain/inventory/approved-profile.ts';
import {
  type ChosenProfile,
  isSameProfile,
  withChosen,
  withoutChosen,
} from '../../domain/inventory/chosen-profiles.ts';
import { takenByConfig } from '../../domain/inventory/context-names.ts';
import { KnownServers, serverOf } from '../../domain/inventory/known-servers.ts';
import { type LoadedCluster, loadedEntries } from '../../domain/loaded-config.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { UsedProfiles } from '../../inventory/used-profiles.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';
import { wholeName } from './find-profiles.ts';
import type { ProfileRow } from './profile-rows.ts';

export interface UseProfilesDeps {
  config: Pick<ConfigStore, 'current'>;
  bindings: Pick<Bindings, 'approvalOf' | 'approve' | 'changesTo' | 'forget'>;
  vault: Pick<Vault, 'read'>;
  recorder: Recorder;
  used: UsedProfiles;
  inventories: Pick<Inventories, 'profile'>;
  /** Writes the managed kubeconfig; warnings are lines for the user. */
  writeContexts(): Promise<string[]>;
}

/** Profiles that the user wants to use, with all that is approved by that. */
export interface PreparedUse {
  rows: readonly ProfileRow[];
  /** In the same order. */
  clusters: readonly LoadedCluster[];
  changes: readonly PendingChange[];
}

/** Throws BrokerError where one of them can’t be used, or too many would be. */
export function prepareUse(rows: readonly ProfileRow[], deps: UseProfilesDeps): PreparedUse {
  const config = deps.config.current();
  const next = withChosen(deps.used.current(), profilesOf(rows), naming(deps));
  const byProfile = new Map(next.map((each) => [`${each.inventory}:${each.namespace}/${each.name}`, each]));
  const wanted = new Set(rows.map((row) => byProfile.get(wholeName(row))?.contextName));
  const servers = new KnownServers(
    [...config.clusters.values()].filter((cluster) => !wanted.has(cluster.name) && counts(cluster, deps)),
  );
  const clusters = rows.map((row) => {
    const { resolution } = row;
    const chosen = byProfile.get(wholeName(row));
    if (!resolution.ok) {
      throw new BrokerError('profile.unusable', `${wholeName(row)} ${resolution.message}`, {
        reason: 'notPermitted',
        hint: `lanyard inventory show ${wholeName(row)}`,
      });
    }
    const cluster = profileCluster({ ...row.profile, contextName: chosen?.contextName ?? '' }, resolution);
    const conflict = servers.conflictOf(cluster);
    if (conflict) {
      throw new BrokerError(
        'profile.knownServer',
        `${wholeName(row)} has the server of the cluster ${conflict.name}, with another CA, TLS name or proxy`,
        {
          reason: 'notPermitted',
          hint: wanted.has(conflict.name) ? 'use one of the two' : `use ${conflict.name}, or remove it first`,
        },
      );
    }
    servers.add(cluster);
    return cluster;
  });
  mustFit(next, rows, deps);
  const named = new Map(clusters.map((cluster) => [cluster.name, cluster]));
  const changes = deps.bindings.changesTo(
    loadedEntries((kind) => (kind === 'cluster' ? (named as never) : new Map())),
  );
  return { rows, clusters, changes };
}

/** Whether it keeps others from its server: not where `select` chose it, and not where it was approved with another. */
function counts(cluster: LoadedCluster, { bindings, used }: UseProfilesDeps): boolean {
  const { name, origin } = cluster;
  if (origin === undefined) {
    return true;
  }
  const approval = bindings.approvalOf({ what: 'cluster', name });
  return approval === null
    ? used.current().some((each) => each.contextName === name && each.chosen === 'user')
    : approvedProfile(approval.shape)?.server === serverOf(cluster);
}

function isApproved(name: string, { bindings }: Pick<UseProfilesDeps, 'bindings'>): boolean {
  return bindings.approvalOf({ what: 'cluster', name }) !== null;
}

/** The name of a profile’s context: the one that it has, or would get now. */
export function contextNameFor(
  { profile, chosen }: ProfileRow,
  deps: Pick<UseProfilesDeps, 'config' | 'used'>,
): string {
  if (chosen !== null && chosen.chosen !== 'no') {
    return chosen.contextName;
  }
  const next = withChosen(deps.used.current(), [profile], naming(deps));
  return next.find((each) => isSameProfile(each, profile))?.contextName ?? profile.name;
}

/**
 * Makes contexts of them. `confirms`: the user has seen and approved them; else they are pending approval. Throws
 * `vault.locked` before anything is written where an approval could not be stored.
 */
export async function useProfiles(
  { rows, clusters, changes }: PreparedUse,
  deps: UseProfilesDeps,
  { confirms }: { confirms: boolean },
): Promise<string[]> {
  if (confirms) {
    deps.vault.read();
  }
  await deps.used.update((chosen) => {
    const next = withChosen(chosen, profilesOf(rows), naming(deps));
    // Another profile with one of these names is no such one.
    const isStill = ({ name, origin }: LoadedCluster) =>
      next.some((each) => each.contextName === name && origin !== undefined && isSameProfile(each, origin));
    if (!clusters.every(isStill)) {
      throw new BrokerError('inventory.changed', 'another context has taken one of these names meanwhile', {
        reason: 'denied',
        hint: 'try again',
      });
    }
    // Others may have been chosen meanwhile.
    mustFit(next, rows, deps);
    return next;
  });
  for (const { name } of clusters) {
    deps.recorder.record({ kind: 'change', what: 'inventory.use', name });
  }
  if (confirms) {
    await deps.bindings.approve({ changes });
  }
  return deps.writeContexts();
}

/** Takes them out of use: their contexts go, and what was approved of them. */
export async function dropProfiles(contexts: readonly string[], deps: UseProfilesDeps): Promise<string[]> {
  deps.vault.read();
  await deps.used.update((chosen) => withoutChosen(chosen, new Set(contexts)));
  await deps.bindings.forget(contexts.map((name) => ({ what: 'cluster', name })));
  for (const name of contexts) {
    deps.recorder.record({ kind: 'change', what: 'inventory.drop', name });
  }
  return deps.writeContexts();
}

function profilesOf(rows: readonly ProfileRow[]) {
  return rows.map(({ profile }) => profile);
}

function naming({ config }: Pick<UseProfilesDeps, 'config'>) {
  const { inventories, clusters } = config.current();
  return {
    template: (inventory: string) => inventories.get(inventory)?.config.contextName ?? '{name}',
    isTaken: takenByConfig(clusters),
  };
}

/** What `select` chose, and the user never approved, leaves its place (shared-slots.ts). */
function mustFit(next: readonly ChosenProfile[], rows: readonly ProfileRow[], deps: UseProfilesDeps): void {
  const isKept = ({ chosen, contextName }: ChosenProfile) =>
    chosen === 'user' || (chosen === 'selector' && isApproved(contextName, deps));
  // One that is gone, or made again, has no context.
  const isThere = (each: ChosenProfile) => deps.inventories.profile(each)?.uid === each.uid;
  for (const name of new Set(rows.map(({ profile }) => profile.inventory))) {
    const most = deps.config.current().inventories.get(name)?.config.contexts ?? 0;
    const count = next.filter((each) => each.inventory === name && isKept(each) && isThere(each)).length;
    if (count > most) {
      throw new BrokerError(
        'inventory.tooMany',
        `${count} contexts of ${name} would be more than its ${most}: each kubectl reads them all`,
        {
          reason: 'usage',
          hint: `raise contexts of ${name} in config.yaml, or drop some: lanyard inventory list --in-use`,
        },
      );
    }
  }
}

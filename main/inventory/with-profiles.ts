import type { Disposable } from '../base/disposables.ts';
import { createListeners } from '../base/listeners.ts';
import { keepSame } from '../config/keep-same.ts';
import type { ChosenProfile } from '../domain/inventory/chosen-profiles.ts';
import type { Profile, ProfileName } from '../domain/inventory/profile.ts';
import type { ResolvedProfile } from '../domain/inventory/resolve-profile.ts';
import { type ApprovedShapes, type UsedCluster, uncontested } from '../domain/inventory/uncontested.ts';
import type { LoadedCluster, LoadedConfig } from '../domain/loaded-config.ts';
import type { AccountDrafts, ConfigStore } from '../ports/config-store.ts';
import type { Resolutions } from './resolutions.ts';
import type { UsedProfiles } from './used-profiles.ts';

export interface WithProfilesDeps {
  config: ConfigStore & AccountDrafts;
  used: Pick<UsedProfiles, 'current' | 'onChange'>;
  /** The profiles that are known now, by whatever source. */
  known: {
    profile(name: ProfileName): Profile | null;
    onChange(listener: () => void): Disposable;
  };
  resolutions: Resolutions;
  /** What was approved of clusters; null while it can’t be told. The same object until it changes. */
  approvals: {
    current(): ApprovedShapes;
    onChange(listener: () => void): Disposable;
  };
}

/**
 * The configuration with the profiles in use as clusters (ADR 0029): config.yaml’s own come first, and win where two
 * have one name. All else is config.yaml’s.
 */
export function withProfiles(deps: WithProfilesDeps): ConfigStore & AccountDrafts & Disposable {
  const { config, used, known } = deps;
  const made = new WeakMap<ResolvedProfile, LoadedCluster>();
  const listeners = createListeners();
  let approved = deps.approvals.current();
  let merged = mergedConfig(deps, made, approved);
  const mergeAgain = (): boolean => {
    const before = merged;
    // While Lanyard is locked, what was approved before.
    approved = deps.approvals.current() ?? approved;
    merged = keepSame(before, mergedConfig(deps, made, approved));
    return merged !== before;
  };
  const onProfiles = () => {
    if (mergeAgain()) {
      listeners.tell();
    }
  };
  const subscriptions = [
    // The problems of config.yaml may have changed where its entries have not.
    config.onChange(() => {
      mergeAgain();
      listeners.tell();
    }),
    used.onChange(onProfiles),
    known.onChange(onProfiles),
    deps.approvals.onChange(onProfiles),
  ];
  return {
    file: config.file,
    current: () => merged,
    problems: () => config.problems(),
    onChange: (listener) => listeners.add(listener),
    edit: (edits) => config.edit(edits),
    check: (edits) => config.check(edits),
    entry: (group, name) => config.entry(group, name),
    entries: (group, names) => config.entries(group, names),
    stated: (edits) => config.stated(edits),
    reload: () => config.reload(),
    look: (account, value) => config.look(account, value),
    dispose() {
      for (const subscription of subscriptions) {
        subscription.dispose();
      }
    },
  };
}

function mergedConfig(
  { config, used, known, resolutions }: WithProfilesDeps,
  made: WeakMap<ResolvedProfile, LoadedCluster>,
  approved: ApprovedShapes,
): LoadedConfig {
  const file = config.current();
  const inUse = used.current().filter(({ chosen }) => chosen !== 'no');
  if (inUse.length === 0) {
    return file;
  }
  const found = inUse.flatMap((chosen): UsedCluster[] => {
    const profile = known.profile(chosen);
    // One that was made again is another cluster, to be chosen anew.
    const resolved = profile?.uid === chosen.uid ? resolutions.of(profile, file) : null;
    if (!resolved?.ok || file.clusters.has(chosen.contextName)) {
      return [];
    }
    const before = made.get(resolved);
    const cluster = before?.name === chosen.contextName ? before : profileCluster(chosen, resolved);
    made.set(resolved, cluster);
    return [{ cluster, chosen: chosen.chosen }];
  });
  const clusters = new Map(file.clusters);
  for (const { cluster } of uncontested(clusters.values(), found, approved)) {
    clusters.set(cluster.name, cluster);
  }
  return { ...file, clusters };
}

/** A resolved profile as a cluster. */
export function profileCluster(
  { contextName, inventory, namespace, name, uid }: Omit<ChosenProfile, 'chosen'>,
  { config, certificateAuthorityPem, provider }: ResolvedProfile,
): LoadedCluster {
  const origin = { inventory, namespace, name, uid, provider };
  return { name: contextName, config, certificateAuthorityPem, origin };
}

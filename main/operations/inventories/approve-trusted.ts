import type { Bindings } from '../../access/bindings.ts';
import { clusterShape, type PendingChange } from '../../domain/approval/binding.ts';
import { isTrustedChange } from '../../domain/inventory/trusted-change.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { Resolutions } from '../../inventory/resolutions.ts';
import { profileCluster } from '../../inventory/with-profiles.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';

export interface ApproveTrustedDeps {
  /** With what is pending. */
  config: Pick<ConfigStore, 'current'>;
  /** The active configuration: a pending `trusted` counts for nothing. */
  active(): LoadedConfig;
  bindings: Pick<Bindings, 'changes' | 'approve' | 'isServed'>;
  inventories: Pick<Inventories, 'profile'>;
  resolutions: Resolutions;
  recorder: Recorder;
  /** Whether this cluster may move once more now: each time writes the vault. What may not stays pending. */
  allow(cluster: string): boolean;
}

/** Approves what changed of profiles in use where their inventory is trusted to say so (ADR 0029). */
export async function approveTrusted(deps: ApproveTrustedDeps): Promise<void> {
  const active = deps.active();
  const changes = deps.bindings
    .changes()
    .filter((change) => isTrusted(change, active, deps) && deps.allow(change.name));
  if (changes.length > 0) {
    for (const { name } of changes) {
      deps.recorder.record({ kind: 'change', what: 'inventory.trusted', name });
    }
    await deps.bindings.approve({ changes });
  }
}

/**
 * Also a pending inventory resolves profiles, as its `serverRewrites` may lead them elsewhere: only what the approved one
 * makes of the profile, too, is approved with it.
 */
function isTrusted(
  { what, name, before, after }: PendingChange,
  active: LoadedConfig,
  { config, bindings, inventories, resolutions }: ApproveTrustedDeps,
): boolean {
  const origin = what === 'cluster' ? config.current().clusters.get(name)?.origin : undefined;
  const inventory = origin && active.inventories.get(origin.inventory);
  if (!inventory?.config.trusted || !bindings.isServed('inventory', inventory.name)) {
    return false;
  }
  const profile = origin && inventories.profile(origin);
  const resolution = profile ? resolutions.of(profile, active) : null;
  if (!profile || !resolution?.ok || !resolution.isExpectedServer || !isTrustedChange(before, after)) {
    return false;
  }
  return clusterShape(profileCluster({ ...profile, contextName: name }, resolution)) === after;
}

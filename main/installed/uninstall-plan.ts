import { inspectManaged, type ManagedHolds } from '../kubeconfig/take-managed-back.ts';
import type { FileWithContexts, UserContexts } from '../kubeconfig/user-contexts/user-contexts.ts';
import type { EditedKubeconfig, UndoKubeconfigs } from '../ports/undo-kubeconfigs.ts';
import { listVaults, type VaultsOfHome } from '../vault/list-vaults.ts';
import type { DockerConfigs } from './docker/docker-configs.ts';
import type { Ledger } from './ledger.ts';
import { inOrder, planRemoval, type Removal } from './remove-entry.ts';

/** What an uninstallation would do now, and what it leaves. Plain data, printed by `--json`. */
export interface UninstallPlan {
  /** The user’s kubeconfigs that have contexts of Lanyard’s, and lose them. */
  contexts: readonly FileWithContexts[];
  /** Kubeconfigs that were edited in place, and are restored. */
  kubeconfigs: readonly EditedKubeconfig[];
  /** docker’s configuration files that name Lanyard. One that changed since loses Lanyard’s keys alone. */
  docker: readonly { file: string; changedSince: boolean }[];
  /** Links, files and units outside the home. Folders are removed where they are empty. */
  installed: readonly { kind: 'link' | 'file' | 'unit' | 'folder'; path: string; outcome: Removal }[];
  managed: { path: string; holds: ManagedHolds };
  /** Ids of vaults whose keychain entries an earlier uninstallation left. */
  keysLeft: readonly string[];
  vaults: VaultsOfHome;
  /** Whether the vaults, their keys in the keychain and the history are removed, too. */
  withVault: boolean;
  withConfig: boolean;
}

export interface UninstallPlanDeps {
  ledger: Pick<Ledger, 'entries'>;
  userContexts: Pick<UserContexts, 'files'>;
  kubeconfigs: Pick<UndoKubeconfigs, 'list'>;
  docker: Pick<DockerConfigs, 'list'>;
  home: string;
  managed: string;
}

export async function planUninstall(
  { withVault, withConfig }: { withVault: boolean; withConfig: boolean },
  deps: UninstallPlanDeps,
): Promise<UninstallPlan> {
  const entries = inOrder(await deps.ledger.entries());
  const installed: UninstallPlan['installed'][number][] = [];
  const keysLeft: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'key') {
      keysLeft.push(entry.vaultId);
    } else {
      installed.push({ kind: entry.kind, path: entry.path, outcome: await planRemoval(entry) });
    }
  }
  return {
    contexts: deps.userContexts.files(),
    kubeconfigs: await deps.kubeconfigs.list(),
    docker: await deps.docker.list(),
    installed,
    managed: { path: deps.managed, holds: await inspectManaged(deps.managed) },
    keysLeft,
    vaults: await listVaults(deps.home),
    withVault,
    withConfig,
  };
}

import { unlink } from 'node:fs/promises';
import { untilFree } from '../base/until-free.ts';
import { toRefusal } from '../contract/broker-error.ts';
import type { Refusal } from '../contract/refusal.ts';
import { takeManagedBack } from '../kubeconfig/take-managed-back.ts';
import type { UserContexts } from '../kubeconfig/user-contexts/user-contexts.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { UndoKubeconfigs } from '../ports/undo-kubeconfigs.ts';
import type { DockerConfigs } from './docker/docker-configs.ts';
import { ignoreMissing } from './inspect-path.ts';
import type { Ledger } from './ledger.ts';
import { inOrder, type RemovingFiles, removeEntry } from './remove-entry.ts';
import type { UninstallPlan } from './uninstall-plan.ts';

/** What removes the vaults’ keys: `keychainService` is their service name in the keychain. */
export interface VaultRemoval {
  keychain: Pick<Keychain, 'delete'>;
  keychainService: string;
  /** Waits for writes, then removes key and content from memory: nothing writes the vault any more. */
  close(): Promise<void>;
}

export interface UninstallDeps {
  ledger: Ledger;
  userContexts: Pick<UserContexts, 'takeOut'>;
  kubeconfigs: Pick<UndoKubeconfigs, 'undo'>;
  docker: Pick<DockerConfigs, 'undo'>;
  vault: VaultRemoval;
  /** Makes the system read its units again, after one was removed. */
  forgetService(): Promise<void>;
  now(): number;
  /** Tests make it fail. */
  files?: RemovingFiles;
  /** Tells the user what is being done. */
  say(line: string): void;
  /** Aborts when the user has disconnected: no question is asked any more. */
  signal: AbortSignal;
  /** Whether to restore a kubeconfig that was changed since. Asks the user where possible. */
  mayUndoChanged(file: string): Promise<boolean>;
}

export interface Uninstalled {
  /** What was left unchanged, and why, for the user. Changed links and files are among them. */
  left: readonly { path: string; why: string }[];
  /** Kubeconfigs and docker’s files that still name the helper. */
  stillNamed: readonly string[];
  /** Programs that run, by the names that they have until they end. */
  aside: readonly string[];
  /** What the system refused to remove, and why. */
  failed: readonly { path: string; why: string }[];
  vaultRemoved: boolean;
}

/**
 * Carries out the plan. Kubeconfigs are restored first: their old content is in the vault. Each step is complete, so
 * that after a kill the next time goes on. The vault is last, and stays while it has the old content of such a file.
 */
export async function uninstall(plan: UninstallPlan, deps: UninstallDeps): Promise<Uninstalled> {
  const { ledger, say } = deps;
  const left: { path: string; why: string }[] = [];
  const failed: { path: string; why: string }[] = [];
  const aside: string[] = [];
  const stillNamed = [
    // First: a file that was edited in place is as it was written then.
    ...(await takeContextsOut(plan, deps, left)),
    ...(await undoKubeconfigs(plan, deps, left)),
    ...(await undoDockerConfigs(plan, deps, left)),
  ];

  await attempt(plan.managed.path, failed, async () => {
    const holds = await takeManagedBack(plan.managed.path);
    if (holds !== 'nothing') {
      say(
        holds === 'own'
          ? `removed ${plan.managed.path}`
          : `${plan.managed.path} keeps what others wrote into it`,
      );
    }
  });
  const entries = inOrder(await ledger.entries());
  for (const entry of entries.filter(({ kind }) => kind !== 'key')) {
    const outcome = await removeEntry(entry, ledger, deps.files);
    if (outcome.kind === 'removed' && entry.kind !== 'folder') {
      say(`removed ${entry.path}`);
    } else if (outcome.kind === 'aside') {
      aside.push(outcome.path);
    } else if (outcome.kind === 'left') {
      left.push({ path: entry.path, why: outcome.what });
    } else if (outcome.kind === 'failed') {
      failed.push({ path: entry.path, why: outcome.what });
    }
  }
  if (entries.some(({ kind }) => kind === 'unit')) {
    await deps.forgetService();
  }
  const vaultRemoved = plan.withVault && stillNamed.length === 0;
  if (vaultRemoved) {
    await removeVaults(plan.vaults, deps, failed);
  }
  await removeKeys(deps, failed);
  return { left, stillNamed, aside, failed, vaultRemoved };
}

async function takeContextsOut(
  { contexts }: UninstallPlan,
  deps: UninstallDeps,
  left: { path: string; why: string }[],
): Promise<string[]> {
  const still: string[] = [];
  for (const { file } of contexts) {
    const why = await deps.userContexts.takeOut(file, deps);
    if (why === null) {
      deps.say(`removed Lanyard’s contexts from ${file}`);
    } else {
      still.push(file);
      left.push({ path: file, why });
    }
  }
  return still;
}

async function undoKubeconfigs(
  { kubeconfigs }: UninstallPlan,
  deps: UninstallDeps,
  left: { path: string; why: string }[],
): Promise<string[]> {
  const still: string[] = [];
  for (const { file, changedSince } of kubeconfigs) {
    if (changedSince && !(await deps.mayUndoChanged(file))) {
      still.push(file);
      left.push({
        path: file,
        why: 'it was changed since Lanyard edited it; lanyard kubeconfig undo shows how',
      });
      continue;
    }
    const outcome = await deps.kubeconfigs
      .undo(file, { evenIfChanged: changedSince, waiting: deps })
      .catch((error: unknown): Refusal => toRefusal(error));
    if (outcome.ok) {
      deps.say(`restored ${file}`);
    } else {
      still.push(file);
      left.push({ path: file, why: outcome.message });
    }
  }
  return still;
}

async function undoDockerConfigs(
  { docker }: UninstallPlan,
  deps: UninstallDeps,
  left: { path: string; why: string }[],
): Promise<string[]> {
  const still: string[] = [];
  for (const { file, changedSince } of docker) {
    const failed = await deps.docker.undo(file).then(
      () => null,
      (error: unknown) => toRefusal(error).message,
    );
    if (failed === null) {
      deps.say(changedSince ? `took Lanyard’s keys out of ${file}` : `restored ${file}`);
    } else {
      still.push(file);
      left.push({ path: file, why: failed });
    }
  }
  return still;
}

/** Lists the keys before it removes the files that name them. Without the files the keys open nothing. */
async function removeVaults(
  { files, keychainIds }: UninstallPlan['vaults'],
  { ledger, vault, now, say }: UninstallDeps,
  failed: { path: string; why: string }[],
): Promise<void> {
  await vault.close();
  for (const vaultId of keychainIds) {
    await ledger.list({ kind: 'key', path: `keychain:${vaultId}`, vaultId, at: now() });
  }
  for (const file of files) {
    await attempt(file, failed, async () => {
      await untilFree(() => unlink(file)).catch(ignoreMissing);
      say(`removed ${file}`);
    });
  }
}

async function removeKeys(
  { ledger, vault, say }: UninstallDeps,
  failed: { path: string; why: string }[],
): Promise<void> {
  for (const entry of await ledger.entries()) {
    if (entry.kind !== 'key') {
      continue;
    }
    const deleted = await vault.keychain.delete(vault.keychainService, entry.vaultId);
    const name = `the keychain’s entry ${vault.keychainService}/${entry.vaultId}`;
    if (deleted.ok) {
      await ledger.drop(entry.path);
      say(`removed ${name}`);
    } else {
      failed.push({ path: name, why: deleted.message });
    }
  }
}

async function attempt(
  path: string,
  failed: { path: string; why: string }[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    failed.push({ path, why: code !== undefined && !code.includes('.') ? code : toRefusal(error).message });
  }
}

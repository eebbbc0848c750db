import { hostname } from 'node:os';
import type { Bindings } from '../access/bindings.ts';
import type { Disposable } from '../base/disposables.ts';
import type { ImportPlan } from '../domain/import/import-plan.ts';
import type { MergedKubeconfig } from '../domain/import/kubeconfig.ts';
import type { ImportCallsDeps } from '../doors/ui/calls/import-calls.ts';
import type { UndoCallsDeps } from '../doors/ui/calls/undo-calls.ts';
import { createPlanStore } from '../doors/ui/import/plan-store.ts';
import type { KubeconfigApiVersion } from '../kubeconfig/helper-exec.ts';
import { createImporter } from '../kubeconfig/import/importer.ts';
import { readSource } from '../kubeconfig/import/read-source.ts';
import { createReplaceFile, readText } from '../kubeconfig/import/replace-file.ts';
import type { FirstContexts } from '../kubeconfig/managed-kubeconfig.ts';
import { kubeconfigPaths } from '../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../kubeconfig/read/read-kubeconfigs.ts';
import type { KubeconfigWatch } from '../kubeconfig/watch/kubeconfig-watch.ts';
import type { KubeconfigStateFile } from '../kubeconfig/watch/state-file.ts';
import {
  type WriteManagedKubeconfig,
  writeManagedKubeconfig,
} from '../kubeconfig/write-managed-kubeconfig.ts';
import { findKubectl } from '../kubernetes/find-kubectl.ts';
import type { Gate } from '../ports/broker-core.ts';
import type { ConfigInForce } from '../ports/config-store.ts';
import type { Recorder } from '../ports/history.ts';
import type { BrokerDeps } from './broker-deps.ts';

/** What an import stands on, at whatever door it is asked for. */
export interface ImportingParts
  extends Pick<BrokerDeps, 'paths' | 'config' | 'vault' | 'clock' | 'identity'> {
  /** What serves: the managed kubeconfig leads nowhere else. */
  serving: ConfigInForce;
  bindings: Bindings;
  recorder: Recorder;
  kubeconfigState: KubeconfigStateFile;
  kubeconfigWatch: KubeconfigWatch;
  /** Drops what was made of an account's old secrets. */
  forget(account: string): void;
}

/** What edits files of the person's, and keeps them in the vault. */
export function createEditing(
  parts: Pick<
    ImportingParts,
    'config' | 'bindings' | 'vault' | 'recorder' | 'clock' | 'identity' | 'kubeconfigWatch'
  >,
) {
  const { config, bindings, vault, recorder, clock, identity, kubeconfigWatch } = parts;
  const replace = createReplaceFile({ clock, processes: identity, host: hostname() });
  const onPutBack = (file: string) => kubeconfigWatch.markPutBack(file);
  return { config, bindings, vault, recorder, clock, read: readText, replace, onPutBack };
}

export function createManagedWriter(paths: ImportingParts['paths']): WriteManagedKubeconfig {
  return (clusters, apiVersion, first) =>
    writeManagedKubeconfig({
      path: paths.kubeconfig,
      clusters,
      apiVersion,
      first,
      helperPath: paths.helper,
      home: paths.homeVariable,
    });
}

export type Importing = ReturnType<typeof createImporting>;

/** Made once: two imports that were planned at once have to see what the other did, at whatever door. */
export function createImporting(parts: ImportingParts) {
  const { paths, serving, kubeconfigState, kubeconfigWatch } = parts;
  const writeManaged = createManagedWriter(paths);
  return {
    readSource,
    apiVersion: async (path: string | undefined): Promise<KubeconfigApiVersion> =>
      ((await findKubectl(path ?? ''))?.knowsV1 ?? true) ? 'v1' : 'v1beta1',
    ...createImporter({
      ...createEditing(parts),
      imported: () => kubeconfigState.current().imported,
      onSecrets: parts.forget,
      helperPath: paths.helper,
      home: paths.homeVariable,
    }),
    hasManaged: async () => (await readText(paths.kubeconfig)) !== null,
    writeManaged: (apiVersion: KubeconfigApiVersion, first: FirstContexts) =>
      writeManaged([...serving.current().clusters.values()], apiVersion, first),
    markSeen: (merged: MergedKubeconfig, plan: ImportPlan) => kubeconfigWatch.markSeen(merged, plan),
    managed: paths.kubeconfig,
  };
}

export interface UiImportingParts
  extends Pick<BrokerDeps, 'config' | 'vault' | 'clock' | 'identity' | 'environment'>,
    Pick<ImportingParts, 'bindings' | 'recorder' | 'kubeconfigWatch'> {
  importing: Importing;
  gate: Gate;
}

/**
 * A page names files, and could name large ones again and again. 4 MiB of kubectl's layout, about 1,600 contexts, are read
 * in some 50 ms. Another layout, such as JSON, holds the thread several times as long: of each file 50,000 parts are read,
 * in 100 to 200 ms, right or wrong; that is some 500 contexts. The command line reads more.
 */
const pageLimits = {
  togetherBytes: 4 * 1024 * 1024,
  parts: 50_000,
};

/** What the import in a page stands on. Disposing it forgets the plans that were shown. */
export function createUiImporting(
  parts: UiImportingParts,
): ImportCallsDeps & Omit<UndoCallsDeps, 'windows'> & Disposable {
  const { importing, environment, clock, gate, kubeconfigWatch } = parts;
  const plans = createPlanStore({ clock });
  const { platform } = process;
  return {
    ...importing,
    ...createEditing(parts),
    readSource: (files, caller, signal) => readSource(files, caller, signal, pageLimits),
    plans,
    gate,
    environment,
    platform,
    watch: kubeconfigWatch,
    paths: () => kubeconfigPaths(environment, platform, '/'),
    readKubeconfigs: (files, options) => readKubeconfigs(files, { ...options, page: pageLimits }),
    dispose: () => plans.dispose(),
  };
}

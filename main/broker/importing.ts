import { hostname } from 'node:os';
import type { KubeconfigSource } from '../domain/import/given-text.ts';
import type { ImportPlan } from '../domain/import/import-plan.ts';
import type { MergedKubeconfig } from '../domain/import/kubeconfig.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { Paths } from '../domain/paths.ts';
import { asClientsSee } from '../domain/proxy/client-view.ts';
import type { KubeconfigApiVersion } from '../kubeconfig/helper-exec.ts';
import { createImporter } from '../kubeconfig/import/importer.ts';
import { type ImportCaller, readSource } from '../kubeconfig/import/read-source.ts';
import { createCheckFile, createReplaceFile, readText } from '../kubeconfig/import/replace-file.ts';
import type { FirstContexts } from '../kubeconfig/managed-kubeconfig.ts';
import type { ReadKubeconfigsOptions } from '../kubeconfig/read/read-kubeconfigs.ts';
import type { KubeconfigWatch } from '../kubeconfig/watch/kubeconfig-watch.ts';
import type { KubeconfigStateFile } from '../kubeconfig/watch/state-file.ts';
import {
  type WriteManagedKubeconfig,
  writeManagedKubeconfig,
} from '../kubeconfig/write-managed-kubeconfig.ts';
import { findKubectl } from '../kubernetes/find-kubectl.ts';
import type { AwayNamespaces } from '../ports/away-namespaces.ts';
import type { ActiveConfig } from '../ports/config-store.ts';
import type { ProxyEntrance } from '../ports/request-proxy.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

type Edits = Pick<BrokerDeps, 'config' | 'vault' | 'clock' | 'identity'> &
  Pick<Served, 'bindings'> &
  Pick<Records, 'recorder'> & { kubeconfigWatch: KubeconfigWatch };

export type Editing = ReturnType<typeof createEditing>;

/** What edits the user's files, and stores their old content in the vault. */
export function createEditing({
  config,
  bindings,
  vault,
  recorder,
  clock,
  identity,
  kubeconfigWatch,
}: Edits) {
  const locking = { clock, processes: identity, host: hostname() };
  const [replace, check] = [createReplaceFile(locking), createCheckFile(locking)];
  const onRestored = (file: string) => kubeconfigWatch.markRestored(file);
  return { config, bindings, vault, recorder, clock, read: readText, replace, check, onRestored };
}

export function createManagedWriter(
  paths: Paths,
  away: AwayNamespaces,
  proxy: Pick<ProxyEntrance, 'place'>,
): WriteManagedKubeconfig {
  return async (clusters, apiVersion, first) =>
    writeManagedKubeconfig({
      path: paths.kubeconfig,
      clusters: await asClientsSeeAll(clusters, proxy),
      apiVersion,
      first,
      away,
      helperPath: paths.helper,
      home: paths.homeVariable,
    });
}

/** Throws `vault.locked` where one is proxied. */
export async function asClientsSeeAll(
  clusters: readonly LoadedCluster[],
  proxy: Pick<ProxyEntrance, 'place'>,
): Promise<readonly LoadedCluster[]> {
  if (!clusters.some(({ config }) => config.proxy !== undefined)) {
    return clusters;
  }
  const place = await proxy.place();
  return clusters.map((cluster) => asClientsSee(cluster, place));
}

export interface ImportingDeps {
  paths: Paths;
  writeManaged: WriteManagedKubeconfig;
  editing: Editing;
  /** The active configuration: the managed kubeconfig has nothing else. */
  serving: ActiveConfig;
  kubeconfigState: KubeconfigStateFile;
  kubeconfigWatch: KubeconfigWatch;
  /** Drops what was made from an account's old secrets. */
  forget(account: string): void;
  isWrittenByOthers: BrokerDeps['isWrittenByOthers'];
}

export type Importing = ReturnType<typeof createImporting>;

/** Made once: two imports that were planned at the same time must see each other's changes, at whatever door. */
export function createImporting({
  paths,
  writeManaged,
  editing,
  serving,
  kubeconfigState,
  kubeconfigWatch,
  forget,
  isWrittenByOthers,
}: ImportingDeps) {
  return {
    /** `page`: the limits of what a page names. */
    readSource: (
      files: readonly KubeconfigSource[],
      caller: ImportCaller,
      signal?: AbortSignal,
      page?: ReadKubeconfigsOptions['page'],
    ) => readSource(files, caller, { signal, page, isWrittenByOthers }),
    apiVersion: async (path: string | undefined): Promise<KubeconfigApiVersion> =>
      ((await findKubectl(path ?? ''))?.knowsV1 ?? true) ? 'v1' : 'v1beta1',
    ...createImporter({
      ...editing,
      imported: () => kubeconfigState.current().imported,
      onSecrets: forget,
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

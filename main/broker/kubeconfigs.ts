import { hostname } from 'node:os';
import type { Disposables } from '../base/disposables.ts';
import { once } from '../base/once.ts';
import { classifyUser } from '../domain/import/index.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { awayNamespaces } from '../inventory/away-namespaces.ts';
import { createContextReader } from '../kubeconfig/contexts.ts';
import { freeStaleLocks } from '../kubeconfig/edit/index.ts';
import { digestOf } from '../kubeconfig/import/backups.ts';
import { createManagedContexts, type ManagedContexts } from '../kubeconfig/managed-contexts.ts';
import { clusterAndUser, managedKubeconfig, userName } from '../kubeconfig/managed-kubeconfig.ts';
import { kubeconfigPaths, ownKubeconfigs, usualKubeconfig } from '../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../kubeconfig/read/read-kubeconfigs.ts';
import { type SetCurrentContext, setCurrentContext } from '../kubeconfig/set-current-context.ts';
import { writeTerminalKubeconfig } from '../kubeconfig/terminal-kubeconfig.ts';
import { openConsent } from '../kubeconfig/user-contexts/consent.ts';
import { createUserContexts, type UserContexts } from '../kubeconfig/user-contexts/user-contexts.ts';
import { type ContextsWatch, createContextsWatch } from '../kubeconfig/watch/contexts-watch.ts';
import { createKubeconfigWatch, type KubeconfigWatch } from '../kubeconfig/watch/kubeconfig-watch.ts';
import { type KubeconfigStateFile, openKubeconfigState } from '../kubeconfig/watch/state-file.ts';
import type { WriteManagedKubeconfig } from '../kubeconfig/write-managed-kubeconfig.ts';
import { contextOfCluster } from '../operations/context-of-cluster.ts';
import type { ProxyEntrance } from '../ports/request-proxy.ts';
import type { Backup } from '../ports/vault.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Credentials } from './credentials.ts';
import {
  asClientsSeeAll,
  createEditing,
  createImporting,
  createManagedWriter,
  type Editing,
  type Importing,
} from './importing.ts';
import type { Locking } from './locking.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

/** The kubeconfigs that are read, watched, imported and edited. */
export interface Kubeconfigs {
  kubeconfigState: KubeconfigStateFile;
  kubeconfigWatch: KubeconfigWatch;
  contextsWatch: ContextsWatch;
  /** Where the user’s plain kubectl finds Lanyard’s clusters. */
  userContexts: UserContexts;
  /** What the user’s kubectl reads, as far as it is known: what they agreed to, else as the broker’s own environment says. */
  knownFiles(): readonly string[];
  /** All that may have contexts of Lanyard’s, the user’s own first. */
  files(): readonly string[];
  importing: Importing;
  editing: Editing;
  contexts: ReturnType<typeof createContextReader>;
  /** Those of a caller, by its variables and folder. */
  pathsOf(variables: Readonly<Record<string, string>>, cwd: string): string[];
  setCurrentContext(wanted: SetCurrentContext): Promise<void>;
  /** Writes a kubeconfig of this cluster alone, for one terminal. Returns its absolute path. */
  writeForTerminal(cluster: LoadedCluster, namespace: string | null): Promise<string>;
  managedContexts: ManagedContexts;
  writeManaged: WriteManagedKubeconfig;
  /** Removes kubectl's lock files that a killed Lanyard left. */
  freeLocks(): Promise<void>;
}

export async function openKubeconfigs(
  deps: BrokerDeps,
  { bindings, serving }: Served,
  { recorder }: Records,
  { grants, directory }: Credentials,
  { gate }: Locking,
  requestProxy: ProxyEntrance,
  disposables: Disposables,
): Promise<Kubeconfigs> {
  const { paths, log, clock, environment, vault, config, inventories, identity, isWrittenByOthers } = deps;
  const { platform } = process;
  const contexts = createContextReader(readKubeconfigs);
  const locking = { clock, processes: identity, host: hostname() };
  const kubeconfigState = await openKubeconfigState({ file: paths.kubeconfigs, log });
  const watched = [...usualKubeconfig(environment, platform), paths.kubeconfig];
  const kubeconfigWatch = disposables.add(
    createKubeconfigWatch({
      files: watched,
      state: kubeconfigState,
      read: readKubeconfigs,
      classify: classifyUser,
      clock,
      log,
    }),
  );
  const ownFiles = ownKubeconfigs(environment, platform, paths.home);
  const consent = await openConsent({ file: paths.userContexts, log });
  const knownFiles = () => {
    const { way, seesManaged } = consent.current();
    const list = way === null || way.kind === 'none' ? ownFiles : way.list;
    return seesManaged && !list.includes(paths.kubeconfig) ? [paths.kubeconfig, ...list] : list;
  };
  const contextsWatch = disposables.add(
    createContextsWatch({ files: knownFiles, managed: paths.kubeconfig, read: contexts, clock, log }),
  );
  const editing = createEditing({ config, bindings, vault, recorder, clock, identity, kubeconfigWatch });
  const isUsable = ({ name }: LoadedCluster) => directory.cluster(name).ok;
  /** Null: it can’t be told which there are. Locked, or config.yaml was never valid since the start. */
  const knownClusters = () => {
    const isUnread =
      config.current().clusters.size === 0 && config.problems().some(({ severity }) => severity === 'error');
    return vault.state().kind === 'open' && gate() === null && !isUnread ? directory.clusters() : null;
  };
  const managedContexts = disposables.add(
    createManagedContexts({
      path: paths.kubeconfig,
      write: createManagedWriter(paths, awayNamespaces(inventories.used), requestProxy),
      isOfProfile: (context) => inventories.used.current().some(({ contextName }) => contextName === context),
      clusters: knownClusters,
      isUsable,
      hasAll() {
        const { way } = consent.current();
        return way === null ? knownFiles().includes(paths.kubeconfig) : way.kind === 'own';
      },
      clock,
      log,
    }),
  );
  // What a hub states of a profile is in no kubeconfig before the user approves it.
  const writeManaged: WriteManagedKubeconfig = (clusters, ...how) =>
    managedContexts.writeOnly(
      clusters.filter((cluster) => cluster.origin === undefined || isUsable(cluster)),
      ...how,
    );
  const apiVersion = once(() => importing.apiVersion(environment['PATH']));
  const userContexts = disposables.add(
    createUserContexts({
      consent,
      managed: paths.kubeconfig,
      homeDirectory: environment['HOME'] ?? environment['USERPROFILE'] ?? null,
      async wanted() {
        const known = knownClusters();
        if (known === null) {
          return null;
        }
        const clusters = await asClientsSeeAll(known.filter(isUsable), requestProxy);
        const options = {
          helperPath: paths.helper,
          home: paths.homeVariable,
          apiVersion: await apiVersion(),
        };
        const { entries } = await contexts([paths.kubeconfig]);
        return clusters.map((cluster) => ({
          ...clusterAndUser(cluster, options),
          name: cluster.name,
          account: cluster.config.account,
          userName: userName(cluster),
          namespace: contextOfCluster({ entries }, cluster)?.namespace ?? null,
        }));
      },
      read: readKubeconfigs,
      writeManaged: () => managedContexts.write(),
      async onEdited(file, before, after) {
        // An undo of an import asks only about what others wrote since.
        const was = digestOf(before);
        const isOf = (backup: Backup) => backup.file === file && backup.writtenDigest === was;
        if (vault.state().kind === 'open' && vault.read().backups.some(isOf)) {
          await vault.update((content) => ({
            ...content,
            backups: content.backups.map((each) =>
              isOf(each) ? { ...each, writtenDigest: digestOf(after) } : each,
            ),
          }));
        }
      },
      locking,
      clock,
      log,
    }),
  );
  disposables.add(contextsWatch.onChange(() => userContexts.follow()));
  disposables.add(userContexts.onChange(() => void contextsWatch.refresh()));
  const importing = createImporting({
    paths,
    writeManaged,
    editing,
    serving,
    kubeconfigState,
    kubeconfigWatch,
    forget: (account) => grants.forget(account),
    isWrittenByOthers,
  });
  return {
    managedContexts,
    writeManaged,
    kubeconfigState,
    kubeconfigWatch,
    contextsWatch,
    userContexts,
    knownFiles,
    files: () => [...new Set([...knownFiles(), ...watched])],
    editing,
    importing,
    async writeForTerminal(cluster, namespace) {
      const { name } = cluster;
      const { text } = managedKubeconfig({
        clusters: await asClientsSeeAll([cluster], requestProxy),
        apiVersion: await importing.apiVersion(environment['PATH']),
        first: { namespaces: new Map(namespace === null ? [] : [[name, namespace]]), current: name },
        helperPath: paths.helper,
        home: paths.homeVariable,
      });
      return writeTerminalKubeconfig(text, { folder: paths.terminals, clock });
    },
    contexts,
    pathsOf: (variables, cwd) => kubeconfigPaths(variables, platform, cwd),
    setCurrentContext: (wanted) => setCurrentContext(wanted, locking),
    async freeLocks() {
      const edited = vault.state().kind === 'open' ? vault.read().backups.map(({ file }) => file) : [];
      const freed = await freeStaleLocks([...watched, ...knownFiles(), ...edited], locking);
      for (const lock of freed) {
        log.info('kubeconfig.lockFreed', { lock });
      }
    },
  };
}

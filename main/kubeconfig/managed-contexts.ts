import { readFile } from 'node:fs/promises';
import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { WriteManagedKubeconfig } from './write-managed-kubeconfig.ts';

export interface ManagedContextsDeps {
  path: string;
  write: WriteManagedKubeconfig;
  /** All clusters, those that are pending approval, too; null: it can’t be told, as while Lanyard is locked. */
  clusters(): readonly LoadedCluster[] | null;
  /** A profile has or had this context’s name. */
  isOfProfile(context: string): boolean;
  /** It is issued credentials now. */
  isUsable(cluster: LoadedCluster): boolean;
  /** The user’s kubectl reads the managed kubeconfig, so it has each cluster that is approved. */
  hasAll(): boolean;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** The contexts in the managed kubeconfig that come and go: of profiles, with what an inventory says, and of proxied clusters. */
export interface ManagedContexts extends Disposable {
  /** Writes it now, also where there was none; warnings are lines for the user. */
  write(): Promise<string[]>;
  /** Writes it with these clusters, as the user or an import asked. One write at a time, whoever writes. */
  writeOnly: WriteManagedKubeconfig;
  /** Clusters may have changed: it is written once a burst is over, where profiles have, and where it is there. */
  follow(): void;
  /** The same now; done when it resolves. */
  reconcile(): Promise<void>;
  /** The same soon, whatever was written before: the request proxy has moved. */
  rewrite(): void;
}

/** Milliseconds that a burst of changes may be quiet. */
const quietMilliseconds = 100;

export function createManagedContexts(deps: ManagedContextsDeps): ManagedContexts {
  const { path, clock, log } = deps;
  // What is read of the file must not change until it is written.
  const queue = new SerialQueue();
  let written: readonly LoadedCluster[] | null = null;
  let waiting: Disposable | null = null;
  let ended = false;

  const usableFollowing = (clusters: readonly LoadedCluster[], there: ReadonlySet<string> | null) =>
    clusters.filter((cluster) => (deps.hasAll() || follows(cluster, there)) && deps.isUsable(cluster));
  const write = async (clusters: readonly LoadedCluster[], previous: string | null) => {
    written = null;
    const warnings = await deps.write(
      clusters,
      versionIn(previous),
      previous === null ? undefined : 'asItWas',
    );
    written = usableFollowing(clusters, null);
    return warnings;
  };
  const writeNow = async () => {
    const clusters = deps.clusters();
    if (clusters === null) {
      // Once it is unlocked, they follow.
      return [];
    }
    const previous = await readFile(path, 'utf8').catch(() => null);
    const there = clustersIn(previous);
    const isWanted = (cluster: LoadedCluster) =>
      deps.isUsable(cluster) || (cluster.origin === undefined && there.has(cluster.name));
    return write(clusters.filter(isWanted), previous);
  };
  const writeIfChanged = async () => {
    const clusters = deps.clusters();
    const previous = clusters === null || ended ? null : await readFile(path, 'utf8').catch(() => null);
    if (clusters === null || previous === null) {
      return;
    }
    const there = clustersIn(previous);
    const following = usableFollowing(clusters, there);
    const mayBeOld = [...there].some(deps.isOfProfile) || proxiedServer.test(previous);
    if (written === null && following.length === 0 && !mayBeOld) {
      written = following;
    }
    if (!isSame(written, following)) {
      // The contexts of config.yaml’s clusters stay as they are: an import may have written one that is pending.
      const others = clusters.filter(
        (cluster) => there.has(cluster.name) && cluster.origin === undefined && !following.includes(cluster),
      );
      await write([...others, ...following], previous);
    }
  };
  const follow = () => {
    waiting ??= clock.after(quietMilliseconds, () => {
      waiting = null;
      queue.run(writeIfChanged).catch((error: unknown) => {
        log.warn('kubeconfig.profiles', { error: String(error) });
      });
    });
  };
  return {
    write: () => queue.run(writeNow),
    writeOnly: (...how) =>
      queue.run(() => {
        // It may have other clusters then than those that were followed.
        written = null;
        return deps.write(...how);
      }),
    follow,
    reconcile: () => queue.run(writeIfChanged),
    rewrite() {
      void queue.run(async () => {
        written = null;
      });
      follow();
    },
    async dispose() {
      ended = true;
      waiting?.dispose();
      await queue.drain();
    },
  };
}

/**
 * The clusters that a managed kubeconfig has from Lanyard, by what it says in their extension, in the layouts of
 * Lanyard and of kubectl. To parse thousands of them would take a second.
 */
function clustersIn(text: string | null): ReadonlySet<string> {
  const found = (text ?? '').matchAll(/^ +lanyard:\n +cluster: (?:"([^"\\\n]+)"|([^"\n]+))$/gm);
  return new Set([...found].map(([, quoted, plain]) => quoted ?? plain ?? ''));
}

/**
 * Its context is written without being asked: a profile’s, and that of a proxied cluster which is there, whose server is
 * another as the proxy is turned on. `there` null: all are.
 */
function follows({ name, origin, config }: LoadedCluster, there: ReadonlySet<string> | null): boolean {
  return origin !== undefined || (config.proxy !== undefined && (there?.has(name) ?? true));
}

/** A cluster’s address at the request proxy (domain/proxy/client-view.ts). */
const proxiedServer = /^ +server: "?https:\/\/127\.0\.0\.1:\d+\/c\//m;

/** Null: not written since others wrote it, or the broker started. Then what is there may be older than the clusters. */
function isSame(a: readonly LoadedCluster[] | null, b: readonly LoadedCluster[]): boolean {
  return a !== null && a.length === b.length && a.every((cluster, index) => cluster === b[index]);
}

/** The version that the user’s kubectl was found to need when the file was first written. */
function versionIn(text: string | null): 'v1' | 'v1beta1' {
  return text?.includes('client.authentication.k8s.io/v1beta1') ? 'v1beta1' : 'v1';
}

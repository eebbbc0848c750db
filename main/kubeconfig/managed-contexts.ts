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
  /** The clusters that are issued credentials now; null: Lanyard is locked, and it can’t be told. */
  usable(): readonly LoadedCluster[] | null;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** The contexts of profiles in the managed kubeconfig, which come and go with what an inventory says. */
export interface ManagedContexts extends Disposable {
  /** Writes it now, also where there was none; warnings are lines for the user. */
  write(): Promise<string[]>;
  /** Clusters may have changed: it is written once a burst is over, where profiles have, and where it is there. */
  follow(): void;
}

/** Milliseconds that a burst of changes may be quiet. */
const quietMilliseconds = 100;

export function createManagedContexts(deps: ManagedContextsDeps): ManagedContexts {
  const { path, clock, log } = deps;
  const queue = new SerialQueue();
  let written: readonly LoadedCluster[] | null = null;
  let waiting: Disposable | null = null;
  let ended = false;

  const write = (previous: string | null) => {
    const clusters = deps.usable() ?? [];
    written = ofProfiles(clusters);
    return deps.write(clusters, versionIn(previous));
  };
  const writeIfChanged = async () => {
    const clusters = deps.usable();
    const previous = clusters === null || ended ? null : await readFile(path, 'utf8').catch(() => null);
    if (clusters !== null && previous !== null && !isSame(written, ofProfiles(clusters))) {
      await write(previous);
    }
  };
  return {
    write: () => queue.run(async () => write(await readFile(path, 'utf8').catch(() => null))),
    follow() {
      waiting ??= clock.after(quietMilliseconds, () => {
        waiting = null;
        queue.run(writeIfChanged).catch((error: unknown) => {
          log.warn('kubeconfig.profiles', { error: String(error) });
        });
      });
    },
    async dispose() {
      ended = true;
      waiting?.dispose();
      await queue.drain();
    },
  };
}

function ofProfiles(clusters: readonly LoadedCluster[]): LoadedCluster[] {
  return clusters.filter(({ origin }) => origin !== undefined);
}

/** Null: never written by this broker. Then what is there may be older than the profiles. */
function isSame(a: readonly LoadedCluster[] | null, b: readonly LoadedCluster[]): boolean {
  return a !== null && a.length === b.length && a.every((cluster, index) => cluster === b[index]);
}

/** The version that the user’s kubectl was found to need when the file was first written. */
function versionIn(text: string | null): 'v1' | 'v1beta1' {
  return text?.includes('client.authentication.k8s.io/v1beta1') ? 'v1beta1' : 'v1';
}

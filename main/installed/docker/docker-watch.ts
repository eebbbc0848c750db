import { type Disposable, Disposables } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { FileWatch } from '../../kubeconfig/watch/file-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { VaultControl } from '../../vault/index.ts';

export interface DockerWatchOptions {
  vault: Pick<VaultControl, 'read' | 'state' | 'onChange' | 'onUpdated'>;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** Tells of each change of a file that Lanyard edited for docker, while the broker runs. */
export interface DockerWatch extends Disposable {
  onChange(listener: () => void): Disposable;
}

export function createDockerWatch({ vault, clock, log }: DockerWatchOptions): DockerWatch {
  const changed = createListeners();
  const disposables = new Disposables();
  const files = disposables.add(
    new FileWatch({
      clock,
      log,
      debounceMilliseconds: 300,
      pollMilliseconds: 30_000,
      read: async () => changed.tell(),
    }),
  );
  const follow = () => {
    if (vault.state().kind === 'open') {
      files.add(Object.keys(vault.read().dockerConfigs));
    }
  };
  disposables.add(vault.onChange(follow));
  disposables.add(vault.onUpdated(follow));
  follow();
  return { onChange: (listener) => changed.add(listener), dispose: () => disposables.dispose() };
}

import type { Disposables } from '../base/disposables.ts';
import { createSelecting } from '../inventory/select-profiles.ts';
import { ownCredential } from '../kubernetes/cluster-credential.ts';
import type { Areas } from './areas.ts';

/** Has inventories listed and watched, and kubectl’s contexts follow them. */
export function startInventories(
  { deps, served, credentials, locking, kubeconfigs }: Areas,
  disposables: Disposables,
): void {
  const { bindings, serving } = served;
  const { directory, grants } = credentials;
  const { gate } = locking;
  const { contextsOfProfiles } = kubeconfigs;
  const { vault, config, environment, events, log } = deps;
  const { inventories } = deps.inventories;
  const isOpen = () => vault.state().kind === 'open' && gate() === null;
  inventories.begin({
    active: () => serving.current(),
    isServed: (what, name) => isOpen() && bindings.isServed(what, name),
    obtain: (hub, signal) => ownCredential(hub, null, { directory, grants, gate }, signal),
    environment,
  });
  const selecting = createSelecting({
    ...deps.inventories,
    active: () => (isOpen() ? serving.current() : null),
    isServed: (name) => bindings.isServed('inventory', name),
    log,
  });
  const follow = () => {
    inventories.follow();
    selecting.follow();
    contextsOfProfiles.follow();
  };
  disposables.add(bindings.onConfirmed(follow));
  disposables.add(vault.onChange(follow));
  disposables.add(inventories.onChange(() => selecting.follow()));
  disposables.add(
    config.onChange(() => {
      selecting.follow();
      contextsOfProfiles.follow();
    }),
  );
  disposables.add(selecting);
  disposables.add(events.onWake(() => inventories.wake()));
  disposables.add(events.onNetwork(() => inventories.wake()));
}

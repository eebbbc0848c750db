import type { Disposables } from '../base/disposables.ts';
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
  const { vault, config, environment, events } = deps;
  const { inventories } = deps.inventories;
  const isOpen = () => vault.state().kind === 'open' && gate() === null;
  inventories.begin({
    active: () => serving.current(),
    isServed: (what, name) => isOpen() && bindings.isServed(what, name),
    obtain: (hub, signal) => ownCredential(hub, null, { directory, grants, gate }, signal),
    environment,
  });
  const follow = () => {
    inventories.follow();
    contextsOfProfiles.follow();
  };
  disposables.add(bindings.onConfirmed(follow));
  disposables.add(vault.onChange(follow));
  disposables.add(config.onChange(() => contextsOfProfiles.follow()));
  disposables.add(events.onWake(() => inventories.wake()));
  disposables.add(events.onNetwork(() => inventories.wake()));
}

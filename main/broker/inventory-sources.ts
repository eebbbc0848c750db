import { createAllowance } from '../base/allowance.ts';
import type { Disposables } from '../base/disposables.ts';
import { RecentValues } from '../base/recent-values.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import { createSelecting } from '../inventory/select-profiles.ts';
import { ownCredential } from '../kubernetes/cluster-credential.ts';
import { approveTrusted } from '../operations/inventories/approve-trusted.ts';
import { InventoryNews } from '../operations/inventories/inventory-news.ts';
import type { Areas } from './areas.ts';

/** How often a cluster of a trusted inventory may move without a question: ten times, and then every ten minutes. */
const trustedMoves = { atOnce: 10, perSecond: 1 / 600 };
const rememberedMoves = 10_000;

/** Has inventories listed and watched, and kubectl’s contexts follow them. */
export function startInventories(
  { deps, served, records, credentials, locking, kubeconfigs }: Areas,
  disposables: Disposables,
): void {
  const { bindings, serving } = served;
  const { directory, grants, reach } = credentials;
  const { gate } = locking;
  const { managedContexts, userContexts } = kubeconfigs;
  const { vault, config, events, clock, log } = deps;
  const { inventories } = deps.inventories;
  const isOpen = () => vault.state().kind === 'open' && gate() === null;
  inventories.begin({
    active: () => serving.current(),
    isServed: (what, name) => isOpen() && bindings.isServed(what, name),
    obtain: (hub, asker, signal) => ownCredential(hub, asker, { directory, grants, gate }, signal),
    saw: (hub, credential, verdict) => grants.saw(clusterTarget(hub), credential, verdict),
    reach,
  });
  const selecting = createSelecting({
    ...deps.inventories,
    active: () => (isOpen() ? serving.current() : null),
    isServed: (name) => bindings.isServed('inventory', name),
    approvals: {
      current: () => vault.read().confirmed,
      forget: (names) => bindings.forget(names.map((name) => ({ what: 'cluster', name }))),
    },
    log,
  });
  const moves = new RecentValues<ReturnType<typeof createAllowance>>(rememberedMoves);
  const trusting = {
    ...deps.inventories,
    config,
    active: () => serving.current(),
    bindings,
    recorder: records.recorder,
    allow: (cluster: string) => moves.of(cluster, () => createAllowance(trustedMoves, clock)).take(1),
  };
  const queue = new SerialQueue();
  const approveWhatIsTrusted = () => {
    queue
      .run(async () => {
        if (isOpen()) {
          await approveTrusted(trusting);
        }
      })
      .catch((error: unknown) => log.warn('inventories.trusted', { error: String(error) }));
  };
  const follow = () => {
    inventories.follow();
    selecting.follow();
    managedContexts.follow();
    userContexts.follow();
  };
  disposables.add(bindings.onConfirmed(follow));
  disposables.add(vault.onChange(follow));
  disposables.add(inventories.onChange(() => selecting.follow()));
  disposables.add(
    config.onChange(() => {
      approveWhatIsTrusted();
      selecting.follow();
      managedContexts.follow();
      userContexts.follow();
    }),
  );
  // A vault that opened before this tells no more of it.
  follow();
  const news = disposables.add(
    new InventoryNews({
      ...deps.inventories,
      config,
      bindings,
      gate,
      recorder: records.recorder,
      clock,
    }),
  );
  disposables.add(bindings.onConfirmed(() => news.look()));
  disposables.add(vault.onChange(() => news.look()));
  disposables.add(config.onChange(() => news.look()));
  disposables.add(inventories.onChange(() => news.look()));
  disposables.add(deps.inventories.used.onChange(() => news.look()));
  disposables.add(selecting);
  disposables.add({ dispose: () => queue.drain() });
  disposables.add(events.onWake(() => inventories.wake()));
  disposables.add(events.onNetwork(() => inventories.wake()));
}

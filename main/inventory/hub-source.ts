import type { NamedInventory } from '../domain/inventory/profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { connectHub, type HubAccess } from './hub-connection.ts';
import type { ProfileSource } from './profile-source.ts';
import type { ProfileStore } from './profile-store.ts';
import { startReflector } from './reflector.ts';

export interface HubSourceDeps {
  store: Pick<ProfileStore, 'begin'>;
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  log: Log;
}

/** Lists and watches a hub's ClusterProfiles (KEP-4322): in all namespaces, or in each of those that are named. */
export function startHubSource(
  { name, config }: NamedInventory,
  access: HubAccess,
  { store, clock, random, log }: HubSourceDeps,
): ProfileSource {
  const hub = connectHub(access);
  const namespaces = config.namespaces === undefined ? [null] : [...new Set(config.namespaces)];
  const reflectors = store.begin(namespaces).map((sink, index) =>
    startReflector({
      hub,
      scope: { namespace: namespaces[index] ?? null, labelSelector: config.labelSelector ?? null },
      sink,
      inventory: name,
      clock,
      random,
      log,
    }),
  );
  return {
    async sync() {
      const outcomes = await Promise.all(reflectors.map((each) => each.sync()));
      return outcomes.find(({ ok }) => !ok) ?? { ok: true };
    },
    wake() {
      for (const each of reflectors) {
        each.wake();
      }
    },
    async dispose() {
      await Promise.all(reflectors.map((each) => each.dispose()));
    },
  };
}

import { groupOf, kindNames } from '../../contract/config/config.ts';
import { type PendingChange, pendingChanges, unapproved } from '../../domain/approval/binding.ts';
import type { ShapeOf } from '../../domain/approval/kind-rules.ts';
import type { Confirmed, LoadedConfig } from '../../domain/loaded-config.ts';

/** Nothing was approved yet. */
export function isUnapproved(confirmed: Confirmed): boolean {
  const entries = kindNames().map((kind) => confirmed[groupOf(kind)]);
  return [...entries, confirmed.settings].every((each) => Object.keys(each).length === 0);
}

/** What was approved by having seen `seen`, as far as `now` still has it. */
export function unchangedSince(seen: LoadedConfig, now: LoadedConfig, shapeOf: ShapeOf): PendingChange[] {
  const current = new Map(
    pendingChanges(now, unapproved, shapeOf).map(({ what, name, after }) => [`${what} ${name}`, after]),
  );
  return pendingChanges(seen, unapproved, shapeOf).filter(
    ({ what, name, after }) => current.get(`${what} ${name}`) === after,
  );
}

/** What config.yaml has: profiles in use are a hub’s word, and a first vault approves none of them unseen. */
export function withoutProfiles(config: LoadedConfig): LoadedConfig {
  const clusters = [...config.clusters].filter(([, { origin }]) => origin === undefined);
  return clusters.length === config.clusters.size ? config : { ...config, clusters: new Map(clusters) };
}

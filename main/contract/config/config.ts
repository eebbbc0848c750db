import { z } from 'zod';
import { account } from './accounts/account.ts';
import { cluster } from './cluster.ts';
import { inventory } from './inventory.ts';
import { configName } from './names.ts';
import { registry } from './registry.ts';
import {
  appearanceSettings,
  historySettings,
  lockSettings,
  metricsSettings,
  notificationSettings,
  terminalSettings,
  updateSettings,
} from './settings.ts';

/**
 * config.yaml: no secrets, read and edited by hand. The JSON Schema for editors is generated from its kinds and
 * settings (`npm run generate`). Keys are camelCase, names are the ids.
 */

/**
 * The kinds of entries that count only as the user approved them (rule: confirmed-binding): `group` is the key of
 * config.yaml and of the vault under which they are, by name. A kind’s own rules: domain/approval/kind-rules.ts.
 */
export const configuredKinds = {
  account: { group: 'accounts', schema: account },
  cluster: { group: 'clusters', schema: cluster },
  registry: { group: 'registries', schema: registry },
  inventory: { group: 'inventories', schema: inventory },
} as const;
export type ConfiguredKind = keyof typeof configuredKinds;
export type GroupOf<Kind extends ConfiguredKind> = (typeof configuredKinds)[Kind]['group'];
export type ConfigGroup = GroupOf<ConfiguredKind>;
export type ConfigOf<Kind extends ConfiguredKind> = z.infer<(typeof configuredKinds)[Kind]['schema']>;

export function groupOf<Kind extends ConfiguredKind>(kind: Kind): GroupOf<Kind> {
  return configuredKinds[kind].group;
}

/** In the order in which they are listed. */
export function kindNames(): ConfiguredKind[] {
  return Object.keys(configuredKinds) as ConfiguredKind[];
}

/** A value for each group. */
export function byGroup<Value>(make: (kind: ConfiguredKind) => Value): Record<ConfigGroup, Value> {
  const values = kindNames().map((kind) => [groupOf(kind), make(kind)]);
  return Object.fromEntries(values) as Record<ConfigGroup, Value>;
}

type EntriesSchema = {
  [Kind in ConfiguredKind as GroupOf<Kind>]: z.ZodDefault<
    z.ZodRecord<typeof configName, (typeof configuredKinds)[Kind]['schema']>
  >;
};

export const config = z.strictObject({
  version: z.literal(1),
  ...(byGroup((kind) => z.record(configName, configuredKinds[kind].schema).default({})) as EntriesSchema),
  lock: lockSettings.prefault({}),
  history: historySettings.prefault({}),
  metrics: metricsSettings.prefault({}),
  appearance: appearanceSettings.prefault({}),
  notifications: notificationSettings.prefault({}),
  updates: updateSettings.prefault({}),
  terminal: terminalSettings.prefault({}),
});

export type Config = z.infer<typeof config>;

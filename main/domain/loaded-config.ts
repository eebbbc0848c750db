import {
  byGroup,
  type ConfigGroup,
  type ConfigOf,
  type ConfiguredKind,
  type GroupOf,
  groupOf,
} from '../contract/config/config.ts';
import type { Settings } from '../contract/config/settings.ts';
import type { ProfileName } from './inventory/profile.ts';
import type { BoundProgram } from './program/program-check.ts';

/** Names an entry of config.yaml. */
export interface EntryName {
  what: ConfiguredKind;
  name: string;
}

/** The names of those of one kind. */
export function namesOf(entries: readonly EntryName[], kind: ConfiguredKind): string[] {
  return entries.flatMap(({ what, name }) => (what === kind ? [name] : []));
}

/** An entry as loaded: paths absolute, files that shape where secrets go already read. */
export interface Loaded<Kind extends ConfiguredKind = ConfiguredKind> {
  name: string;
  config: ConfigOf<Kind>;
  /**
   * The certificates of `certificateAuthority` (for an account `oidc.certificateAuthority`) or its data, as PEM; the
   * file's other content is dropped. Null: the system's CAs.
   */
  certificateAuthorityPem: string | null;
  /** The profile in use that this cluster is of, which is not in config.yaml. Absent: it is in config.yaml. */
  origin?: ProfileOrigin | undefined;
}

/** A profile that became a cluster (ADR 0029). */
export interface ProfileOrigin extends ProfileName {
  /** Of the hub’s object: a profile made again has another. Null: from a file without one. */
  uid: string | null;
  /** The access provider by which it is reached, as profiles name it. */
  provider: string;
}
export type LoadedAccount = Loaded<'account'>;
export type LoadedCluster = Loaded<'cluster'>;
export type LoadedRegistry = Loaded<'registry'>;
export type LoadedInventory = Loaded<'inventory'>;

/** By name, in the order of the file. */
export type LoadedEntries = {
  [Kind in ConfiguredKind as GroupOf<Kind>]: ReadonlyMap<string, Loaded<Kind>>;
};

/** What is active: the last valid reading. */
export interface LoadedConfig extends LoadedEntries {
  settings: Settings;
}

export function entriesOf<Kind extends ConfiguredKind>(
  entries: LoadedEntries,
  kind: Kind,
): ReadonlyMap<string, Loaded<Kind>> {
  return entries[groupOf(kind)] as ReadonlyMap<string, Loaded<Kind>>;
}

/** The entries of each kind, as `make` has them. */
export function loadedEntries(
  make: <Kind extends ConfiguredKind>(kind: Kind) => ReadonlyMap<string, Loaded<Kind>>,
): LoadedEntries {
  return byGroup<ReadonlyMap<string, Loaded>>(make) as LoadedEntries;
}

/** By group, then by name: a text for each entry. */
export type EntryTexts = Record<ConfigGroup, Record<string, string>>;

/**
 * What the user approved (rule: confirmed-binding): the canonical shape of each entry and policy setting, as JSON
 * text.
 */
export interface Confirmed extends EntryTexts {
  /** By setting: `lock`. */
  settings: Record<string, string>;
  /** By account: the program that its command resolved to. An account without one is bound at its first run. */
  programs: Record<string, BoundProgram>;
  /** The form to serve where config.yaml has changed since (approved-form.ts). A vault of an older Lanyard has none. */
  forms: EntryTexts;
}

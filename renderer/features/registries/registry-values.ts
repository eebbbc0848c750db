import { registry as registrySchema } from '../../../main/contract/config/registry.ts';
import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import { type ApprovalValues, approvalOf, policyText, textOf } from '../entries/approval-policy.ts';
import { type EntryRules, type Faults, schemaFaults } from '../entries/entry-rules.ts';

/** The fields as text. Empty if the entry doesn’t set them. */
export interface RegistryValues extends ApprovalValues {
  /** One pattern on each line. */
  matchImages: string;
  account: string;
  userName: string;
  audience: string;
  cacheDuration: string;
  calledAs: string;
  /** With commas between them. */
  tokenServers: string;
}

/** The form of an entry of config.yaml. Null: of a new one. */
export function valuesOf(entry: ConfigEntry | null): RegistryValues {
  const { matchImages, tokenServers } = entry ?? {};
  return {
    matchImages: Array.isArray(matchImages) ? matchImages.map(String).join('\n') : '',
    account: textOf(entry?.['account']),
    userName: textOf(entry?.['userName']),
    audience: textOf(entry?.['audience']),
    ...approvalOf(entry),
    cacheDuration: textOf(entry?.['cacheDuration']),
    calledAs: textOf(entry?.['calledAs']),
    tokenServers: Array.isArray(tokenServers) ? tokenServers.map(String).join(', ') : '',
  };
}

/**
 * The entry of a form, based on the entry before. Keys that the form doesn’t show stay. A policy of never is written
 * only where one was written before.
 */
export function entryOf(values: RegistryValues, before: ConfigEntry | null): ConfigEntry {
  const { approval: _, approvalFor: __, matchImages, tokenServers, ...rest } = values;
  const patterns = matchImages
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const entry: ConfigEntry = { ...before, matchImages: patterns };
  for (const [key, value] of Object.entries({ ...rest, approval: policyText(values) })) {
    const next = value.trim();
    if (next === '' || (key === 'approval' && next === 'never' && before?.['approval'] === undefined)) {
      delete entry[key];
    } else {
      entry[key] = next;
    }
  }
  const servers = tokenServers.split(/[\s,]+/).filter(Boolean);
  if (servers.length > 0) {
    entry['tokenServers'] = servers;
  } else {
    delete entry['tokenServers'];
  }
  return entry;
}

/** What the schema finds, with plain words for an empty list and a missing text. */
export function faultsOf(entry: ConfigEntry): Faults {
  return {
    ...schemaFaults(registrySchema, entry),
    ...(Array.isArray(entry['matchImages']) && entry['matchImages'].length === 0
      ? { matchImages: 'name at least one registry’s host' }
      : {}),
    ...(entry['account'] === undefined ? { account: 'choose an account' } : {}),
  };
}

export const registryRules: EntryRules<RegistryValues> = { valuesOf, entryOf, faultsOf };

import { registry as registrySchema } from '../../../main/contract/config/config.ts';
import type { ClusterEntry } from '../../../main/contract/ui/calls/cluster-editing.ts';

/** The fields as text. Empty if the entry doesn’t set them. */
export interface RegistryValues {
  /** One pattern on each line. */
  matchImages: string;
  account: string;
  userName: string;
  audience: string;
  /** `duration`: for as long as `approvalFor` says. */
  approval: 'never' | 'always' | 'perTerminal' | 'duration';
  approvalFor: string;
  cacheDuration: string;
  calledAs: string;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The form of an entry of config.yaml. Null: of a new one. */
export function valuesOf(entry: ClusterEntry | null): RegistryValues {
  const { approval = 'never', matchImages } = entry ?? {};
  const isNamed = approval === 'never' || approval === 'always' || approval === 'perTerminal';
  return {
    matchImages: Array.isArray(matchImages) ? matchImages.map(String).join('\n') : '',
    account: text(entry?.['account']),
    userName: text(entry?.['userName']),
    audience: text(entry?.['audience']),
    approval: isNamed ? approval : 'duration',
    approvalFor: isNamed ? '15m' : text(approval),
    cacheDuration: text(entry?.['cacheDuration']),
    calledAs: text(entry?.['calledAs']),
  };
}

/**
 * The entry of a form, based on the entry before. Keys that the form doesn’t show stay. A policy of never is written
 * only where one was written before.
 */
export function entryOf(values: RegistryValues, before: ClusterEntry | null): ClusterEntry {
  const { approval, approvalFor, matchImages, ...rest } = values;
  const patterns = matchImages
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const policy = approval === 'duration' ? approvalFor.trim() : approval;
  const entry: ClusterEntry = { ...before, matchImages: patterns };
  for (const [key, value] of Object.entries({ ...rest, approval: policy })) {
    const next = value.trim();
    if (next === '' || (key === 'approval' && next === 'never' && before?.['approval'] === undefined)) {
      delete entry[key];
    } else {
      entry[key] = next;
    }
  }
  return entry;
}

/** What the schema finds while the form is edited: the first fault of each field. */
export function faultsOf(entry: ClusterEntry): Readonly<Record<string, string>> {
  const parsed = registrySchema.safeParse(entry);
  const found: Record<string, string> = {};
  for (const { path, message } of parsed.success ? [] : parsed.error.issues) {
    found[String(path[0] ?? '')] ??= message;
  }
  // In place of the schema’s words for an empty list and a missing text.
  return {
    ...found,
    ...(Array.isArray(entry['matchImages']) && entry['matchImages'].length === 0
      ? { matchImages: 'name at least one registry’s host' }
      : {}),
    ...(entry['account'] === undefined ? { account: 'choose an account' } : {}),
  };
}

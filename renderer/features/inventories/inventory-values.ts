import { inventory as inventorySchema } from '../../../main/contract/config/inventory.ts';
import type { ConfigEntry } from '../../../main/contract/ui/calls/entries.ts';
import { textOf } from '../entries/approval-policy.ts';
import { type EntryRules, type Faults, schemaFaults } from '../entries/entry-rules.ts';

/** A provider as the form shows it. `kept`: its entry, whose other keys stay. */
export interface ProviderValues {
  name: string;
  account: string;
  kept: ConfigEntry;
}

/** The fields as text. Empty if the entry doesn’t set them. */
export interface InventoryValues {
  source: 'hub' | 'files';
  cluster: string;
  /** With commas or spaces between them. */
  namespaces: string;
  labelSelector: string;
  /** One on each line. */
  files: string;
  providers: readonly ProviderValues[];
  /** One on each line. */
  servers: string;
  select: string;
  contextName: string;
  contexts: string;
  trusted: boolean;
}

/** The form of an entry of config.yaml. Null: of a new one. */
export function valuesOf(entry: ConfigEntry | null): InventoryValues {
  const { namespaces, files, providers, servers, contexts } = entry ?? {};
  return {
    source: Array.isArray(files) ? 'files' : 'hub',
    cluster: textOf(entry?.['cluster']),
    namespaces: textsOf(namespaces).join(', '),
    labelSelector: textOf(entry?.['labelSelector']),
    files: textsOf(files).join('\n'),
    providers:
      Array.isArray(providers) && providers.length > 0
        ? providers.map((provider) => providerOf(provider as ConfigEntry))
        : [providerOf({})],
    servers: textsOf(servers).join('\n'),
    select: textOf(entry?.['select']),
    contextName: textOf(entry?.['contextName']),
    contexts: typeof contexts === 'number' ? String(contexts) : textOf(contexts),
    trusted: entry?.['trusted'] === true,
  };
}

export function providerOf(kept: ConfigEntry): ProviderValues {
  return { name: textOf(kept['name']), account: textOf(kept['account']), kept };
}

/** The entry of a form, based on the entry before. Keys that the form doesn’t show stay. */
export function entryOf(values: InventoryValues, before: ConfigEntry | null): ConfigEntry {
  const isHub = values.source === 'hub';
  const said: Record<string, ConfigEntry[string] | undefined> = {
    cluster: isHub ? some(values.cluster.trim()) : undefined,
    namespaces: isHub ? some(values.namespaces.split(/[\s,]+/).filter(Boolean)) : undefined,
    labelSelector: isHub ? some(values.labelSelector.trim()) : undefined,
    files: isHub ? undefined : some(linesOf(values.files)),
    providers: values.providers.map(({ name, account, kept }) => ({ ...kept, name: name.trim(), account })),
    servers: some(linesOf(values.servers)),
    select: some(values.select.trim()),
    contextName: some(values.contextName.trim()),
    contexts: countOf(values.contexts.trim()),
    trusted: values.trusted || before?.['trusted'] !== undefined ? values.trusted : undefined,
  };
  const entry: ConfigEntry = { ...before };
  for (const [key, value] of Object.entries(said)) {
    if (value === undefined) {
      delete entry[key];
    } else {
      entry[key] = value;
    }
  }
  return entry;
}

/** What the schema finds, with plain words for what is missing. */
export function faultsOf(entry: ConfigEntry, { source, providers }: InventoryValues): Faults {
  const names = providers.map(({ name }) => name.trim());
  return {
    ...schemaFaults(inventorySchema, entry),
    ...(typeof entry['contexts'] === 'string' ? { contexts: 'expected a number, such as 200' } : {}),
    ...(source === 'hub' && entry['cluster'] === undefined ? { cluster: 'choose the hub’s cluster' } : {}),
    ...(source === 'files' && entry['files'] === undefined ? { files: 'name a file or folder' } : {}),
    ...(new Set(names).size < names.length ? { providers: 'name each provider once' } : {}),
    ...(providers.some(({ account }) => account === '')
      ? { providers: 'choose an account for each provider' }
      : {}),
    ...(names.includes('') ? { providers: 'name each provider, as profiles do' } : {}),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function some<Value extends string | string[]>(value: Value): Value | undefined {
  return value.length === 0 ? undefined : value;
}

/** A text that is no number stays one, which is a fault. */
function countOf(text: string): number | string | undefined {
  return text === '' ? undefined : /^\d+$/.test(text) ? Number(text) : text;
}

export const inventoryRules: EntryRules<InventoryValues> = { valuesOf, entryOf, faultsOf };

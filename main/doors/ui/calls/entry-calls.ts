import { BrokerError } from '../../../contract/broker-error.ts';
import type { ConfigEntry, EntryKind } from '../../../contract/ui/calls/entries.ts';
import type { PendingChange } from '../../../domain/approval/binding.ts';
import type { ConfigEntries } from '../../../operations/config-entries.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { UiHandlers } from '../handlers.ts';
import { pathsElsewhere } from './paths-elsewhere.ts';
import { mustHaveVault } from './vault-made.ts';

export interface EntryCallsDeps {
  entries: Readonly<Record<EntryKind, ConfigEntries>>;
  config: { file: string };
  /** Throws while the vault isn't open. */
  bindings: { pending(what: EntryKind, name: string): PendingChange | null };
  vault: Pick<Vault, 'state'>;
}

type Names = Extract<keyof UiHandlers, `entry.${string}`>;

/** Edits clusters and registries in config.yaml. What a page sets is pending until the user approves it (rule: confirmed-binding). */
export function createEntryCalls({
  entries,
  config,
  bindings,
  vault,
}: EntryCallsDeps): Pick<UiHandlers, Names> {
  return {
    'entry.config': async ({ kind, name }) => {
      const entry = await entries[kind].read(name);
      const held = vault.state().kind === 'open' ? bindings.pending(kind, name) : null;
      return {
        // As YAML reads it: a valid entry has no value that JSON can’t represent.
        entry: entry as ConfigEntry,
        file: config.file,
        held: held && { change: held.change, served: held.served, lines: held.lines },
      };
    },
    'entry.check': async ({ kind, name, entry, isNew }) => {
      const elsewhere = pathsElsewhere(entry);
      // Not read, so that a page can’t learn whether it exists.
      return {
        problems: elsewhere.length > 0 ? elsewhere : await entries[kind].check(name, entry, isNew),
      };
    },
    'entry.set': async ({ kind, name, entry, isNew }) => {
      mustHaveVault(vault);
      const [elsewhere] = pathsElsewhere(entry);
      if (elsewhere) {
        // Pending changes are read, too, to be shown and checked.
        throw new BrokerError(`${kind}.path`, elsewhere.message, { reason: 'usage' });
      }
      return entries[kind].set(name, entry, isNew, { kind: 'asking' });
    },
    'entry.setApproval': async ({ kind, names, approval }) => {
      mustHaveVault(vault);
      return entries[kind].setApproval(names, approval);
    },
    'entry.remove': async ({ kind, names }) => ({ undo: await entries[kind].remove(names) }),
    'entry.putBack': ({ kind, undo }) => entries[kind].putBack(undo),
  };
}

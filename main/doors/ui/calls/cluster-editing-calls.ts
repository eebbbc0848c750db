import type { ClusterEntry } from '../../../contract/ui/calls/cluster-editing.ts';
import type { PendingChange } from '../../../domain/approval/binding.ts';
import type { ConfigEntries } from '../../../operations/config-entries.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { UiHandlers } from '../handlers.ts';
import { mustHaveVault } from './vault-made.ts';

export interface ClusterEditingCallsDeps {
  clusterEntries: ConfigEntries;
  config: { file: string };
  /** Throws while the vault isn't open. */
  bindings: { pending(what: 'cluster', name: string): PendingChange | null };
  vault: Pick<Vault, 'state'>;
}

type Names = 'cluster.config' | 'cluster.check' | 'cluster.set' | 'cluster.remove' | 'cluster.putBack';

/** Edits clusters in config.yaml. What a page sets is pending until the user approves it (rule: confirmed-binding). */
export function createClusterEditingCalls({
  clusterEntries,
  config,
  bindings,
  vault,
}: ClusterEditingCallsDeps): Pick<UiHandlers, Names> {
  return {
    'cluster.config': async ({ cluster }) => {
      const entry = await clusterEntries.read(cluster);
      const held = vault.state().kind === 'open' ? bindings.pending('cluster', cluster) : null;
      return {
        // As YAML reads it: a valid entry has no value that JSON can’t represent.
        entry: entry as ClusterEntry,
        file: config.file,
        held: held && { change: held.change, served: held.served, lines: held.lines },
      };
    },
    'cluster.check': async ({ cluster, entry, isNew }) => ({
      problems: await clusterEntries.check(cluster, entry, isNew),
    }),
    'cluster.set': async ({ cluster, entry, isNew }) => {
      mustHaveVault(vault);
      return clusterEntries.set(cluster, entry, isNew, { kind: 'asking' });
    },
    'cluster.remove': async ({ cluster }) => ({ undo: await clusterEntries.remove(cluster) }),
    'cluster.putBack': async ({ undo }) => {
      const { name, held } = await clusterEntries.putBack(undo);
      return { cluster: name, held };
    },
  };
}

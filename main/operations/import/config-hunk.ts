import { stringify } from 'yaml';
import { saidOf } from '../../domain/import/index.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Hunk } from '../../kubeconfig/edit/change.ts';
import type { ConfigEdit } from '../../ports/config-store.ts';

/** What an import changes in config.yaml, as the user would write it; null: nothing. */
export function configHunk(
  edits: readonly ConfigEdit[],
  { accounts, clusters }: Pick<LoadedConfig, 'accounts' | 'clusters'>,
): Hunk | null {
  const added: Entries = { accounts: {}, clusters: {} };
  const removed: Entries = { accounts: {}, clusters: {} };
  for (const edit of edits) {
    if (!('value' in edit)) {
      continue;
    }
    const group = edit.kind === 'setAccount' ? 'accounts' : 'clusters';
    const cluster = clusters.get(edit.name)?.config;
    const was = group === 'accounts' ? accounts.get(edit.name)?.config : cluster && saidOf(cluster);
    if (JSON.stringify(was) !== JSON.stringify(edit.value)) {
      added[group][edit.name] = edit.value;
      if (was !== undefined) {
        removed[group][edit.name] = was;
      }
    }
  }
  const hunk = { oldLine: 1, newLine: 1, removed: linesOf(removed), added: linesOf(added) };
  return hunk.added.length === 0 ? null : hunk;
}

type Entries = Record<'accounts' | 'clusters', Record<string, unknown>>;

function linesOf(groups: Entries): string[] {
  const filled = Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0);
  return filled.length === 0
    ? []
    : stringify(Object.fromEntries(filled), { lineWidth: 0, aliasDuplicateObjects: false })
        .trimEnd()
        .split('\n');
}

import { stringify } from 'yaml';
import { byGroup, type ConfigGroup, groupOf } from '../../contract/config/config.ts';
import { saidOf } from '../../domain/import/index.ts';
import type { LoadedEntries } from '../../domain/loaded-config.ts';
import type { Hunk } from '../../kubeconfig/edit/change.ts';
import type { SetEdit } from '../../ports/config-store.ts';

/** What an import changes in config.yaml, as the user would write it; null: nothing. */
export function configHunk(edits: readonly SetEdit[], config: LoadedEntries): Hunk | null {
  const [added, removed]: [Entries, Entries] = [byGroup(() => ({})), byGroup(() => ({}))];
  for (const { what, name, value } of edits) {
    const group = groupOf(what);
    const before = config[group].get(name)?.config;
    const was = before && 'server' in before ? saidOf(before) : before;
    if (JSON.stringify(was) !== JSON.stringify(value)) {
      added[group][name] = value;
      if (was !== undefined) {
        removed[group][name] = was;
      }
    }
  }
  const hunk = { oldLine: 1, newLine: 1, removed: linesOf(removed), added: linesOf(added) };
  return hunk.added.length === 0 ? null : hunk;
}

type Entries = Record<ConfigGroup, Record<string, unknown>>;

function linesOf(groups: Entries): string[] {
  const filled = Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0);
  return filled.length === 0
    ? []
    : stringify(Object.fromEntries(filled), { lineWidth: 0, aliasDuplicateObjects: false })
        .trimEnd()
        .split('\n');
}

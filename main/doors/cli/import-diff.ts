import { stringify } from 'yaml';
import type { Hunk } from '../../kubeconfig/edit/change.ts';
import type { ConfigEdit } from '../../ports/config-store.ts';

/** What an import adds to config.yaml, as a person would write it. */
export function configHunk(edits: readonly ConfigEdit[]): Hunk {
  const entries = (kind: ConfigEdit['kind']) =>
    Object.fromEntries(
      edits.flatMap((edit) => (edit.kind === kind && 'value' in edit ? [[edit.name, edit.value]] : [])),
    );
  const groups = { accounts: entries('setAccount'), clusters: entries('setCluster') };
  const filled = Object.entries(groups).filter(([, group]) => Object.keys(group).length > 0);
  const text = stringify(Object.fromEntries(filled), { lineWidth: 0, aliasDuplicateObjects: false });
  return { oldLine: 1, newLine: 1, removed: [], added: text.trimEnd().split('\n') };
}

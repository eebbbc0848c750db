import type { Bindings } from '../access/bindings.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';
import type { ConfigStore, EntryEdit } from '../ports/config-store.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault } from '../ports/vault.ts';

export interface EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'stated'>;
  bindings: Pick<Bindings, 'approve' | 'changesTo' | 'forget' | 'forgetAccount'>;
  vault: Pick<Vault, 'read' | 'state'>;
  recorder: Recorder;
}

/** Who makes the change (rule: confirmed-binding). `confirming` is for entries that are stated whole. */
export type EditedBy =
  /** A person where a change counts as confirmed: a terminal. `programs`: what they were shown of a plugin's. */
  | { kind: 'confirming'; programs?: SeenPrograms | undefined }
  /** A page, or a program without a terminal: what it sets is held until a person confirms it. */
  | { kind: 'asking' };

/**
 * Writes one change into config.yaml, and says whether it is held until a person confirms it (rule: confirmed-binding).
 * With an account goes what the vault has of it. Throws `vault.locked` before anything is written where a confirmation
 * could not be kept, and `vault.none` where no vault knows what was approved: what is pending must not be there when
 * one is made, which approves what it finds.
 */
export async function editConfig(
  edit: EntryEdit,
  by: EditedBy,
  { config, bindings, vault, recorder }: EditConfigDeps,
): Promise<{ held: boolean }> {
  // What is gone hands nothing out: its removal needs nobody's word.
  const removes = edit.kind === 'removeAccount' || edit.kind === 'removeCluster';
  const confirms = removes || by.kind === 'confirming';
  if (confirms || vault.state().kind !== 'locked') {
    vault.read();
  }
  await config.edit([edit]);
  recorder.record({ kind: 'change', what: changeNames[edit.kind], name: edit.name });
  if (!confirms) {
    return { held: true };
  }
  if (edit.kind === 'removeAccount') {
    await bindings.forgetAccount(edit.name);
  } else if (edit.kind === 'removeCluster') {
    await bindings.forget([{ what: 'cluster', name: edit.name }]);
  } else {
    // What was stated is approved, not what the file says by now: another program may have written there, too.
    const programs = by.kind === 'confirming' ? by.programs : undefined;
    await bindings.approve({ changes: bindings.changesTo(await config.stated([edit])), programs });
  }
  return { held: false };
}

const changeNames: Readonly<Record<EntryEdit['kind'], string>> = {
  setAccount: 'account.add',
  removeAccount: 'account.remove',
  setCluster: 'cluster.add',
  removeCluster: 'cluster.remove',
};

/** Leaves out what was not given, so that config.yaml says only what the person said. */
export function given<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

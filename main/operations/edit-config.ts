import type { Bindings } from '../access/bindings.ts';
import { entriesOf } from '../domain/loaded-config.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';
import type { ConfigStore, EntryEdit, LoadedConfig, SetKeyEdit } from '../ports/config-store.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault } from '../ports/vault.ts';

export interface EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'stated'>;
  bindings: Pick<Bindings, 'approve' | 'changesTo' | 'forget' | 'forgetAccount'>;
  vault: Pick<Vault, 'read' | 'state'>;
  recorder: Recorder;
}

/** Who makes the change (rule: confirmed-binding). `confirming` is for entries that are given in full. */
export type EditedBy =
  /** The user, where a change counts as approved: a terminal. `programs`: what they were shown of a plugin's. */
  | { kind: 'confirming'; programs?: SeenPrograms | undefined }
  /** A page, or a program without a terminal: its changes are pending until the user approves them. */
  | { kind: 'asking' };

/** Writes one change into config.yaml, as `editEntries` does several. */
export function editConfig(edit: EntryEdit, by: EditedBy, deps: EditConfigDeps): Promise<{ held: boolean }> {
  return editEntries([edit], by, deps);
}

/**
 * Makes changes of config.yaml in one write, and says whether they are pending (rule: confirmed-binding). With an
 * account, what the vault has of it is removed. They all remove, or none does. Throws as `checkVault` does before
 * anything is written.
 */
export async function editEntries(
  edits: readonly EntryEdit[],
  by: EditedBy,
  { config, bindings, vault, recorder }: EditConfigDeps,
): Promise<{ held: boolean }> {
  // Nothing is issued for a removed entry: its removal needs no approval.
  const removes = edits.every(({ kind }) => kind === 'remove');
  const confirms = removes || by.kind === 'confirming';
  checkVault(vault, confirms);
  await config.edit(edits);
  for (const { what, name } of edits) {
    recorder.record({ kind: 'change', what: `${what}.${removes ? 'remove' : 'add'}`, name });
  }
  if (!confirms) {
    return { held: true };
  }
  if (removes) {
    const others = edits.filter(({ what }) => what !== 'account');
    for (const { name } of edits.filter(({ what }) => what === 'account')) {
      await bindings.forgetAccount(name);
    }
    if (others.length > 0) {
      await bindings.forget(others);
    }
  } else {
    // What was stated is approved, not what the file says by now: another program may have written there, too.
    const programs = by.kind === 'confirming' ? by.programs : undefined;
    const stated = await config.stated(edits);
    await bindings.approve({ changes: bindings.changesTo(stated), programs });
    return { held: edits.some(({ what, name }) => !entriesOf(stated, what).has(name)) };
  }
  return { held: false };
}

/**
 * Sets keys of entries in one write, whatever else an earlier one has changed of them: pending, as what a page changes.
 * `edits` is given what the file has for this write, as in `ConfigStore.edit`.
 */
export async function setKeys(
  edits: (now: LoadedConfig) => readonly SetKeyEdit[],
  { config, vault, recorder }: Pick<EditConfigDeps, 'config' | 'vault' | 'recorder'>,
): Promise<void> {
  checkVault(vault, false);
  let made: readonly SetKeyEdit[] = [];
  await config.edit((now) => {
    made = edits(now);
    return made;
  });
  for (const { what, name } of made) {
    recorder.record({ kind: 'change', what: `${what}.add`, name });
  }
}

/**
 * Throws `vault.locked` where an approval could not be stored, and `vault.none` where no vault knows what was approved: a
 * pending change must not be there when one is made, which approves what it finds.
 */
function checkVault(vault: EditConfigDeps['vault'], confirms: boolean): void {
  if (confirms || vault.state().kind !== 'locked') {
    vault.read();
  }
}

/** Leaves out what was not given, so that config.yaml has only what the user gave. */
export function given<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

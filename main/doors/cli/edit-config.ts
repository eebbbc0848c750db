import { resolve } from 'node:path';
import type { SeenPrograms } from '../../bindings.ts';
import type { ConfigEdit, ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';
import type { CommandCall } from './command.ts';

export interface EditDeps {
  config: Pick<ConfigStore, 'edit' | 'file' | 'current'>;
  bindings: { confirm(what: 'account' | 'cluster', name: string, programs?: SeenPrograms): Promise<void> };
  vault: Pick<Vault, 'read'>;
  recorder: Recorder;
}

/**
 * Writes a person's change into config.yaml. On a terminal that is a confirmation (rule 8); without one the
 * change is held like any that comes from outside. Gives what to tell the person about that, if anything. Throws
 * `vault.locked` before anything is written where the confirmation could not be kept. `programs`: what the person was
 * shown of a plugin's.
 */
export async function editConfig(
  call: CommandCall,
  edit: ConfigEdit,
  deps: EditDeps,
  programs?: SeenPrograms,
): Promise<string> {
  // What is gone hands nothing out: its removal needs nobody's word.
  const removes = edit.kind === 'removeAccount' || edit.kind === 'removeCluster';
  const confirms = removes || call.terminal.canPrompt;
  if (confirms) {
    deps.vault.read();
  }
  await deps.config.edit([edit]);
  deps.recorder.record({ kind: 'change', what: changeNames[edit.kind], name: edit.name });
  if (!confirms) {
    return '\nhint: there is no terminal here, so the change is held until a person runs: lanyard confirm';
  }
  const isAccount = edit.kind === 'setAccount' || edit.kind === 'removeAccount';
  await deps.bindings.confirm(isAccount ? 'account' : 'cluster', edit.name, programs);
  return '';
}

const changeNames: Readonly<Record<ConfigEdit['kind'], string>> = {
  setAccount: 'account.add',
  removeAccount: 'account.remove',
  setCluster: 'cluster.add',
  removeCluster: 'cluster.remove',
};

/** A path on the command line is meant against the caller's folder, the one in config.yaml stays put. */
export function pathOption(call: Pick<CommandCall, 'cwd'>, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(call.cwd, path);
}

/** Leaves out what was not given, so that config.yaml says only what the person said. */
export function given<T extends Record<string, unknown>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

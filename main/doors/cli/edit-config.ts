import { resolve } from 'node:path';
import type { SeenPrograms } from '../../bindings.ts';
import { type EditConfigDeps, editConfig as edit } from '../../operations/edit-config.ts';
import type { ConfigStore, EntryEdit } from '../../ports/config-store.ts';
import type { CommandCall } from './command.ts';

export { given } from '../../operations/edit-config.ts';

export interface EditDeps extends EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'file' | 'current'>;
}

/**
 * Writes a person's change into config.yaml. On a terminal that is a confirmation (rule 8); without one the
 * change is held like any that comes from outside. Gives what to tell the person about that, if anything.
 * `programs`: what the person was shown of a plugin's.
 */
export async function editConfig(
  call: CommandCall,
  change: EntryEdit,
  deps: EditDeps,
  programs?: SeenPrograms,
): Promise<string> {
  const by = call.terminal.canPrompt
    ? ({ kind: 'confirming', programs } as const)
    : ({ kind: 'asking' } as const);
  const { held } = await edit(change, by, deps);
  return held
    ? '\nhint: there is no terminal here, so the change is held until a person runs: lanyard confirm'
    : '';
}

/** A path on the command line is meant against the caller's folder, the one in config.yaml stays put. */
export function pathOption(call: Pick<CommandCall, 'cwd'>, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(call.cwd, path);
}

import { resolve } from 'node:path';
import { exitCodes } from '../../contract/exit-codes.ts';
import type { SeenPrograms } from '../../domain/program/program-check.ts';
import { type EditConfigDeps, editConfig as edit } from '../../operations/edit-config.ts';
import type { ConfigStore, EntryEdit } from '../../ports/config-store.ts';
import type { DoorAnswer } from '../../ports/door.ts';
import { type CommandCall, done, json } from './command.ts';

export { given } from '../../operations/edit-config.ts';

export interface EditDeps extends EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'stated' | 'file' | 'current'>;
}

/**
 * Writes a user's change into config.yaml. On a terminal that is an approval (rule: confirmed-binding); without one
 * the change is pending approval like any that comes from outside. `programs`: what the user was shown of a plugin's.
 */
export async function editConfig(
  call: CommandCall,
  change: EntryEdit,
  deps: EditDeps,
  programs?: SeenPrograms,
): Promise<{ held: boolean }> {
  const by = call.terminal.canPrompt
    ? ({ kind: 'confirming', programs } as const)
    : ({ kind: 'asking' } as const);
  return edit(change, by, deps);
}

/**
 * The end of a command that added `what`: the next step, or for what is pending that it has no effect yet, with its own
 * exit code, so that a script notices.
 */
export function addedAnswer(what: string, next: string, { held }: { held: boolean }): DoorAnswer {
  return held
    ? {
        code: exitCodes.pending,
        stderr: `Saved the ${what}, pending approval: there is no terminal here on which to approve.\nhint: on a terminal, run: lanyard confirm\n`,
      }
    : done(undefined, `Added the ${what}. Next: ${next}`);
}

/** The same for programs: `answer` as JSON, with `pending` in it. */
export function addedJson(answer: object, { held }: { held: boolean }): DoorAnswer {
  return {
    ...done(json({ ...answer, pending: held })),
    code: held ? exitCodes.pending : exitCodes.good,
  };
}

/** How a cluster is given an account's credential. */
export function clusterAddLine(account: string): string {
  return `lanyard cluster add NAME --server URL --account ${account}`;
}

/** How a registry is given an account's credential. */
export function registryAddLine(account: string): string {
  return `lanyard registry add NAME --match-image PATTERN --account ${account}`;
}

/** A path on the command line is meant against the caller's folder, the one in config.yaml stays put. */
export function pathOption(call: Pick<CommandCall, 'cwd'>, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(call.cwd, path);
}

import type { ProgramFacts, ProgramsOf } from '../../domain/program/program.ts';
import { createFileDigests } from '../../platform/programs/file-digests.ts';
import { programFacts } from '../../platform/programs/program-facts.ts';
import type { IsWrittenByOthers } from '../../platform/programs/rules/windows-writers.ts';

/** The programs that commands resolve to, each checked once: a new plan after a No has what was shown. */
export interface ProgramInspections {
  /** Checks all of these that were not checked yet. */
  inspect(commands: Iterable<CommandAt>): Promise<void>;
  /** What was found; null: not checked. */
  readonly of: ProgramsOf;
}

export interface CommandAt {
  command: string;
  /** Null: an absolute command needs none. */
  searchPath: string | null;
}

export function createProgramInspections(isWrittenByOthers?: IsWrittenByOthers): ProgramInspections {
  const digests = createFileDigests();
  const found = new Map<string, ProgramFacts>();
  // An absolute command leads to the same in every search path.
  const keyOf = ({ command, searchPath }: CommandAt) =>
    /[/\\]/.test(command) ? command : `${searchPath ?? ''}\n${command}`;
  return {
    async inspect(commands) {
      for (const each of commands) {
        const key = keyOf(each);
        if (!found.has(key)) {
          found.set(
            key,
            await programFacts(each.command, each.searchPath ?? '', { digests, isWrittenByOthers }),
          );
        }
      }
    },
    of: (command, searchPath) => found.get(keyOf({ command, searchPath })) ?? null,
  };
}

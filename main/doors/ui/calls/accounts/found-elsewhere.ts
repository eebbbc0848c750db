import { posix, win32 } from 'node:path';
import type { ProgramElsewhere } from '../../../../contract/ui/calls/accounts.ts';
import type { LoadedAccount } from '../../../../domain/loaded-config.ts';
import {
  isBareName,
  personalSearchPath,
  pluginSearchPath,
} from '../../../../domain/program/plugin-search-path.ts';
import { programOf } from '../../../../domain/program/program-of.ts';
import { visibleText } from '../../../../domain/text/visible-text.ts';
import type { findProgram } from '../../../../platform/programs/find-program.ts';

export interface FoundElsewhereDeps {
  findProgram: typeof findProgram;
  /** The broker’s own. */
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Where the account’s command is, if its search path lacks it, and the search path that would have it. Null: it is
 * found, or is nowhere. Whoever approves the account is shown the program itself (rule: confirmed-binding).
 */
export async function foundElsewhere(
  { config }: LoadedAccount,
  { findProgram: find, environment }: FoundElsewhereDeps,
): Promise<ProgramElsewhere | null> {
  const program = programOf(config);
  if (program === null || program.isLibrary || !isBareName(program.command)) {
    return null;
  }
  const own = pluginSearchPath(program);
  if ((await find(program.command, own)) !== null) {
    return null;
  }
  const found = await find(program.command, personalSearchPath(environment));
  if (found === null) {
    return null;
  }
  const path = process.platform === 'win32' ? win32 : posix;
  const folder = path.dirname(found.path);
  return { folder: visibleText(folder), searchPath: [folder, own].join(path.delimiter) };
}

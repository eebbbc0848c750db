import { posix } from 'node:path';
import type { ProgramFacts } from '../../domain/program/program.ts';
import { isOnAShare, isWholeOnWindows } from '../../domain/program/windows-program.ts';
import { candidates, type FindOptions, isRun, standsAt } from './find-program.ts';

export type LocatedProgram = { kind: 'program'; path: string } | Exclude<ProgramFacts, { kind: 'program' }>;

export interface LocateOptions extends FindOptions {
  platform: NodeJS.Platform;
  /** It is loaded, not run: it needs no permission for that. */
  isLibrary?: boolean;
}

/** Where a command leads: an absolute path, or a bare name in the folders of `searchPath`, as exec looks for it. */
export async function locateProgram(
  command: string,
  searchPath: string,
  options: LocateOptions,
): Promise<LocatedProgram> {
  const onWindows = options.platform === 'win32';
  if (onWindows && isOnAShare(command)) {
    return { kind: 'elsewhere', path: command }; // who looks at it logs in there
  }
  if (onWindows ? isWholeOnWindows(command) : posix.isAbsolute(command)) {
    return locateAt(command, options);
  }
  if (/^\.{0,2}$|[\0/]/.test(command) || (onWindows && /[\\:]/.test(command))) {
    return { kind: 'missing', path: null };
  }
  let other: LocatedProgram = { kind: 'missing', path: null };
  for (const candidate of candidates(command, searchPath, options.platform)) {
    const located = await locateAt(candidate, options);
    // What Windows doesn't run comes first for Go, too, which then fails: another program is not what was meant.
    if (located.kind === 'program' || located.kind === 'otherKind') {
      return located;
    }
    if (located.kind !== 'missing' && other.kind === 'missing') {
      other = located;
    }
  }
  return other;
}

async function locateAt(
  path: string,
  { platform, isLibrary = false, lookAt = standsAt }: LocateOptions,
): Promise<LocatedProgram> {
  const stands = await lookAt(path);
  const kind = isLibrary && stands === 'notExecutable' ? 'program' : stands;
  if (kind === 'program' && !isLibrary && !isRun(path, platform)) {
    return { kind: 'otherKind', path };
  }
  return kind === 'missing' ? { kind, path: null } : { kind, path };
}

import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Interpreter, OtherWriter, ProgramFacts } from '../../domain/program/program.ts';
import { isBatchFile } from '../../domain/program/windows-program.ts';
import { createFileDigests, type FileDigests } from './file-digests.ts';
import type { FindOptions } from './find-program.ts';
import { locateProgram } from './locate-program.ts';
import { readPeople } from './read-people.ts';
import { interpreterOf } from './rules/interpreter-line.ts';
import { otherWriters, type People } from './rules/other-writers.ts';
import { type IsWrittenByOthers, windowsWriters } from './rules/windows-writers.ts';
import { ownerOf, walkPath } from './walk-path.ts';

export interface ProgramFactsOptions extends FindOptions {
  /** Remembers digests; without it the program is read each time. */
  digests?: FileDigests | undefined;
  /** Null: the digest is not requested. */
  digest?: 'wanted' | null;
  /** This machine's users and groups, as its files have them without this. */
  people?: People | null;
  /** On Windows, which has no owners and modes as Unix has; without it nothing is told of writers there. */
  isWrittenByOthers?: IsWrittenByOthers | undefined;
  /** It is loaded, not run: it needs no permission for that. */
  isLibrary?: boolean;
}

/** Scripts that name scripts: Linux follows this many. */
const interpreterDepth = 4;
/** Linux looks for `#!` and what follows in so many bytes. */
const headBytes = 256;

/**
 * What `command` leads to: an absolute path, or a bare name that is looked for in the absolute folders of `searchPath`
 * (the text of PATH) as exec does. A path that isn't absolute is missing: it is made absolute where it is known what
 * it counts from. Throws the system's own errors alone (EIO).
 */
export async function programFacts(
  command: string,
  searchPath: string,
  options: ProgramFactsOptions = {},
): Promise<ProgramFacts> {
  const platform = options.platform ?? process.platform;
  const found = await locateProgram(command, searchPath, { ...options, platform });
  if (found.kind !== 'program') {
    return found;
  }
  const { path } = found;
  const people = options.people === undefined ? await readPeople(platform) : options.people;
  const digests = options.digests ?? createFileDigests();
  const sha256 = async (target: string) => (options.digest === null ? null : digests.of(target));
  if (people === null) {
    return windowsFacts(path, sha256, options);
  }
  const walked = await walkPath(path);
  if (walked === null) {
    return { kind: 'missing', path: null }; // it went meanwhile
  }
  const { target, facts } = walked;
  const { uid, mode } = ownerOf(target, facts);
  const { interpreter, writers } = await interpreters(target, people);
  return {
    kind: 'program',
    path,
    target,
    owner: { uid, name: people.userName(uid) },
    mode,
    size: Number(facts.size),
    sha256: await sha256(target),
    interpreter,
    writers: unique([...otherWriters(walked.steps, ownerOf(target, facts), people), ...writers]),
    ...kindOf(options),
  };
}

/** Nothing is told of owner and mode. */
async function windowsFacts(
  path: string,
  sha256: (target: string) => Promise<string | null>,
  { isWrittenByOthers, ...options }: ProgramFactsOptions,
): Promise<ProgramFacts> {
  const target = await realpath(path);
  const { size } = await stat(target);
  return {
    kind: 'program',
    path,
    target,
    owner: null,
    mode: null,
    size,
    sha256: await sha256(target),
    interpreter: null,
    writers: isWrittenByOthers ? windowsWriters([path, target], isWrittenByOthers) : null,
    ...kindOf(options),
    ...(isBatchFile(path) && { isBatch: true }),
  };
}

function kindOf({ isLibrary = false }: ProgramFactsOptions): { isLibrary?: true } {
  return isLibrary ? { isLibrary } : {};
}

/**
 * Who beside this user and root could put something else at an absolute path, as it was found; null where the system
 * doesn't tell (Windows). A path that leads to nothing is anybody's.
 */
export async function writersOf(
  path: string,
  { platform, people }: Pick<ProgramFactsOptions, 'platform' | 'people'> = {},
): Promise<readonly OtherWriter[] | null> {
  const known = people === undefined ? await readPeople(platform) : people;
  if (known === null) {
    return null;
  }
  const walked = await walkPath(path);
  return walked === null
    ? [{ path, who: 'everybody' }]
    : otherWriters(walked.steps, ownerOf(walked.target, walked.facts), known);
}

/** The first interpreter of a script, and who can write it or one that it names in turn. */
async function interpreters(
  target: string,
  people: People,
): Promise<{ interpreter: Interpreter | null; writers: OtherWriter[] }> {
  let interpreter: Interpreter | null = null;
  const writers: OtherWriter[] = [];
  let script = target;
  for (let depth = 0; depth < interpreterDepth; depth++) {
    const next = interpreterOf(await headOf(script));
    interpreter ??= next;
    if (next === null) {
      break;
    }
    if (!posix.isAbsolute(next.path)) {
      writers.push({ path: next.path, who: 'whoever chooses the folder that it is run in' });
      break;
    }
    const walked = await walkPath(next.path);
    if (walked === null) {
      interpreter = depth === 0 ? { ...next, isMissing: true } : interpreter;
      break;
    }
    writers.push(...otherWriters(walked.steps, ownerOf(walked.target, walked.facts), people));
    script = walked.target;
  }
  return { interpreter, writers };
}

/** Nothing where it can't be read: then the system can't run it as a script either. */
async function headOf(file: string): Promise<Buffer> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function unique(writers: readonly OtherWriter[]): OtherWriter[] {
  return [...new Map(writers.map((each) => [`${each.path}\n${each.who}`, each])).values()];
}

import { visibleText } from '../text/visible-text.ts';

/** A user, besides this one and root, who could replace this program. */
export interface OtherWriter {
  /** What they can write: the program, its interpreter, a link to it, or a folder above one of these. */
  path: string;
  /** `everybody`, `the group staff`, `the user mallory`. */
  who: string;
}

/** The program that a script names after `#!`. */
export interface Interpreter {
  path: string;
  /** `#!/usr/bin/env NAME`: the program that is looked up in PATH at each run. */
  searched: string | null;
  /** Nothing is at `path`, as when the line ends in a carriage return: the system can't run the script. */
  isMissing?: boolean;
}

/** A program that can be run, as it was at the check. */
export interface Program {
  kind: 'program';
  /** Absolute, as it was found: the folder of the search path and the name, or the requested path. */
  path: string;
  /** The final target of symbolic links. */
  target: string;
  /** Owner of the target; null where the system doesn't tell (Windows). */
  owner: { uid: number; name: string | null } | null;
  /** Permission bits of the target; null where the system doesn't tell. */
  mode: number | null;
  /** Bytes. */
  size: number;
  /** SHA-256 of the target in hex; null: it can't be read, is too large, or was not requested. */
  sha256: string | null;
  interpreter: Interpreter | null;
  /** Empty: no one else can. Null: the system doesn't tell (Windows). */
  writers: readonly OtherWriter[] | null;
  /** A PKCS#11 module, which is loaded, not run. */
  isLibrary?: boolean;
  /** On Windows: cmd.exe runs it. */
  isBatch?: boolean;
}

/**
 * Nothing that can be run. `path`: what is there instead; null: nothing by that name in the search path. `otherKind`:
 * Windows runs no files of such a name. `elsewhere`: on Windows, the path of another machine, which isn't looked at.
 */
export interface NoProgram {
  kind: 'missing' | 'notExecutable' | 'folder' | 'notAFile' | 'otherKind' | 'elsewhere';
  path: string | null;
}

/** What a command resolves to. */
export type ProgramFacts = Program | NoProgram;

/** What was found for a command in a search path; null: not checked. */
export type ProgramsOf = (command: string, searchPath: string | null) => ProgramFacts | null;

/** What users read for it, and for what is done with it. */
export function programWords({ isLibrary }: Pick<Program, 'isLibrary'>): {
  noun: 'module' | 'program';
  used: 'loaded' | 'run';
} {
  return isLibrary ? { noun: 'module', used: 'loaded' } : { noun: 'program', used: 'run' };
}

/** The owner in words: `root`, `uid 1234`, `you`. */
export function ownerText({ owner }: Pick<Program, 'owner'>): string {
  return owner === null ? 'unknown' : (owner.name ?? `uid ${owner.uid}`);
}

/** Who else can write, as a sentence's end: `everybody can write /opt/x`; null: no one, or unknown. */
export function writersText({ writers }: Pick<Program, 'writers'>): string | null {
  const first = writers?.[0];
  if (!first) {
    return null;
  }
  const more = (writers?.length ?? 0) - 1;
  return `${first.who} can write ${first.path}${more > 0 ? `, and ${more} more above or beside it` : ''}`;
}

/** Lines for the user who is about to approve it, or inspects it: its path, owner and digest. */
export function programLines(facts: ProgramFacts): string[] {
  const shown = (text: string) => visibleText(text, Infinity);
  if (facts.kind !== 'program') {
    return [noProgramText(facts)];
  }
  const { path, target, interpreter } = facts;
  const leads = target === path ? '' : ` -> ${shown(target)}`;
  const lines = [
    `${shown(path)}${leads}, owner ${shown(ownerText(facts))}, SHA-256 ${facts.sha256 ?? 'unknown'}`,
  ];
  if (interpreter?.isMissing) {
    lines.push(`it can’t be run: ${noInterpreterText(interpreter)}`);
  } else if (interpreter?.searched) {
    lines.push(`a script: ${shown(interpreter.searched)} is searched for in its PATH at each run`);
  }
  const writers = writersText(facts);
  if (writers !== null) {
    lines.push(`it will not be ${programWords(facts).used}: ${shown(writers)}`);
  }
  return lines;
}

/** Why a script can't be run although it exists. */
export function noInterpreterText({ path }: Interpreter): string {
  const why = path.endsWith('\r') ? ' (its lines end as on Windows)' : '';
  return `its first line names ${visibleText(path, Infinity)}, which is not there${why}`;
}

/** Why there is nothing to run. */
export function noProgramText({ kind, path }: NoProgram): string {
  const where = visibleText(path ?? '', Infinity);
  switch (kind) {
    case 'missing':
      return 'not there now';
    case 'notExecutable':
      return `${where} is not executable`;
    case 'folder':
      return `${where} is a folder`;
    case 'notAFile':
      return `${where} is not a file`;
    case 'otherKind':
      return `${where} is none of .exe, .com, .cmd and .bat, and Windows runs no others directly`;
    case 'elsewhere':
      return `${where} is on another machine`;
  }
}

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstalledEntry } from './entry.ts';
import type { Wanted, WantedFile } from './place.ts';

/** The names that the helper is called by: its own, kubectl’s for a plugin and for its completion, and docker’s. */
const names = [
  'lanyard',
  'kubectl-lanyard',
  'kubectl_complete-lanyard',
  'docker-credential-lanyard',
] as const;
/** The names that shells search for completion scripts, and the manual page. */
const besides = ['lanyard', '_lanyard', 'lanyard.fish', 'lanyard.1'] as const;

export type ToolEntry = Extract<InstalledEntry, { kind: 'link' | 'file' }>;

/** Whether an entry is one of the command line tools: the programs, their completions and the manual page. */
export function isTool(entry: InstalledEntry): entry is ToolEntry {
  const { kind, path } = entry;
  return isProgram(entry) || (kind === 'file' && besides.some((name) => name === nameOf(path)));
}

/** One of the programs: a link to the helper, or a copy of it. */
export function isProgram(entry: InstalledEntry): entry is ToolEntry {
  return (
    (entry.kind === 'link' || (entry.kind === 'file' && !isCompletion(entry.path))) &&
    names.some((name) => name === nameOf(entry.path).replace(/\.exe$/, ''))
  );
}

/** The folder of the installed programs; null: none are installed. */
export function folderOf(entries: readonly InstalledEntry[]): string | null {
  const found = entries.findLast(isProgram);
  return found ? dirname(found.path) : null;
}

export interface ProgramsDeps {
  platform: string;
  /** The path of the placed helper: the target of links. */
  helper: string;
  readHelper(): Promise<Uint8Array>;
}

/**
 * The programs of a folder. They are links, so that they are always as new as the helper. They are copies on Windows,
 * where a link needs a right that users don’t have, and where Lanyard has made a copy before.
 */
export async function wantedPrograms(
  bin: string,
  entries: readonly InstalledEntry[],
  deps: ProgramsDeps,
): Promise<Wanted[]> {
  const isWindows = deps.platform === 'win32';
  const wanted: Wanted[] = [];
  for (const name of names) {
    const path = join(bin, isWindows ? `${name}.exe` : name);
    const isCopy = isWindows || entries.some((entry) => entry.path === path && entry.kind === 'file');
    wanted.push(isCopy ? await copyOf(path, deps) : { kind: 'link', path, target: deps.helper });
  }
  return wanted;
}

/** A copy instead of a link, where links are not possible. */
export async function copyOf(path: string, deps: Pick<ProgramsDeps, 'readHelper'>): Promise<WantedFile> {
  return { kind: 'file', path, content: await deps.readHelper(), executable: true };
}

/** The first folder that this process can write to, or make; else the first. */
export async function chooseFolder(folders: readonly [string, ...string[]]): Promise<string> {
  for (const folder of folders) {
    if (await canWrite(folder)) {
      return folder;
    }
  }
  return folders[0];
}

async function canWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(folder) !== folder && canWrite(dirname(folder));
  }
}

/** bash searches for a completion by the program’s own name. */
function isCompletion(path: string): boolean {
  return nameOf(dirname(path)) === 'completions';
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}

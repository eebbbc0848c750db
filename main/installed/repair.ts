import { dirname } from 'node:path';
import type { InstalledEntry } from './entry.ts';
import { inspectPath, isAsMade } from './inspect-path.ts';
import { type Shell, shells } from './install-plan.ts';
import type { InstallDeps } from './install-tools.ts';
import { place, type Wanted } from './place.ts';
import { isAside } from './place-program.ts';
import { folderOf, isProgram, isTool, type ToolEntry, wantedPrograms } from './programs.ts';
import { removeEntry } from './remove-entry.ts';

/**
 * Makes again what an older Lanyard installed and no one changed: a link to the helper’s old path, a copy of an older
 * helper, its completions and its page. What the user changed or removed is left. Also installs a name that is new in
 * this version beside the others, and removes programs that were put aside and run no more. Returns the paths that it made.
 */
export async function repairTools(deps: InstallDeps): Promise<string[]> {
  const repaired: string[] = [];
  for (const entry of (await deps.ledger.entries()).filter(({ path }) => isAside(path))) {
    await removeEntry(entry, deps.ledger);
  }
  const entries = await deps.ledger.entries();
  let isInUse = false;
  for (const entry of entries.filter(isTool)) {
    const found = await inspectPath(entry.path);
    // Two in `made` and an empty path: it was killed between removing the old one and making the new one.
    const isOurs = isAsMade(entry, found) || (found.kind === 'nothing' && entry.made.length > 1);
    isInUse ||= isOurs && isProgram(entry);
    const wanted = isOurs ? await wantedNow(entry, deps) : null;
    if (wanted && ['made', 'replaced'].includes((await place(wanted, deps)).kind)) {
      repaired.push(entry.path);
    }
  }
  for (const wanted of isInUse ? await newNames(entries, deps) : []) {
    if ((await place(wanted, deps)).kind === 'made') {
      repaired.push(wanted.path);
    }
  }
  return repaired;
}

/** Programs of this Lanyard that the list has never named: one that the user removed stays on it. */
async function newNames(entries: readonly InstalledEntry[], deps: InstallDeps): Promise<Wanted[]> {
  const folder = folderOf(entries);
  const all = folder === null ? [] : await wantedPrograms(folder, entries, deps);
  return all.filter(({ path }) => !entries.some((entry) => entry.path === path));
}

async function wantedNow(entry: ToolEntry, deps: InstallDeps): Promise<Wanted | null> {
  const { path } = entry;
  if (isProgram(entry)) {
    const all = await wantedPrograms(dirname(path), [entry], deps);
    return all.find((each) => each.path === path) ?? null;
  }
  const shell = shellOf(path);
  const text = shell ? await deps.completion(shell) : await deps.manPage();
  return text === null ? null : { kind: 'file', path, content: Buffer.from(text) };
}

/** The shell of a completion script; null: it is the manual page. */
function shellOf(path: string): Shell | null {
  const name = path.slice(dirname(path).length + 1);
  const files: Readonly<Record<Shell, string>> = { bash: 'lanyard', zsh: '_lanyard', fish: 'lanyard.fish' };
  return shells.find((shell) => files[shell] === name) ?? null;
}

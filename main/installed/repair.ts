import { dirname } from 'node:path';
import { inspectPath, isAsMade } from './inspect-path.ts';
import { type Shell, shells } from './install-plan.ts';
import type { InstallDeps } from './install-tools.ts';
import { place, type Wanted } from './place.ts';
import { isProgram, isTool, type ToolEntry, wantedPrograms } from './programs.ts';

/**
 * Makes anew what an older Lanyard put there and is still as it made it: a link to where the helper was, a copy of an
 * older one, its completions and its page. What a person changed or removed is left. Gives the paths it made anew.
 */
export async function repairTools(deps: InstallDeps): Promise<string[]> {
  const repaired: string[] = [];
  for (const entry of (await deps.ledger.entries()).filter(isTool)) {
    const found = await inspectPath(entry.path);
    // Two of `made` and nothing there: it was killed between taking the old one away and making the new one.
    const isOurs = isAsMade(entry, found) || (found.kind === 'nothing' && entry.made.length > 1);
    const wanted = isOurs ? await wantedNow(entry, deps) : null;
    if (wanted && ['made', 'replaced'].includes((await place(wanted, deps)).kind)) {
      repaired.push(entry.path);
    }
  }
  return repaired;
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

/** Whose completion script lies there; null: it is the manual page. */
function shellOf(path: string): Shell | null {
  const name = path.slice(dirname(path).length + 1);
  const files: Readonly<Record<Shell, string>> = { bash: 'lanyard', zsh: '_lanyard', fish: 'lanyard.fish' };
  return shells.find((shell) => files[shell] === name) ?? null;
}

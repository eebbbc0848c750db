import { findProgram } from '../platform/programs/find-program.ts';
import {
  binFolders,
  type InstallEnvironment,
  type InstallPlaces,
  installPlaces,
  ownShell,
  type Shell,
  shells,
} from './install-plan.ts';
import { noLinks, type PlaceDeps, type Placed, place, type Wanted, wouldPlace } from './place.ts';
import { chooseFolder, copyOf, folderOf, type ProgramsDeps, wantedPrograms } from './programs.ts';

export interface InstallDeps extends PlaceDeps, ProgramsDeps {
  /** The completion script of a shell; null where there is none to be had. */
  completion(shell: Shell): Promise<string | null>;
  /** The manual page; null where this Lanyard came without one. */
  manPage(): Promise<Uint8Array | null>;
}

export interface InstallOptions {
  environment: InstallEnvironment;
  /** Absolute; without it where they are already, else the person's own folder of programs. */
  into?: string | undefined;
  dryRun: boolean;
}

export interface Installed {
  path: string;
  outcome: Placed | { kind: 'failed'; what: string };
}

export interface InstallReport {
  places: InstallPlaces;
  shell: Shell | null;
  items: readonly Installed[];
  /** What could not be made at all, for people. */
  missing: readonly string[];
}

/** Programs, completions and the manual page for one caller. Each thing by itself: what fails doesn't stop the rest. */
export async function installTools(options: InstallOptions, deps: InstallDeps): Promise<InstallReport> {
  const { environment } = options;
  const places = await placesFor(options, deps);
  const shell = ownShell(environment);
  const missing: string[] = [];
  const wanted = await wantedPrograms(places.bin, await deps.ledger.entries(), deps);
  for (const each of shells) {
    const path = places.completion(each);
    if (path === null || (each !== shell && !(await findProgram(each, environment['PATH'] ?? '')))) {
      continue;
    }
    const script = await deps.completion(each);
    if (script === null) {
      missing.push(`the helper has no completion for ${each}`);
    } else {
      wanted.push({ kind: 'file', path, content: Buffer.from(script) });
    }
  }
  if (places.manPage !== null) {
    const page = await deps.manPage();
    if (page === null) {
      missing.push('this Lanyard came without its manual page');
    } else {
      wanted.push({ kind: 'file', path: places.manPage, content: page });
    }
  }
  const items: Installed[] = [];
  for (const each of wanted) {
    items.push({ path: each.path, outcome: await attempt(each, options.dryRun, deps) });
  }
  return { places, shell, items, missing };
}

/** Where an installation puts things. Throws BrokerError `install.home` (reason usage). */
export async function placesFor(
  { environment, into }: Pick<InstallOptions, 'environment' | 'into'>,
  { platform, ledger }: Pick<InstallDeps, 'platform' | 'ledger'>,
): Promise<InstallPlaces> {
  const bin =
    into ?? folderOf(await ledger.entries()) ?? (await chooseFolder(binFolders(environment, platform)));
  return installPlaces(environment, platform, bin);
}

async function attempt(wanted: Wanted, dryRun: boolean, deps: InstallDeps): Promise<Installed['outcome']> {
  try {
    return await (dryRun ? wouldPlace(wanted, deps.ledger) : place(wanted, deps));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code.includes('.')) {
      // A list that can't be written or read ends it: nothing may be made that it doesn't know.
      throw error;
    }
    if (wanted.kind === 'link' && noLinks.has(code)) {
      return attempt(await copyOf(wanted.path, deps), dryRun, deps);
    }
    return { kind: 'failed', what: code };
  }
}

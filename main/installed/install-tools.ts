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
  /** The completion script of a shell; null where there is none. */
  completion(shell: Shell): Promise<string | null>;
  /** The manual page; null where this build has none. */
  manPage(): Promise<Uint8Array | null>;
}

export interface InstallOptions {
  environment: InstallEnvironment;
  /** Absolute path. By default the folder of an earlier installation, else the user’s first folder for programs. */
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
  /** What could not be made, in words for the user. */
  missing: readonly string[];
}

/**
 * Installs programs, completions and the manual page for one caller. Where one fails, the others are still installed.
 */
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

/** The folders of an installation. Throws BrokerError `install.home` (reason usage). */
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
      // Without the list nothing may be made: stop here.
      throw error;
    }
    if (wanted.kind === 'link' && noLinks.has(code)) {
      return attempt(await copyOf(wanted.path, deps), dryRun, deps);
    }
    return { kind: 'failed', what: code };
  }
}

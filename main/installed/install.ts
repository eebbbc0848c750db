import { posix } from 'node:path';
import { findProgram } from '../programs/find-program.ts';
import {
  type InstallEnvironment,
  type InstallPlaces,
  installPlaces,
  linkNames,
  ownShell,
  type Shell,
  shells,
} from './install-plan.ts';
import { type PlaceDeps, type Placed, place, type Wanted, wouldPlace } from './place.ts';

export interface InstallDeps extends PlaceDeps {
  /** The helper's stable place: what the links name. */
  helper: string;
  /** The completion script of a shell; null where there is none to be had. */
  completion(shell: Shell): Promise<string | null>;
  /** The manual page; null where this Lanyard came without one. */
  manPage(): Promise<Uint8Array | null>;
}

export interface InstallOptions {
  environment: InstallEnvironment;
  /** Absolute; the person's own folder of programs without it. */
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

/** Links, completions and the manual page for one caller. Each thing by itself: what fails doesn't stop the rest. */
export async function install(options: InstallOptions, deps: InstallDeps): Promise<InstallReport> {
  const { environment } = options;
  const places = installPlaces(environment, options.into);
  const shell = ownShell(environment);
  const missing: string[] = [];
  const wanted: Wanted[] = linkNames.map((name) => ({
    kind: 'link',
    path: posix.join(places.bin, name),
    target: deps.helper,
  }));
  for (const each of shells) {
    if (each !== shell && (await findProgram(each, environment['PATH'] ?? '')) === null) {
      continue;
    }
    const script = await deps.completion(each);
    if (script === null) {
      missing.push(`the helper has no completion for ${each}`);
    } else {
      wanted.push({ kind: 'file', path: places.completion(each), content: Buffer.from(script) });
    }
  }
  const page = await deps.manPage();
  if (page === null) {
    missing.push('this Lanyard came without its manual page');
  } else {
    wanted.push({ kind: 'file', path: places.manPage, content: page });
  }
  const items: Installed[] = [];
  for (const each of wanted) {
    items.push({ path: each.path, outcome: await attempt(each, options.dryRun, deps) });
  }
  return { places, shell, items, missing };
}

async function attempt(wanted: Wanted, dryRun: boolean, deps: PlaceDeps): Promise<Installed['outcome']> {
  try {
    return await (dryRun ? wouldPlace(wanted, deps.ledger) : place(wanted, deps));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code.includes('.')) {
      // A list that can't be written or read ends it: nothing may be made that it doesn't know.
      throw error;
    }
    return { kind: 'failed', what: code };
  }
}

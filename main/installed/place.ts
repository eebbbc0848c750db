import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, rename, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { InstalledFile, InstalledLink } from './entry.ts';
import { digestOf, ignoreMissing, inspectPath, isAsMade, type PathState } from './inspect-path.ts';
import type { Ledger } from './ledger.ts';
import { type PlaceProgramOptions, replaceRunning } from './place-program.ts';

export type Placed =
  | { kind: 'made' | 'replaced' }
  /** It was already as it should be. */
  | { kind: 'present' }
  /** The path has something that isn’t Lanyard’s, and was left. `what` describes it for the user. */
  | { kind: 'left'; what: string };

export interface PlaceDeps {
  ledger: Ledger;
  /** Milliseconds since 1970. */
  now(): number;
  /** Tests make it fail. */
  files?: PlaceProgramOptions['files'];
}

export interface WantedLink {
  kind: 'link';
  path: string;
  target: string;
}

export interface WantedFile {
  kind: 'file' | 'unit';
  path: string;
  content: Uint8Array;
  /** Whether the file is a program. */
  executable?: boolean;
}

export type Wanted = WantedLink | WantedFile;

/**
 * Makes one link or file outside the home. Lists it first, so that a kill at any moment leaves nothing unknown. Never
 * replaces anything that isn’t Lanyard’s. Throws Node’s error.
 */
export async function place(wanted: Wanted, deps: PlaceDeps): Promise<Placed> {
  const found = await inspectPath(wanted.path);
  const verdict = await judge(wanted, found, deps.ledger);
  if (verdict.kind !== 'free' && verdict.kind !== 'own') {
    return verdict;
  }
  await removeTemporary(wanted.path, deps.ledger);
  await makeFolders(dirname(wanted.path), deps);
  const before = verdict.kind === 'own' ? verdict.before : [];
  return wanted.kind === 'link' ? placeLink(wanted, before, deps) : placeFile(wanted, before, deps);
}

/** What `place` would do now. */
export async function wouldPlace(wanted: Wanted, ledger: Ledger): Promise<Placed> {
  const verdict = await judge(wanted, await inspectPath(wanted.path), ledger);
  switch (verdict.kind) {
    case 'free':
      return { kind: 'made' };
    case 'own':
      return { kind: 'replaced' };
    default:
      return verdict;
  }
}

type Verdict =
  | Extract<Placed, { kind: 'present' | 'left' }>
  | { kind: 'free' }
  | { kind: 'own'; before: string[] };

async function judge(wanted: Wanted, found: PathState, ledger: Ledger): Promise<Verdict> {
  if (found.kind === 'nothing') {
    return { kind: 'free' };
  }
  if (isWanted(wanted, found)) {
    // Listed or not: an equal file that someone else made stays theirs.
    return { kind: 'present' };
  }
  const entry = (await ledger.entries()).find(({ path }) => path === wanted.path);
  if (entry === undefined || !('made' in entry) || !isAsMade(entry, found)) {
    const what = entry === undefined ? whatIs(found) : 'it was changed since Lanyard made it';
    return { kind: 'left', what };
  }
  return { kind: 'own', before: entry.made };
}

function isWanted(wanted: Wanted, found: PathState): boolean {
  return wanted.kind === 'link'
    ? found.kind === 'link' && found.target === wanted.target
    : found.kind === 'file' && found.digest === digestOf(wanted.content);
}

function whatIs(found: PathState): string {
  switch (found.kind) {
    case 'link':
      return `a link to ${found.target} that Lanyard didn’t make`;
    case 'folder':
      return 'a folder';
    case 'other':
      return found.what;
    default:
      return 'a file that Lanyard didn’t make';
  }
}

async function placeLink(wanted: WantedLink, before: readonly string[], deps: PlaceDeps): Promise<Placed> {
  const { path, target } = wanted;
  const entry: InstalledLink = { kind: 'link', path, at: deps.now(), made: [...before, target] };
  await deps.ledger.list(entry);
  if (before.length > 0) {
    await unlink(path);
  }
  try {
    await symlink(target, path);
  } catch (error) {
    return leftBehind(error, entry, deps);
  }
  await deps.ledger.list({ ...entry, made: [target] });
  return { kind: before.length > 0 ? 'replaced' : 'made' };
}

async function placeFile(wanted: WantedFile, before: readonly string[], deps: PlaceDeps): Promise<Placed> {
  const { path, kind, content } = wanted;
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  const made = [...before, digestOf(content)];
  const entry: InstalledFile = { kind, path, at: deps.now(), made, temporary };
  await deps.ledger.list(entry);
  try {
    await writeNew(temporary, content, wanted.executable === true ? 0o755 : 0o644);
    if (before.length > 0) {
      await replaceOwn(temporary, entry, before, deps);
    } else {
      await linkNew(temporary, path);
    }
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    return leftBehind(error, { kind, path, at: entry.at, made }, deps);
  }
  await deps.ledger.list({ kind, path, at: entry.at, made: [digestOf(content)] });
  return { kind: before.length > 0 ? 'replaced' : 'made' };
}

/** Puts the new file in place of Lanyard’s earlier one. A program that runs is listed by the name that it runs on by. */
async function replaceOwn(
  temporary: string,
  { path, at }: InstalledFile,
  before: readonly string[],
  { ledger, files }: PlaceDeps,
): Promise<void> {
  let listed: string | null = null;
  const stays = await replaceRunning(temporary, path, {
    ...(files && { files }),
    beforeAside: async (aside) => {
      listed = aside;
      await ledger.list({ kind: 'file', path: aside, at, made: [...before] });
    },
  });
  if (listed !== null && stays === null) {
    await ledger.drop(listed);
  }
}

/** Another program was faster, or the system refused. Lanyard’s earlier file may still be at the path. */
async function leftBehind(error: unknown, entry: InstalledFile | InstalledLink, { ledger }: PlaceDeps) {
  const before = entry.made.slice(0, -1);
  const isThere = before.length > 0 && isAsMade({ ...entry, made: before }, await inspectPath(entry.path));
  await (isThere ? ledger.list({ ...entry, made: before }) : ledger.drop(entry.path));
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
    return { kind: 'left', what: 'a file that Lanyard didn’t make' } as const;
  }
  throw error;
}

/** The errors of systems and file systems without hard or symbolic links. */
export const noLinks: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
]);

/** Gives a complete file its name, and never replaces another file. */
async function linkNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const isThere = (await inspectPath(path)).kind !== 'nothing';
    if (isThere || !noLinks.has((error as NodeJS.ErrnoException).code ?? '')) {
      throw error;
    }
    await rename(temporary, path);
    return;
  }
  await unlink(temporary);
}

async function writeNew(path: string, content: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    // The umask is for the user’s own files; a manual page and a completion script may be readable.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Removes the temporary file of a process that was killed while writing: the entry that names it is about to be
 * replaced.
 */
async function removeTemporary(path: string, ledger: Ledger): Promise<void> {
  const entry = (await ledger.entries()).find((each) => each.path === path);
  if (entry && 'temporary' in entry && entry.temporary !== undefined) {
    await unlink(entry.temporary).catch(ignoreMissing);
  }
}

/** Makes the missing folders of a path, each listed before it is made. */
export async function makeFolders(folder: string, deps: PlaceDeps): Promise<void> {
  const missing: string[] = [];
  for (let each = folder; !(await exists(each)); each = dirname(each)) {
    missing.unshift(each);
  }
  for (const path of missing) {
    await deps.ledger.list({ kind: 'folder', path, at: deps.now() });
    // 0700, as the XDG specification asks for folders that are made on the way.
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      await deps.ledger.drop(path);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        return false;
      }
      throw error;
    },
  );
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createAccessLists, loadAddon } from '../../main/platform/native/addon.ts';
import type { AccessLists } from '../../main/ports/access-lists.ts';

/**
 * Whether a suite runs on Windows. What is skipped there states a rule that Windows doesn’t have: mode bits, user ids,
 * shells, signals.
 */
export const onWindows = process.platform === 'win32';

/** What stands in for a program in a test is a script of sh, which Windows doesn’t start. */
export const withoutScripts = onWindows;

/** A mode keeps neither root nor a process of Windows out. */
export const withoutModes = onWindows || process.geteuid?.() === 0;

/**
 * Why a test can’t read what /proc says of Lanyard’s programs, but for their sizes: no other program of their user may look
 * into them.
 */
export const whyNotLookedInto =
  process.platform !== 'linux'
    ? 'only Linux has /proc'
    : process.geteuid?.() === 0
      ? null
      : 'only root may look into Lanyard’s programs';

/** Windows makes symbolic links only for who may; wine 8 says that it made one, and makes none. */
export const withoutLinks = onWindows;

/** A word that needs quotes, as the user’s shell takes it. */
export function quoted(word: string): string {
  return onWindows ? `"${word}"` : `'${word}'`;
}

export const builtAddon = join(import.meta.dirname, '../../dist/native/lanyard.node');

/** Windows’ own; null elsewhere. */
export function accessLists(): AccessLists | null {
  return onWindows ? createAccessLists(loadAddon(builtAddon)) : null;
}

/**
 * The permission bits. On Windows what the access list comes to: 700 and 600 where it is closed to others, 777 and 666
 * where it is open.
 */
export function modeOf(path: string): number {
  const found = statSync(path);
  const access = accessLists();
  const bits = found.isDirectory() ? 0o700 : 0o600;
  return access === null ? found.mode & 0o777 : access.isOpen(path) ? bits | (bits >> 3) | (bits >> 6) : bits;
}

import { windowsVariable } from '../../base/windows-variable.ts';

/**
 * The names that Windows runs directly: the first two by CreateProcessW, the others by cmd.exe. In the order in
 * which Go's os/exec (kubectl) looks for them where PATHEXT isn't set: lp_windows.go. What else PATHEXT may name (.js,
 * .vbs) needs an interpreter that Go doesn't start either.
 */
export const windowsPrograms = ['.com', '.exe', '.bat', '.cmd'] as const;

/** Those that need no cmd.exe: Node starts no others without a shell. */
export const windowsImages = ['.com', '.exe'] as const;

/** By its name. The helper runs the same (native-helper, os/windows/run/checks.rs). */
export function isWindowsProgram(path: string): boolean {
  return endsWithOneOf(path, windowsPrograms);
}

/** Whether cmd.exe runs it. */
export function isBatchFile(path: string): boolean {
  return isWindowsProgram(path) && !endsWithOneOf(path, windowsImages);
}

/**
 * Whether a path means one file whatever the current drive and folder are: with its drive, or of a share. No device
 * (`\\.\`, `\\?\`), and no stream of a file (`C:\a.txt:b.exe`).
 */
export function isWholeOnWindows(path: string): boolean {
  const rest = /^(?:[A-Za-z]:[\\/]|\\\\(?![?.\\/]))(.*)$/s.exec(path)?.[1];
  return rest !== undefined && !/[:"*?<>|\p{Cc}]/u.test(rest);
}

/** The folder of Windows itself. */
export function windowsRoot(environment: Readonly<Record<string, string | undefined>>): string {
  return windowsVariable(environment, 'SystemRoot') ?? 'C:\\Windows';
}

/** Whether it names another machine. To look at it is to log in there, as this user. */
export function isOnAShare(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

function endsWithOneOf(path: string, endings: readonly string[]): boolean {
  const lower = path.toLowerCase();
  return endings.some((ending) => lower.endsWith(ending));
}

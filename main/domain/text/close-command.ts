import { wordFor } from './shell-line.ts';

export interface CloseOptions {
  platform?: string;
  /** The user’s name on Windows. */
  user?: string | undefined;
}

/** The command that closes a folder or a file to other users. */
export function closeCommand(
  path: string,
  what: 'folder' | 'file',
  { platform = process.platform, user = process.env['USERNAME'] }: CloseOptions = {},
): string {
  if (platform !== 'win32') {
    return `chmod ${what === 'folder' ? '700' : '600'} ${wordFor(path, platform)}`;
  }
  // What is in a folder inherits it; what the folder itself inherited goes.
  const right = `${user ?? '%USERNAME%'}:${what === 'folder' ? '(OI)(CI)' : ''}F`;
  return `icacls ${wordFor(path, platform)} /inheritance:r /grant:r "${right}"`;
}

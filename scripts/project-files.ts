import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The project’s files by their paths from the root, with slashes: those that git tracks, and new ones that it would. */
export function projectFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  // A file that was deleted, but not from the index yet, is listed, too.
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

import { isAbsolute } from 'node:path';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { visibleText } from '../text/visible-text.ts';

/** Of a path on Linux (PATH_MAX), in bytes, with its NUL. */
const longestPath = 4_096;

/** Why no file can be meant by a client’s `spec.lockFilePath` (KEP-2718/lock); null: one can. Looks at the path alone. */
export function lockFilePathFault(path: string, code: string): Refusal | null {
  const fault = !isAbsolute(path)
    ? 'is no absolute path'
    : Buffer.byteLength(path) >= longestPath
      ? 'is too long'
      : path.includes('\0')
        ? 'has a NUL'
        : null;
  return fault === null
    ? null
    : refuse(
        'usage',
        code,
        `the client’s lock file (spec.lockFilePath), ${visibleText(path, 300)}, ${fault}`,
        'the client has to name its lock file by the whole path',
      );
}

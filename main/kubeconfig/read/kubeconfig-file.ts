import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { readlink, realpath, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { readBoundedBytes } from '../../config/read-bounded.ts';
import type { KubeconfigFile, KubeconfigProblem } from '../../domain/import/kubeconfig.ts';

/** A kubeconfig may have this many bytes. */
export const kubeconfigLimitBytes = 64 * 1024 * 1024;

export interface ReadFile {
  file: KubeconfigFile;
  problem: KubeconfigProblem | null;
}

/**
 * Reads a kubeconfig's text. A file that isn't there is none, as for client-go; any other fault is a problem. The text
 * keeps its byte order mark: it may be written again.
 */
export async function readKubeconfigFile(path: string, limitBytes = kubeconfigLimitBytes): Promise<ReadFile> {
  const problem = (severity: KubeconfigProblem['severity'], message: string): KubeconfigProblem => {
    return { severity, file: path, line: null, column: null, message };
  };
  if (path === devNull) {
    // `KUBECONFIG=/dev/null` is a custom for: none at all.
    return { file: { path, target: path, text: '', mode: null }, problem: null };
  }
  const [target, status] = await Promise.all([
    realpath(path).catch(() => path),
    stat(path).catch(() => null),
  ]);
  const file = { path, target, text: null, mode: status && modeOf(status) };
  const read = await readBoundedBytes(path, limitBytes);
  if (read === null) {
    const leadsTo = await readlink(path).catch(() => null);
    const message = `a symbolic link to nowhere (${leadsTo}); kubectl skips it as if it were not there`;
    return { file, problem: leadsTo === null ? null : problem('warning', message) };
  }
  if (!read.ok) {
    return { file, problem: problem('error', status?.isDirectory() ? 'is a folder, not a file' : read.why) };
  }
  return isUtf8(read.bytes)
    ? { file: { ...file, text: read.bytes.toString('utf8') }, problem: null }
    : { file, problem: problem('error', 'is not UTF-8 text; save it as UTF-8') };
}

/** Windows has access lists: Node makes up bits there, the same for each file. */
function modeOf({ mode }: Stats): number | null {
  return process.platform === 'win32' ? null : mode & 0o777;
}

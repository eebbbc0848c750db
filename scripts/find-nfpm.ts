import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * nfpm, which makes deb and rpm (ADR 0017): where scripts/setup.sh puts it, else on PATH. Null: it isn't here.
 */
export function findNfpm(root: string, env: NodeJS.ProcessEnv): string | null {
  const folders = [join(root, '.cache', 'tools'), ...(env['PATH'] ?? '').split(delimiter).filter(Boolean)];
  return folders.map((folder) => join(folder, 'nfpm')).find((path) => existsSync(path)) ?? null;
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const repository = join(import.meta.dirname, '..', '..');

/**
 * The program NAME.ts of test/support in one file, as the broker is: a process of it starts in a fourth of the time. The
 * file is as deep in the repository as its source.
 */
export async function bundled(name: string): Promise<{ path: string; dispose(): void }> {
  mkdirSync(join(repository, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, '.cache', `${name}-`));
  const path = join(folder, `${name}.mjs`);
  const input = join(import.meta.dirname, `${name}.ts`);
  const output = { file: path, format: 'esm' } as const;
  await build({ input, output, platform: 'node', external: ['keytar'], logLevel: 'silent' });
  return { path, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

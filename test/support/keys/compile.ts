import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Why C can’t be compiled here; null: it can. */
export function noCompiler(): string | null {
  return spawnSync('cc', ['--version']).status === 0
    ? null
    : 'there is no C compiler (Debian: apt-get install gcc)';
}

/** Compiles a file of this folder. */
export function compile(source: string, to: string, flags: readonly string[] = []): void {
  const from = join(import.meta.dirname, source);
  execFileSync('cc', ['-std=gnu11', '-Wall', '-Werror', ...flags, '-o', to, from, '-ldl']);
}

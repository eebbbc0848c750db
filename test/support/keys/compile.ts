import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Why C can’t be compiled here; null: it can. */
export function noCompiler(): string | null {
  return spawnSync('cc', ['--version']).status === 0
    ? null
    : 'there is no C compiler (Debian: apt-get install gcc)';
}

const kept = join(import.meta.dirname, '..', '..', '..', '.cache', 'compiled');

/** Compiles a file of this folder, once for each state of it. */
export function compile(source: string, to: string, flags: readonly string[] = []): void {
  const from = join(import.meta.dirname, source);
  const hash = createHash('sha256').update(flags.join(' '));
  for (const file of [from, join(import.meta.dirname, 'cryptoki.h')]) {
    hash.update(readFileSync(file));
  }
  const compiled = join(kept, `${source}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(compiled)) {
    mkdirSync(kept, { recursive: true });
    const own = `${compiled}.${process.pid}`;
    execFileSync('cc', ['-std=gnu11', '-Wall', '-Werror', ...flags, '-o', own, from, '-ldl']);
    renameSync(own, compiled);
  }
  copyFileSync(compiled, to);
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..');

/** What is built, the stamp that says when, and what it is built from. `build:native` leaves an equal binary alone. */
const parts = [
  {
    outputs: ['dist/main/agent.js'],
    stamp: 'dist/main/agent.js',
    sources: 'main',
    counts: (file: string) =>
      (file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/testing/')) ||
      file.endsWith('.json'),
  },
  {
    outputs: ['dist/app/main.js', 'dist/app/preload.cjs'],
    stamp: 'dist/app/main.js',
    sources: 'app',
    counts: (file: string) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  },
  {
    outputs: [
      'dist/bin/lanyard',
      'dist/bin/lanyard-proxy',
      'dist/bin/lanyard-keys',
      'dist/native/lanyard.node',
    ],
    stamp: 'dist/native/built',
    sources: 'native-helper',
    counts: (file: string) => /\/src\/.*\.rs$|build\.rs$|Cargo\.(toml|lock)$/.test(file),
  },
] as const;

let isFresh = false;

/** Throws, with what to run, where the built parts are missing or older than their sources. Looks once a process. */
export function assertBuilt(): void {
  if (isFresh) {
    return;
  }
  for (const { outputs, stamp, sources, counts } of parts) {
    for (const file of [...outputs, stamp]) {
      if (modifiedAt(file) === null) {
        throw new Error(`${file} is not there: npm run build`);
      }
    }
    const builtAt = modifiedAt(stamp) ?? 0;
    const newer = filesBelow(sources).find((file) => counts(file) && (modifiedAt(file) ?? 0) > builtAt);
    if (newer !== undefined) {
      throw new Error(`${outputs[0]} is older than ${newer}: npm run build`);
    }
  }
  isFresh = true;
}

function modifiedAt(file: string): number | null {
  return statSync(join(repository, file), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return entry.name === 'target' ? [] : filesBelow(path);
    }
    return [path];
  });
}

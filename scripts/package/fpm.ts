#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { findNfpm } from '../find-nfpm.ts';
import { readFpmWords } from './fpm-words.ts';

/** In fpm's place for electron-builder (CUSTOM_FPM_PATH): makes deb and rpm by nfpm. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const nfpm = findNfpm(root, process.env);
if (nfpm === null) {
  throw new Error('nfpm is not here: ./scripts/setup.sh test gets it');
}
const { packager, to, config } = readFpmWords(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'lanyard-nfpm-'));
try {
  const file = join(folder, 'nfpm.yaml');
  writeFileSync(file, stringify(config));
  const { error, status } = spawnSync(
    nfpm,
    ['package', '--config', file, '--packager', packager, '--target', to],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

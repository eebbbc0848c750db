import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = join(import.meta.dirname, '..', 'scripts', 'setup.sh');
const built = [
  'dist/bin/lanyard',
  'dist/bin/lanyard-proxy',
  'dist/bin/lanyard-keys',
  'dist/bin/start.json',
  'dist/native/lanyard.node',
];
const sources = [
  'native-helper/helper/src/main.rs',
  'native-helper/keys/src/main.rs',
  'native-helper/proxy/src/main.rs',
  'native-helper/native/src/lib.rs',
  'native-helper/Cargo.toml',
  'native-helper/Cargo.lock',
  'main/contract/paths.json',
  'package.json',
  'scripts/build-native.ts',
  'scripts/cargo.ts',
];

let root: string;

/** Seconds since 1970: what is built is newer than its sources. */
const old = 1_000_000_000;
const stamped = old + 100;

function write(path: string, seconds: number, text = ''): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  utimesSync(file, seconds, seconds);
}

/** What set-up finds of what is native: is all of it built, and up to date? */
function isDone(): boolean {
  const words = '. "$1"; setup_root="$PWD"; if setup_native_is_done; then echo done; fi';
  const found = execFileSync('bash', ['-euo', 'pipefail', '-c', words, 'bash', script], {
    cwd: root,
    encoding: 'utf8',
  });
  return found === 'done\n';
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ly-setup-native-'));
  for (const path of [...built, ...sources]) write(path, old);
  write('dist/.built-native', stamped, `${root}\n`);
  for (const folder of sources.map((path) => dirname(path)).filter((path) => path !== '.')) {
    for (const path of [folder, dirname(folder)]) utimesSync(join(root, path), old, old);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('builds nothing anew where nothing changed', () => {
  expect(isDone()).toBe(true);
});

test.each(built)('builds anew without %s', (path) => {
  rmSync(join(root, path));
  expect(isDone()).toBe(false);
});

test.each(sources)('builds anew after a change of %s', (path) => {
  write(path, stamped + 1);
  expect(isDone()).toBe(false);
});

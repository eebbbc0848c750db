import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCargo } from '../scripts/cargo.ts';

/** Two crates in a workspace with the project's own profiles: one asks for the data plane's, one doesn't. */
const root = mkdtempSync(join(tmpdir(), 'ly-data-plane-'));
const workspace = join(root, 'native-helper');
const manifest = readFileSync(join(import.meta.dirname, '..', 'native-helper', 'Cargo.toml'), 'utf8');
const profiles = manifest.slice(manifest.indexOf('[profile.release]'));

/** Its second connection panics. */
const main = `fn main() {
    let served: Vec<bool> = (1..=3)
        .map(|connection| std::thread::spawn(move || assert!(connection != 2)).join().is_ok())
        .collect();
    println!("{served:?}");
}
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

function crate(name: string, metadata: string): void {
  write(
    `${name}/Cargo.toml`,
    `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2024"\n${metadata}`,
  );
  write(`${name}/src/main.rs`, main);
}

beforeAll(() => {
  write('Cargo.toml', `[workspace]\nmembers = ["served", "other"]\nresolver = "3"\n\n${profiles}`);
  crate('served', '[package.metadata.lanyard]\nprofile = "data-plane"\n');
  crate('other', '');
  execFileSync('cargo', ['generate-lockfile', '--offline'], { cwd: workspace, stdio: 'ignore' });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a crate that asks for the data plane’s profile is built by it: a panic ends one connection', () => {
  const cargo = createCargo(root);
  const programs = cargo.buildDataPlane(cargo.hostTarget());
  expect(programs.map((program) => basename(program))).toEqual(['served']);
  const shown = execFileSync(programs[0] ?? '', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(shown).toBe('[true, false, true]\n');
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRustWithSource } from './find-rust-source.ts';

/**
 * `npm run check:platforms`: compiles the helper, the addon, the data plane and the keys' process, and their tests, for
 * macOS and Windows up to where code would be made, and lints them (clippy, each warning an error). Runs on any system:
 * the standard library is compiled from its source, and nothing is linked. Exits with 0, and says why, where that source
 * is not here.
 */
const targets = ['aarch64-apple-darwin', 'x86_64-apple-darwin', 'x86_64-pc-windows-gnu'];

const root = join(import.meta.dirname, '..');
const rust = findRustWithSource(root, process.env);
if (typeof rust === 'string') {
  console.log(`Rust for other platforms: skipped, since ${rust}`);
  process.exit(0);
}

// Apart from .cache/cross, where windows/cross-cargo.ts builds with other flags.
const folder = join(root, '.cache', 'cross-check');
mkdirSync(folder, { recursive: true });
// napi-build looks for it on Windows, for the linker.
writeFileSync(join(folder, 'libnode.dll'), '');

const standIn = join(import.meta.dirname, 'stand-in-compiler.sh');
const compilers = targets.flatMap((target) => {
  const name = target.replaceAll('-', '_');
  return [
    [`CC_${name}`, standIn],
    [`AR_${name}`, standIn],
  ];
});

const { error, status } = spawnSync(
  'cargo',
  [
    ...['check', '--locked', '--quiet', '--keep-going', '--workspace', '--all-targets'],
    '-Zbuild-std=std,panic_abort',
    ...targets.flatMap((target) => ['--target', target]),
  ],
  {
    cwd: join(root, 'native-helper'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...rust.environment,
      ...Object.fromEntries(compilers),
      RUSTC: rust.rustc,
      // As `cargo clippy` does.
      RUSTC_WORKSPACE_WRAPPER: rust.clippy,
      CLIPPY_ARGS: '-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__',
      // -Z is for nightly releases, else.
      RUSTC_BOOTSTRAP: '1',
      // Cargo compiles the standard library even for a check: without code it takes a fifth of the time.
      CARGO_ENCODED_RUSTFLAGS: ['-Zno-codegen', `-Cdlltool=${standIn}`].join('\x1f'),
      CARGO_INCREMENTAL: '0',
      CARGO_PROFILE_DEV_DEBUG: '0',
      CARGO_TARGET_DIR: folder,
      LIBNODE_PATH: folder,
    },
  },
);
if (error) console.error(`cargo: ${error.message}`);
process.exit(status ?? 1);

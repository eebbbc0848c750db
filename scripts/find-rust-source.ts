import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of one release of Rust that has its standard library's source, by which it checks for any target. */
export interface RustWithSource {
  rustc: string;
  clippy: string;
  /** What these programs need beside the caller's own environment. */
  environment: Readonly<Record<string, string>>;
}

/** Where Debian's packages are unpacked. */
export const unpackedRust = (root: string) => join(root, '.cache', 'tools', 'rust-src');

const library = join('lib', 'rustlib', 'src', 'rust', 'library', 'Cargo.toml');

/**
 * Debian's packages rustc-web, rust-web-src, rust-web-clippy and their libraries, unpacked to .cache/tools/rust-src, or
 * else a rustup whose toolchain has rust-src and clippy. A text says what is missing.
 */
export function findRustWithSource(
  root: string,
  env: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
  sysroot: () => string | null = ownSysroot,
): RustWithSource | string {
  const unpacked = join(unpackedRust(root), 'usr');
  if (exists(unpacked)) {
    const found = {
      rustc: join(unpacked, 'bin', 'rustc'),
      clippy: join(unpacked, 'bin', 'clippy-driver'),
    };
    const missing = [found.rustc, found.clippy, join(unpacked, library)].find((path) => !exists(path));
    if (missing !== undefined) return `${missing} is not there`;
    const folders = [join(unpacked, 'lib', 'x86_64-linux-gnu'), env['LD_LIBRARY_PATH']].filter(Boolean);
    return { ...found, environment: { LD_LIBRARY_PATH: folders.join(delimiter) } };
  }
  const own = sysroot();
  if (own === null) return 'there is no rustc';
  if (!exists(join(own, library))) {
    return `there is neither ${unpacked} nor the standard library's source in ${own} (rustup component add rust-src)`;
  }
  const [rustc = '', clippy = ''] = ['rustc', 'clippy-driver'].map((name) => join(own, 'bin', name));
  if (!exists(clippy)) return `${clippy} is not there (rustup component add clippy)`;
  return { rustc, clippy, environment: {} };
}

function ownSysroot(): string | null {
  const { status, stdout } = spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

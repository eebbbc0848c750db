import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { unpackPackages, withNeeded } from './debian-packages.ts';

interface DebianProgram {
  name: string;
  packages: readonly string[];
  /** Where each lies here, and in its package. */
  files: Readonly<Record<string, string>>;
  /**
   * The folder here for the libraries of these packages, and of those that they need and that aren’t installed. `of`: the
   * beginnings of their packages’ names, which differ from one release to the next.
   */
  libraries?: { to: string; of: RegExp };
}

/**
 * Puts programs of Debian’s that tests and bench run beside ours into .cache/tools: nginx, which the request proxy is
 * measured against, microsocks, a SOCKS5 proxy, SoftHSM, a PKCS#11 token in files, and a TPM in software with its PKCS#11
 * module. Takes them out of their packages: nothing is installed, and no root is needed.
 * Run: node scripts/fetch-debian-programs.ts
 */
const programs: readonly DebianProgram[] = [
  { name: 'nginx', packages: ['nginx'], files: { nginx: 'usr/sbin/nginx' } },
  { name: 'microsocks', packages: ['microsocks'], files: { microsocks: 'usr/bin/microsocks' } },
  {
    name: 'SoftHSM',
    packages: ['softhsm2', 'libsofthsm2'],
    files: {
      'softhsm/softhsm2-util': 'usr/bin/softhsm2-util',
      'softhsm/libsofthsm2.so': 'usr/lib/softhsm/libsofthsm2.so',
    },
  },
  {
    name: 'swtpm with tpm2-pkcs11',
    packages: ['swtpm', 'libtpm2-pkcs11-1', 'libtss2-tcti-swtpm0'],
    libraries: { to: 'tpm', of: /^(?:swtpm|libtpm|libtss2|libyaml|libsqlite3|libjson-glib)/ },
    files: { 'tpm/swtpm': 'usr/bin/swtpm' },
  },
];

const tools = join(import.meta.dirname, '..', '.cache', 'tools');

/** Throws where a package or a file is not to be had. */
function fetchProgram({ packages, files, libraries }: DebianProgram): void {
  const work = mkdtempSync(join(tmpdir(), 'lanyard-tools-'));
  try {
    unpackPackages(libraries ? withNeeded(packages, libraries.of) : packages, join(work, 'unpacked'));
    // Before the programs, which say that all is here.
    for (const path of libraries ? librariesIn(join(work, 'unpacked')) : []) {
      put(path, join(libraries?.to ?? '', basename(path)));
    }
    for (const [name, path] of Object.entries(files)) {
      put(join(work, 'unpacked', path), name);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function put(from: string, name: string): void {
  const to = join(tools, name);
  mkdirSync(dirname(to), { recursive: true });
  // Two runs at a time must not see half a file.
  const partial = `${to}-${process.pid}`;
  copyFileSync(from, partial);
  renameSync(partial, to);
}

/** By the names that programs load them by, which are links. */
function librariesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.so\.\d+$/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path) && statSync(path).isFile());
}

for (const program of programs) {
  if (!Object.keys(program.files).every((file) => existsSync(join(tools, file)))) {
    try {
      fetchProgram(program);
      console.log(`fetched ${program.name}`);
    } catch (error) {
      console.error(`fetch-debian-programs: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}

import { readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { readBounded } from '../../config/read-bounded.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** A module that is installed on this machine. It is named, never loaded unasked. */
export interface InstalledModule {
  module: string;
  /** What it is for, or what p11-kit calls it. */
  name: string;
}

/** Modules by the names of their files. The number is there where nothing for developers is installed. */
const known: readonly [file: RegExp, name: string][] = [
  [/^opensc-pkcs11\.so$/, 'smart cards (OpenSC)'],
  [/^libykcs11\.so(\.\d+)*$/, 'YubiKeys'],
  [/^libtpm2_pkcs11\.so(\.\d+)*$/, 'TPMs'],
  [/^libsofthsm2\.so$/, 'SoftHSM'],
  [/^libopencryptoki\.so(\.\d+)*$/, 'openCryptoki'],
];
/** Below a folder of libraries. */
const subfolders = ['', 'pkcs11', 'softhsm', 'opencryptoki'];
const configFolders = ['usr/share/p11-kit/modules', 'etc/pkcs11/modules'];
/** Of a folder of p11-kit’s; a machine has a few. */
const mostConfigs = 64;

/** Those that p11-kit’s configuration names, and well-known ones in the usual folders. `root`: of the file system. */
export async function installedModules(root = '/'): Promise<InstalledModule[]> {
  const folders = await libraryFolders(root);
  const found = [...(await configured(root, folders)), ...(await wellKnown(folders))];
  // A library has several names there.
  const byTarget = new Map<string, InstalledModule>();
  for (const each of found) {
    const target = await realpath(each.module).catch(() => null);
    if (target !== null && !byTarget.has(target)) {
      byTarget.set(target, each);
    }
  }
  return [...byTarget.values()];
}

/** Debian’s have the machine’s kind in their name. */
async function libraryFolders(root: string): Promise<string[]> {
  const multiarch = (await namesIn(join(root, 'usr/lib'))).filter((name) => /^\w+-linux-gnu\w*$/.test(name));
  return [...multiarch.map((name) => `usr/lib/${name}`), 'usr/lib64', 'usr/lib', 'usr/local/lib'].map(
    (folder) => join(root, folder),
  );
}

async function wellKnown(folders: readonly string[]): Promise<InstalledModule[]> {
  const found: InstalledModule[] = [];
  for (const folder of folders.flatMap((each) => subfolders.map((below) => join(each, below)))) {
    // The shortest name first: it stays where a version changes.
    for (const file of (await namesIn(folder)).sort((a, b) => a.length - b.length)) {
      const name = known.find(([pattern]) => pattern.test(file))?.[1];
      if (name !== undefined) {
        found.push({ module: join(folder, file), name });
      }
    }
  }
  return found;
}

/** pkcs11.conf(5): `module:` is a path, or a name in p11-kit’s own folder. */
async function configured(root: string, folders: readonly string[]): Promise<InstalledModule[]> {
  const found: InstalledModule[] = [];
  for (const folder of configFolders.map((each) => join(root, each))) {
    const files = (await namesIn(folder)).filter((name) => name.endsWith('.module')).sort();
    for (const file of files.slice(0, mostConfigs)) {
      const read = await readBounded(join(folder, file));
      const module = read?.ok ? /^\s*module:\s*(\S.*?)\s*$/m.exec(read.text)?.[1] : undefined;
      // Certificates of CAs have no keys.
      if (module === undefined || (read?.ok && /^\s*trust-policy:\s*yes\s*$/m.test(read.text))) {
        continue;
      }
      const name = visibleText(basename(file, '.module'), 100);
      const paths = isAbsolute(module) ? [module] : folders.map((each) => join(each, 'pkcs11', module));
      found.push(...paths.map((path) => ({ module: path, name })));
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  // Most of these folders are other distributions’.
  return readdir(folder).catch(() => []);
}

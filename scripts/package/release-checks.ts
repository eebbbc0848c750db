import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { z } from 'zod';
import { type BinaryFormat, readBinaryFormat } from './binary-format.ts';
import { readElfLoading } from './elf-loading.ts';
import type { Layout } from './layout.ts';
import { helperName, keysName, proxyName } from './target.ts';

/** What is looked at, and what is wrong with it; null: nothing. */
export interface Finding {
  what: string;
  wrong: string | null;
}

/** The machine that looks. */
export interface CheckingHost {
  platform: string;
  /** Whose programs can be run here. */
  architecture: string;
  /** Of the sources and of cargo: no program names them. */
  folders: readonly string[];
}

/** As the shell has to be hardened, whatever electron-builder.yml says. */
const wantedFuses: Readonly<Partial<Record<FuseV1Options, FuseState>>> = {
  [FuseV1Options.RunAsNode]: FuseState.DISABLE,
  [FuseV1Options.EnableCookieEncryption]: FuseState.ENABLE,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: FuseState.DISABLE,
  [FuseV1Options.EnableNodeCliInspectArguments]: FuseState.DISABLE,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: FuseState.ENABLE,
  [FuseV1Options.OnlyLoadAppFromAsar]: FuseState.ENABLE,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: FuseState.DISABLE,
};

/** Without what lies outside of it. */
const archiveLimitBytes = 12 * 1024 * 1024;

/** For each processor that it is for: a Mac’s are for both. */
const helperLimitBytes = 1.5 * 1024 * 1024;
const addonLimitBytes = 1.5 * 1024 * 1024;
const proxyLimitBytes = 8 * 1024 * 1024;
const keysLimitBytes = 3 * 1024 * 1024;

/** Every Linux with glibc has these. `ld-linux…` is the loader. */
const wantedLibraries = /^(libc\.so\.6|libgcc_s\.so\.1|libm\.so\.6|ld-linux-[\w-]+\.so\.\d)$/;

/** What an archive holds, all of it: anything else was not meant to go in. */
const wantedInArchive: readonly RegExp[] = [
  /^package\.json$/,
  /^dist\/app\/(main\.js|[\w-]+\.js|preload\.cjs|lanyard\.1|release\.json)$/,
  /^dist\/app\/icons\/[\w@./-]+\.(png|ico|icns)$/,
  /^dist\/renderer\/(index\.html|icon\.svg|[\w-]+\.js)$/,
  /^dist\/renderer\/assets\/[\w.-]+\.(js|css|svg|woff2|png)$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js|build\/Release\/keytar\.node)$/,
];
const neededInArchive = [
  'package.json',
  'dist/app/main.js',
  'dist/app/preload.cjs',
  'dist/app/lanyard.1',
  'dist/app/icons/goodTemplate.png',
  'dist/renderer/index.html',
  'node_modules/keytar/lib/keytar.js',
];

/** Looks at an unpacked app as it would be installed. */
export async function checkRelease(
  { platform, electron, resources }: Layout,
  host: CheckingHost,
): Promise<Finding[]> {
  const archive = join(resources, 'app.asar');
  const helper = join(resources, 'bin', helperName(platform));
  const proxy = join(resources, 'bin', proxyName(platform));
  const keys = join(resources, 'bin', keysName(platform));
  const addon = join(resources, 'native', 'lanyard.node');
  const own = [helper, proxy, keys, addon];
  const native = [
    ...own,
    join(resources, 'app.asar.unpacked', 'node_modules', 'keytar', 'build', 'Release', 'keytar.node'),
  ];
  const formats = native.map((file) => [file, formatOf(file)] as const);
  const runsHere = (file: string) => {
    const format = formatOf(file);
    return (
      format?.platform === host.platform && format.architectures.some((each) => each === host.architecture)
    );
  };
  return [
    { what: 'fuses', wrong: await wrongFuses(electron) },
    { what: 'what the archive holds', wrong: wrongContents(archive) },
    { what: 'the archive’s own digests', wrong: wrongDigests(archive) },
    { what: 'the archive’s size', wrong: wrongSize(archive, archiveLimitBytes) },
    ...formats.map(([file, format]) => ({
      what: file.slice(resources.length + 1),
      wrong: wrongFormat(format, formats[0]?.[1] ?? null, platform),
    })),
    { what: 'the helper is static', wrong: wrongLibraries(helper, /^$/) },
    { what: 'the helper’s size', wrong: wrongSize(helper, helperLimitBytes * processorsOf(helper)) },
    { what: 'the addon’s size', wrong: wrongSize(addon, addonLimitBytes * processorsOf(addon)) },
    { what: 'no program needs a C runtime that Windows lacks', wrong: wrongRuntime(own) },
    { what: 'the proxy’s hardening', wrong: wrongHardening(proxy) },
    { what: 'the proxy’s libraries', wrong: wrongLibraries(proxy, wantedLibraries) },
    { what: 'the proxy’s size', wrong: wrongSize(proxy, proxyLimitBytes) },
    { what: 'the hardening of lanyard-keys', wrong: wrongHardening(keys) },
    { what: 'the libraries of lanyard-keys', wrong: wrongLibraries(keys, wantedLibraries) },
    { what: 'the size of lanyard-keys', wrong: wrongSize(keys, keysLimitBytes) },
    { what: 'no program names a folder of its builder', wrong: wrongPaths(own, host.folders) },
    { what: 'lanyard version', wrong: runsHere(helper) ? wrongHelper(helper) : null },
    { what: 'lanyard-proxy issue', wrong: runsHere(proxy) ? wrongProxy(proxy) : null },
    // It does its work on Linux alone.
    { what: 'lanyard-keys', wrong: platform === 'linux' && runsHere(keys) ? wrongKeys(keys) : null },
    ...['sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt', 'LICENSE.txt'].map((name) => ({
      what: name,
      wrong: sizeOf(join(resources, name)) > 0 ? null : 'is not there',
    })),
  ];
}

async function wrongFuses(electron: string): Promise<string | null> {
  const wire = await getCurrentFuseWire(electron);
  const wrong = Object.entries(wantedFuses)
    .filter(([fuse, state]) => wire[fuse as unknown as FuseV1Options] !== state)
    .map(([fuse]) => FuseV1Options[Number(fuse)]);
  return wrong.length === 0 ? null : `not as they should be: ${wrong.join(', ')}`;
}

/** Paths in the archive, with slashes; no folders. */
export function filesOf(archive: string): string[] {
  const paths = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
}

function wrongContents(archive: string): string | null {
  const files = filesOf(archive);
  const more = files.filter((file) => !wantedInArchive.some((each) => each.test(file)));
  const less = neededInArchive.filter((file) => !files.includes(file));
  const said = [
    ...(more.length > 0 ? [`not meant to be in it: ${more.slice(0, 10).join(', ')}`] : []),
    ...(less.length > 0 ? [`missing: ${less.join(', ')}`] : []),
  ];
  return said.length === 0 ? null : said.join('; ');
}

interface Entry {
  files?: Record<string, Entry>;
  unpacked?: boolean;
  integrity?: { algorithm: string; hash: string };
}

/** What Electron holds each file against as it reads it. */
function wrongDigests(archive: string): string | null {
  const { header } = getRawHeader(archive);
  const wrong: string[] = [];
  const look = (entry: Entry, path: string) => {
    for (const [name, child] of Object.entries(entry.files ?? {})) {
      look(child, path === '' ? name : `${path}/${name}`);
    }
    if (entry.files === undefined) {
      const content = entry.unpacked
        ? readFileSync(join(`${archive}.unpacked`, path))
        : extractFile(archive, path);
      const hash = createHash('sha256').update(content).digest('hex');
      if (entry.integrity?.algorithm !== 'SHA256' || entry.integrity.hash !== hash) {
        wrong.push(path);
      }
    }
  };
  look(header as Entry, '');
  return wrong.length === 0 ? null : `not those of ${wrong.join(', ')}`;
}

function wrongSize(file: string, limitBytes: number): string | null {
  const size = sizeOf(file);
  return size <= limitBytes ? null : `${size} bytes, at most ${limitBytes}`;
}

function processorsOf(file: string): number {
  return formatOf(file)?.architectures.length ?? 1;
}

/** Visual C++’s comes with a separate installer, MinGW’s with nothing. Their names are in the table of imports. */
function wrongRuntime(files: readonly string[]): string | null {
  const wrong = files.filter(
    (file) =>
      formatOf(file)?.platform === 'win32' &&
      /\b(?:vcruntime\d+|msvcp\d+|libgcc[\w-]*|libwinpthread[\w-]*)\.dll\b/i.test(
        readFileSync(file, 'latin1'),
      ),
  );
  return wrong.length === 0 ? null : wrong.join(', ');
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function formatOf(file: string): BinaryFormat | null {
  return sizeOf(file) === 0 ? null : readBinaryFormat(readFileSync(file));
}

function wrongFormat(
  found: BinaryFormat | null,
  like: BinaryFormat | null,
  platform: Layout['platform'],
): string | null {
  if (found === null) {
    return 'is no program of a known kind';
  }
  const said = `${found.platform} ${[...found.architectures].sort().join(' and ')}`;
  const wanted = `${platform} ${[...(like?.architectures ?? [])].sort().join(' and ')}`;
  return said === wanted ? null : `is for ${said}, not for ${wanted}`;
}

/** Null for other systems’ programs, too: their linkers have no switch for it that Rust leaves off. */
function wrongHardening(file: string): string | null {
  const weaknesses = loadingOf(file)?.weaknesses ?? [];
  return weaknesses.length === 0 ? null : weaknesses.join(', ');
}

function wrongLibraries(file: string, wanted: RegExp): string | null {
  const more = (loadingOf(file)?.libraries ?? []).filter((library) => !wanted.test(library));
  return more.length === 0 ? null : `is linked with ${more.join(', ')}`;
}

/** Null: it is none of Linux. */
function loadingOf(file: string) {
  return formatOf(file)?.platform === 'linux' ? readElfLoading(readFileSync(file)) : null;
}

function wrongPaths(files: readonly string[], folders: readonly string[]): string | null {
  const wrong = files.filter((file) => {
    const content = sizeOf(file) === 0 ? Buffer.alloc(0) : readFileSync(file);
    return folders.some((folder) => content.includes(folder));
  });
  return wrong.length === 0 ? null : wrong.join(', ');
}

function wrongHelper(helper: string): string | null {
  const { status, stdout, error } = spawnSync(helper, ['version'], {
    encoding: 'utf8',
    env: {},
    timeout: 10_000,
  });
  return status === 0 && stdout.startsWith('lanyard ') ? null : `says ${error?.message ?? stdout}`;
}

const issuedSchema = z.object({ leaf: z.object({ certificate: z.string() }) });

/** It makes a certificate and ends, so that it is the right program, and runs. What it says has a key in it. */
function wrongProxy(proxy: string): string | null {
  const { status, stdout, error } = spawnSync(proxy, ['issue'], {
    input: '{"authority":null}',
    encoding: 'utf8',
    env: {},
    timeout: 10_000,
  });
  if (status !== 0) {
    return error?.message ?? `exit code ${status}`;
  }
  return isIssued(stdout) ? null : 'issues no certificate';
}

/** It loads no module that isn’t there, says so, and ends with its stdin. */
function wrongKeys(keys: string): string | null {
  const { status, stdout, error } = spawnSync(keys, [], {
    input: '{"do":"load","id":1,"module":"/nowhere/module.so","sha256":""}\n',
    encoding: 'utf8',
    env: {},
    timeout: 10_000,
  });
  return status === 0 && stdout.includes('"moduleMissing"') ? null : `says ${error?.message ?? stdout}`;
}

function isIssued(text: string): boolean {
  try {
    return issuedSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

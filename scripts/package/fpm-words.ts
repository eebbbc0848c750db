import { lstatSync, readlinkSync } from 'node:fs';

/** What electron-builder asks of fpm for a deb or an rpm, as an nfpm.yaml and the file to make. */
export interface PackageOrder {
  packager: 'deb' | 'rpm';
  to: string;
  config: object;
}

const flags = ['--force', '--debug'];

/** fpm's words as electron-builder says them (app-builder-lib, targets/FpmTarget). Throws on any other: none is lost. */
export function readFpmWords(words: readonly string[]): PackageOrder {
  const options = new Map<string, string[]>();
  const mappings: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) {
      mappings.push(word);
    } else if (!flags.includes(word)) {
      at += 1;
      options.set(word, [...(options.get(word) ?? []), words[at] ?? '']);
    }
  }
  const take = (name: string) => {
    const values = options.get(name) ?? [];
    options.delete(name);
    return values;
  };
  const one = (name: string) => take(name).at(-1);

  const packager = one('-t');
  const to = one('--package');
  if ((packager !== 'deb' && packager !== 'rpm') || to === undefined || one('-s') !== 'dir') {
    throw new Error('fpm: only “-s dir -t deb” and “-s dir -t rpm” to a --package are known here');
  }
  const isDeb = packager === 'deb';
  const iteration = one('--iteration');
  const compression = compressionOf(one(isDeb ? '--deb-compression' : '--rpm-compression'));
  const config = {
    name: one('--name'),
    arch: goArchitecture(one('--architecture')),
    platform: 'linux',
    version: one('--version'),
    version_schema: 'none',
    ...(iteration !== undefined && { release: iteration }),
    maintainer: one('--maintainer'),
    vendor: one('--vendor'),
    homepage: one('--url'),
    license: one('--license'),
    description: one('--description')?.trim(),
    section: one('--category'),
    priority: one('--deb-priority'),
    depends: take('-d'),
    recommends: take('--deb-recommends'),
    scripts: { postinstall: one('--after-install'), postremove: one('--after-remove') },
    contents: mappings.map(content),
    [packager]: { compression, ...(!isDeb && { summary: one('--rpm-summary') }) },
  };
  take('--rpm-os');
  take('--log');
  if (options.size > 0) {
    throw new Error(`fpm: not known here: ${[...options.keys()].join(' ')}`);
  }
  return { packager, to, config };
}

const compressions: Readonly<Record<string, string>> = {
  xz: 'xz',
  xzmt: 'xz',
  gz: 'gzip',
  gzip: 'gzip',
  zst: 'zstd',
};

/** fpm's names to nfpm's. */
function compressionOf(name: string | undefined): string {
  const found = compressions[name ?? 'xz'];
  if (found === undefined) throw new Error(`fpm: no compression “${name}”`);
  return found;
}

/** nfpm takes Go's names, and writes each format's own. */
function goArchitecture(name: string | undefined): string {
  const found = { amd64: 'amd64', x86_64: 'amd64', arm64: 'arm64', aarch64: 'arm64' }[name ?? ''];
  if (found === undefined) throw new Error(`fpm: no architecture “${name}”`);
  return found;
}

/** `FROM=TO`; a folder ends with `/`. A link stays one. */
function content(mapping: string): object {
  const at = mapping.lastIndexOf('=');
  const from = mapping.slice(0, at);
  const dst = mapping.slice(at + 1);
  const owner = { owner: 'root', group: 'root' };
  const found = lstatSync(from.replace(/\/$/, ''));
  if (found.isSymbolicLink()) {
    return { src: readlinkSync(from), dst, type: 'symlink', file_info: owner };
  }
  return found.isDirectory()
    ? { src: from, dst, type: 'tree', file_info: owner }
    : { src: from, dst, file_info: { ...owner, mode: 0o644 } };
}

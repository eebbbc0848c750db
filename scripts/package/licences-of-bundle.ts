import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** One package that a bundle holds code of, as vite's `build.license` writes it for the pages. */
export interface BundledPackage {
  name: string;
  version: string;
  /** As its package.json has it: an SPDX expression. */
  identifier: string | null;
  text: string | null;
}

const packageJson = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
});

/** The packages that modules come from, each once, by name. Modules of the project itself are of none. */
export function packagesOf(moduleIds: Iterable<string>): BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  for (const id of moduleIds) {
    const folder = packageFolder(id.replace(/^\0/, '').replace(/\?.*$/, ''));
    if (folder !== null && !found.has(folder)) {
      found.set(folder, readPackage(folder));
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The nearest folder above whose package.json has a name: packages keep nameless ones for their module formats. */
function packageFolder(file: string): string | null {
  if (!file.includes('node_modules')) {
    return null;
  }
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && packageJson.safeParse(JSON.parse(readFileSync(manifest, 'utf8'))).success) {
      return folder;
    }
  }
  return null;
}

/** What a package says of itself, with the text of its licence. */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license } = packageJson.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const identifier = typeof license === 'string' ? license : (license?.type ?? null);
  return { name, version, identifier, text: licenceText(folder) };
}

/** The texts of the licence files in a folder, one after the other. */
export function licenceText(folder: string): string | null {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.length === 0 ? null : texts.join('\n\n');
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fillTemplate } from './package/fill-template.ts';
import { helperArchiveName } from './package/helper-archive.ts';

/**
 * `npm run manifests -- --version V --url URL --homepage URL --artifacts FOLDER --out FOLDER`: what krew, Homebrew and
 * winget are told of a release, from the templates of app/package/manifests and the packages themselves, which will lie
 * under that URL.
 */
const templates = join(dirname(dirname(fileURLToPath(import.meta.url))), 'app', 'package', 'manifests');

/** What the templates call a package, and its file. */
function artifacts(version: string): Readonly<Record<string, string>> {
  return {
    dmg: `lanyard-desktop-${version}-mac-universal.dmg`,
    exe: `lanyard-desktop-${version}-win-x64.exe`,
    cliLinuxX64: helperArchiveName(version, { platform: 'linux', architecture: 'x64' }),
    cliLinuxArm64: helperArchiveName(version, { platform: 'linux', architecture: 'arm64' }),
    cliMac: helperArchiveName(version, { platform: 'darwin', architecture: 'universal' }),
    cliWindows: helperArchiveName(version, { platform: 'win32', architecture: 'x64' }),
  };
}

function fail(text: string): never {
  console.error(`manifests: ${text}`);
  process.exit(1);
}

function option(name: string, value: string | undefined, rule: RegExp): string {
  return value !== undefined && rule.test(value)
    ? value
    : fail(`--${name} is missing, or not what it should be`);
}

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    url: { type: 'string' },
    homepage: { type: 'string' },
    artifacts: { type: 'string' },
    out: { type: 'string' },
  },
});
const version = option('version', values.version, /^\d+\.\d+\.\d+(-[\w.]+)?$/);
const folder = option('artifacts', values.artifacts, /./);
const out = option('out', values.out, /./);
const given: Record<string, string> = {
  version,
  url: option('url', values.url, /^https:\/\/[^\s"'{}]+$/).replace(/\/$/, ''),
  homepage: option('homepage', values.homepage, /^https:\/\/[^\s"'{}]+$/),
};
for (const [name, file] of Object.entries(artifacts(version))) {
  const path = join(folder, file);
  if (!existsSync(path)) {
    fail(`${path} is not there`);
  }
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  given[`${name}.name`] = file;
  given[`${name}.sha256`] = digest;
  // winget's are in capitals.
  given[`${name}.SHA256`] = digest.toUpperCase();
}
mkdirSync(out, { recursive: true });
for (const template of readdirSync(templates)) {
  const text = fillTemplate(readFileSync(join(templates, template), 'utf8'), given);
  writeFileSync(join(out, template.replace(/\.tmpl$/, '')), text);
}

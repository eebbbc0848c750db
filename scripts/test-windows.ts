import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from './debian-packages.ts';
import { fetchCrossTools, windowsElectron, windowsFolder } from './fetch-cross-tools.ts';
import { type Counts, countLibtest, countReport, type Report } from './test-counts.ts';
import { CrossCargo } from './windows/cross-cargo.ts';
import { buildKeytar } from './windows/cross-keytar.ts';
import { Wine } from './windows/wine.ts';
import { startXServer, type XServer } from './x-server.ts';

/**
 * `npm run test:windows [NAME…]`: builds helper and addon for Windows, and runs their own tests, the broker’s suites and
 * those of test/platform there: under wine, in Node.js for Windows; and the desktop app on an older Electron for Windows,
 * where that and Xvfb can be had. With NAME only the vitest files whose path contains one. The last line counts them.
 * Exits with 0, and says why in that line, where what it needs can’t be had.
 */
const root = dirname(import.meta.dirname);
const work = join(root, '.cache', 'windows');
const tree = join(work, 'tree');
const names = process.argv.slice(2);
const keytarAddon = join('node_modules', 'keytar', 'build', 'Release', 'keytar.node');

/** Crates that run on Windows, with the kinds of targets whose tests do. */
const crates = ['lanyard-windows', 'lanyard-native', 'lanyard-helper'];
const crateArguments = crates.flatMap((crate) => ['-p', crate]);

function skip(why: string): never {
  console.log(`Windows tests: skipped, since ${why}`);
  process.exit(0);
}

/** Runs it, prints what it printed, and hands that back with its exit code. */
function runInWine(wine: Wine, words: readonly string[], seconds: number, cwd: string) {
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => openSync(join(work, name), 'w'));
  const done = wine.run(words, {
    ...{ cwd, seconds, output: { stdout: stdout ?? 1, stderr: stderr ?? 2 } },
    env: { NO_COLOR: '1', LANYARD_LONG: process.env['LANYARD_LONG'] },
  });
  for (const descriptor of [stdout, stderr]) {
    closeSync(descriptor ?? 0);
  }
  const output = ['stdout', 'stderr'].map((name) => readFileSync(join(work, name), 'utf8')).join('');
  process.stdout.write(output);
  if (done.error !== undefined) {
    console.log(`${words[0]}: ${done.error.message}`);
  }
  return { code: done.status ?? 1, output };
}

/** The project, as links, with vitest’s bundler for Windows and what is built for it. */
function makeTree(cargo: CrossCargo): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const tracked = spawnSync('git', ['ls-files', '-z', '--others', '--cached', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of tracked.stdout
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(tree, file), { recursive: true });
  }
  // Hard links: wine shows the target of a symbolic one as the file’s own path.
  spawnSync('cp', ['-al', join(root, 'node_modules'), join(tree, 'node_modules')]);
  const bundler = join(tree, 'node_modules', '@rolldown', 'binding-win32-x64-msvc');
  cpSync(join(windowsFolder, 'bundler'), bundler, { recursive: true });
  const keytar = join(tree, keytarAddon);
  // Linux’ own is the same file as in node_modules, and stays there.
  rmSync(keytar, { force: true });
  buildKeytar(root, keytar, 'node.exe');
  const dist = join(tree, 'dist');
  cpSync(join(root, 'dist', 'main'), join(dist, 'main'), { recursive: true });
  cpSync(join(root, 'dist', 'renderer'), join(dist, 'renderer'), { recursive: true });
  mkdirSync(join(dist, 'bin'));
  mkdirSync(join(dist, 'native'));
  // As they are released: some of what Lanyard does with the helper’s file depends on its size.
  for (const { executable, filenames = [], target } of cargo.build([
    'build',
    '--release',
    ...crateArguments,
  ])) {
    if (executable !== null && target?.name === 'lanyard') {
      cpSync(executable, join(dist, 'bin', 'lanyard.exe'));
    }
    const library = filenames.find((file) => file.endsWith('lanyard_native.dll'));
    if (library !== undefined) {
      cpSync(library, join(dist, 'native', 'lanyard.node'));
    }
  }
  const sockets = `file:///Z:${join(tree, 'scripts', 'windows', 'wine-sockets.mjs')}`;
  const start = {
    version: 1,
    command: [
      ...['C:\\node.exe', '--import', sockets, '--expose-gc', '--disable-warning=ExperimentalWarning'],
      `Z:${join(dist, 'main', 'agent.js').replaceAll('/', '\\')}`,
    ],
  };
  writeFileSync(join(dist, 'bin', 'start.json'), JSON.stringify(start));
  writeFileSync(join(dist, 'native', 'built'), '');
  chmodSync(tree, 0o700);
}

/** The X server for the desktop app. Null, and a line that says why, where the app can’t run. */
async function openDisplay(): Promise<XServer | null> {
  try {
    fetchCrossTools(['electron']);
    return await startXServer();
  } catch (error) {
    console.log(`without the desktop app: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Builds it there, as test:electron does here, with npm’s packages for Windows. */
function buildDesktopApp(): void {
  mkdirSync(join(tree, '.cache'));
  run('cp', ['-al', windowsElectron, join(tree, '.cache', 'real-electron')], tree);
  const ofWindows = ['npm_config_os=win32', 'npm_config_cpu=x64'];
  run('env', [...ofWindows, process.execPath, 'test/real-electron/build.ts'], tree);
  buildKeytar(root, join(tree, '.cache', 'real-electron-app', keytarAddon), 'electron.exe');
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  skip('it is for Linux on x64; on Windows itself: npm test');
}
try {
  fetchCrossTools(['rust', 'windows']);
} catch (error) {
  skip(`wine, MinGW or Rust’s sources can’t be had: ${error instanceof Error ? error.message : error}`);
}

process.umask(0o077);
const server = await openDisplay();
const wine = new Wine(join(work, 'wine'), server?.display);
const cargo = new CrossCargo(root);
const all: Counts = { passed: 0, failed: 0, skipped: 0 };
const add = ({ passed, failed, skipped }: Counts) => {
  all.passed += passed;
  all.failed += failed;
  all.skipped += skipped;
};
try {
  wine.prepare();
  makeTree(cargo);
  if (server !== null) {
    buildDesktopApp();
  }
  if (names.length === 0) {
    for (const { executable, target } of cargo.build(['test', '--no-run', ...crateArguments])) {
      if (executable?.includes('/deps/') && target?.name !== 'lanyard') {
        console.log(`\n${target?.name} (${basename(executable)})`);
        const { code, output } = runInWine(wine, [executable], 300, tree);
        add(countLibtest(output, code));
      }
    }
  }
  const file = join(work, 'vitest.json');
  rmSync(file, { force: true });
  const vitest = ['C:\\node.exe', 'node_modules/vitest/vitest.mjs', 'run', ...names];
  const { code } = runInWine(
    wine,
    [
      ...[...vitest, '--config', 'test/platform/vitest.config.ts'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=Z:${file}`],
    ],
    process.env['LANYARD_LONG'] === '1' ? 3_600 : 1_200,
    tree,
  );
  add(countReport(JSON.parse(readFileSync(file, 'utf8')) as Report, code));
} catch (error) {
  console.error(`test:windows: ${error instanceof Error ? error.message : error}`);
  all.failed += 1;
} finally {
  wine.end();
  server?.end();
}
console.log(`Windows tests: ${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`);
process.exit(all.failed === 0 ? 0 : 1);

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
import { fetchCrossTools, windowsFolder } from './fetch-cross-tools.ts';
import { CrossCargo } from './windows/cross-cargo.ts';
import { Wine } from './windows/wine.ts';

/**
 * `npm run test:windows [NAME…]`: builds helper and addon for Windows, and runs their own tests, the broker’s suites and
 * those of test/platform there: under wine, in Node.js for Windows. With NAME only the vitest files whose path contains
 * one. Exits with 0, and says why, where what it needs can’t be had.
 */
const root = dirname(import.meta.dirname);
const work = join(root, '.cache', 'windows');
const tree = join(work, 'tree');
const names = process.argv.slice(2);

/** Crates that run on Windows, with the kinds of targets whose tests do. */
const crates = ['lanyard-windows', 'lanyard-native', 'lanyard-helper'];
const crateArguments = crates.flatMap((crate) => ['-p', crate]);

function skip(why: string): never {
  console.log(`Windows tests: skipped, since ${why}`);
  process.exit(0);
}

/** Runs it and streams what it prints. */
function runInWine(wine: Wine, words: readonly string[], seconds: number, cwd: string): number {
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => openSync(join(work, name), 'w'));
  const done = wine.run(words, {
    ...{ cwd, seconds, output: { stdout: stdout ?? 1, stderr: stderr ?? 2 } },
    env: { NO_COLOR: '1', LANYARD_LONG: process.env['LANYARD_LONG'] },
  });
  for (const [descriptor, name] of [
    [stdout, 'stdout'],
    [stderr, 'stderr'],
  ] as const) {
    closeSync(descriptor ?? 0);
    process.stdout.write(readFileSync(join(work, name), 'utf8'));
  }
  if (done.error !== undefined) {
    console.log(`${words[0]}: ${done.error.message}`);
  }
  return done.status ?? 1;
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
  const dist = join(tree, 'dist');
  cpSync(join(root, 'dist', 'main'), join(dist, 'main'), { recursive: true });
  cpSync(join(root, 'dist', 'renderer'), join(dist, 'renderer'), { recursive: true });
  mkdirSync(join(dist, 'bin'));
  mkdirSync(join(dist, 'native'));
  for (const { executable, filenames = [], target } of cargo.build(['build', ...crateArguments])) {
    if (executable !== null && target?.name === 'lanyard') {
      cpSync(executable, join(dist, 'bin', 'lanyard.exe'));
    }
    const library = filenames.find((file) => file.endsWith('lanyard_native.dll'));
    if (library !== undefined) {
      cpSync(library, join(dist, 'native', 'lanyard.node'));
    }
  }
  const agent = ['C:\\node.exe', '--expose-gc', '--disable-warning=ExperimentalWarning'];
  const start = {
    version: 1,
    command: [...agent, `Z:${join(dist, 'main', 'agent.js').replaceAll('/', '\\')}`],
  };
  writeFileSync(join(dist, 'bin', 'start.json'), JSON.stringify(start));
  writeFileSync(join(dist, 'native', 'built'), '');
  chmodSync(tree, 0o700);
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
const wine = new Wine(join(work, 'wine'));
const cargo = new CrossCargo(root);
let failed = 0;
try {
  wine.prepare();
  makeTree(cargo);
  if (names.length === 0) {
    for (const { executable, target } of cargo.build(['test', '--no-run', ...crateArguments])) {
      if (executable?.includes('/deps/') && target?.name !== 'lanyard') {
        console.log(`\n${target?.name} (${basename(executable)})`);
        const code = runInWine(wine, [executable], 300, tree);
        failed += code === 0 ? 0 : 1;
      }
    }
  }
  const vitest = [
    'C:\\node.exe',
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/platform/vitest.config.ts',
  ];
  failed += runInWine(wine, [...vitest, ...names], 1_200, tree) === 0 ? 0 : 1;
} catch (error) {
  console.error(`test:windows: ${error instanceof Error ? error.message : error}`);
  failed += 1;
} finally {
  wine.end();
}
process.exit(failed === 0 ? 0 : 1);

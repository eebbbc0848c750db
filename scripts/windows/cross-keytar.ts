import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { windowsFolder } from '../fetch-cross-tools.ts';

/** The lists of what node.exe and electron.exe export of Node-API, each in a file of node-api-headers. */
const exported = ['js_native_api', 'node_api'];

/**
 * Builds keytar’s addon for Windows, for this host alone, from the sources in node_modules, with MinGW: which has no delayed
 * loading, by which a released one finds its host. Throws where that fails.
 */
export function buildKeytar(root: string, into: string, host: 'node.exe' | 'electron.exe'): void {
  const headers = join(windowsFolder, 'node-api-headers');
  const keytar = join(root, 'node_modules', 'keytar', 'src');
  const work = join(root, '.cache', 'cross', 'keytar');
  mkdirSync(work, { recursive: true });
  mkdirSync(dirname(into), { recursive: true });
  const libraries = exported.map((name) => {
    const library = join(work, `lib${name}.a`);
    const list = join(work, `${name}.def`);
    // It names the host in its first line.
    writeFileSync(list, readFileSync(join(headers, 'def', `${name}.def`), 'utf8').replace('NODE.EXE', host));
    runMingw('dlltool', ['-d', list, '-l', library]);
    return library;
  });
  runMingw('g++-posix', [
    // Nothing of MinGW’s is there where it runs.
    ...['-shared', '-static', '-s', '-O1', '-w', '-DNAPI_VERSION=8', '-o', into],
    ...[join(headers, 'include'), join(root, 'node_modules', 'node-addon-api')].map((each) => `-I${each}`),
    ...['async.cc', 'main.cc', 'keytar_win.cc'].map((source) => join(keytar, source)),
    ...libraries,
  ]);
}

function runMingw(program: string, args: readonly string[]): void {
  const bin = join(windowsFolder, 'usr', 'bin');
  const done = spawnSync(join(bin, `x86_64-w64-mingw32-${program}`), args, {
    env: { ...process.env, PATH: [process.env['PATH'], bin].join(delimiter) },
    encoding: 'utf8',
  });
  if (done.status !== 0) {
    throw new Error(`${program}: ${done.error?.message ?? done.stderr}`);
  }
}

import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCargo } from './cargo.ts';

/**
 * Builds the helper and the addon with cargo and puts them under dist, with the start.json that names the broker
 * beside the helper, and the data plane's program there, too: where a package has it. Cargo decides what is stale; a
 * file that stays the same is not touched.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function isSame(content: Buffer, file: string, mode: number): boolean {
  try {
    return (statSync(file).mode & 0o777) === mode && readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/** By rename, so that a helper which runs keeps its file and nobody sees half of one. */
function place(content: Buffer, file: string, mode: number): void {
  if (isSame(content, file, mode)) return;
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, content, { mode });
  chmodSync(next, mode);
  renameSync(next, file);
}

function buildAll(): { helper: string; addon: string; dataPlane: string[] } {
  try {
    const target = cargo.hostTarget();
    return {
      helper: cargo.buildHelper(target),
      addon: cargo.buildAddon(target),
      dataPlane: cargo.buildDataPlane(target),
    };
  } catch (error) {
    console.error(`build:native: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

const beganAt = new Date();
const cargo = createCargo(root);
const isWindows = process.platform === 'win32';
const built = buildAll();

const helper = isWindows ? 'lanyard.exe' : 'lanyard';
// From dist/bin: a checkout that is copied or moved starts its own broker.
const node = `../../node_modules/node/bin/${isWindows ? 'node.exe' : 'node'}`;
// The same for a broker inside the app: app/small-heap.ts.
const flags = [
  // No debugger through a signal.
  '--disable-sigusr1',
  // A small nursery, in MiB: the broker lives long and answers short requests. Without it V8 lets the garbage of
  // thousands of requests lie in 48 MiB before it looks.
  '--max-semi-space-size=1',
  // What survived that goes when the heap has grown by so many percent: V8 waits for more where requests come fast.
  '--heap-growing-percent=50',
  // The broker looks through its heap itself once a large work is over.
  '--expose-gc',
  // Node 24 calls its SQLite experimental, on stderr, where the log is.
  '--disable-warning=ExperimentalWarning',
];
const start = { version: 1, command: [node, ...flags, '../main/agent.js'] };

place(readFileSync(built.helper), join(root, 'dist', 'bin', helper), 0o755);
for (const program of built.dataPlane) {
  place(readFileSync(program), join(root, 'dist', 'bin', basename(program)), 0o755);
}
place(readFileSync(built.addon), join(root, 'dist', 'native', 'lanyard.node'), 0o755);
place(Buffer.from(`${JSON.stringify(start, null, 2)}\n`), join(root, 'dist', 'bin', 'start.json'), 0o644);

// What was not changed keeps its time, so this file says when all of it was last built (test/support/built.ts).
const stamp = join(root, 'dist', 'native', 'built');
writeFileSync(stamp, '');
utimesSync(stamp, beganAt, beganAt);

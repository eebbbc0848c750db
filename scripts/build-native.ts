import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the helper and the addon with cargo and puts them under dist, with the start.json that names the broker
 * beside the helper. Cargo decides what is stale; a file that stays the same is not touched.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const workspace = join(root, 'native-helper');

/** Static and at a fixed address: the loader's work is half of a short process's life. Elsewhere it has no meaning. */
const staticFlags = '-C target-feature=+crt-static -C relocation-model=static';

function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): string {
  const result = spawnSync(command, args, {
    cwd: workspace,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (result.error !== undefined || result.status !== 0) {
    const why = result.error === undefined ? `exit code ${result.status}` : result.error.message;
    console.error(`build:native: ${command} ${args.join(' ')}: ${why}`);
    process.exit(1);
  }
  return result.stdout;
}

function hostTarget(): string {
  const host = /^host: (.+)$/m.exec(run('rustc', ['-vV']))?.[1];
  if (host === undefined) throw new Error('rustc -vV names no host');
  return host;
}

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

const beganAt = new Date();
const cargo = ['build', '--release', '--locked', '--quiet'];
const target = hostTarget();
const isWindows = process.platform === 'win32';

// With --target the flags reach the helper and its parts only, not build scripts; the addon has to stay a shared library.
run('cargo', [...cargo, '-p', 'lanyard-helper', '--bin', 'lanyard', '--target', target], {
  CARGO_TARGET_DIR: join(workspace, 'target'),
  RUSTFLAGS: process.platform === 'linux' ? staticFlags : '',
});
run('cargo', [...cargo, '-p', 'lanyard-native'], {
  CARGO_TARGET_DIR: join(workspace, 'target'),
  RUSTFLAGS: '',
});

const library = {
  darwin: 'liblanyard_native.dylib',
  win32: 'lanyard_native.dll',
}[process.platform as string];
const helper = isWindows ? 'lanyard.exe' : 'lanyard';
const node = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');
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
const start = { version: 1, command: [node, ...flags, join(root, 'dist', 'main', 'agent.js')] };

place(
  readFileSync(join(workspace, 'target', target, 'release', helper)),
  join(root, 'dist', 'bin', helper),
  0o755,
);
place(
  readFileSync(join(workspace, 'target', 'release', library ?? 'liblanyard_native.so')),
  join(root, 'dist', 'native', 'lanyard.node'),
  0o755,
);
place(Buffer.from(`${JSON.stringify(start, null, 2)}\n`), join(root, 'dist', 'bin', 'start.json'), 0o644);

// What was not changed keeps its time, so this file says when all of it was last built (test/support/built.ts).
const stamp = join(root, 'dist', 'native', 'built');
writeFileSync(stamp, '');
utimesSync(stamp, beganAt, beganAt);

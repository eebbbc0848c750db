import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { rustFolder, windowsFolder } from '../fetch-cross-tools.ts';

/** What it builds for: MinGW’s C runtime. A release is built for MSVC’s, on Windows itself. */
export const windowsTarget = 'x86_64-pc-windows-gnu';

/** A message of cargo’s, as `--message-format=json` prints it: what is read of one that names what was built. */
interface CargoArtifact {
  reason: string;
  executable: string | null;
  filenames?: string[];
  target?: { name: string; kind: string[] };
}

/** Cargo on Linux for Windows: with Debian’s Rust, its standard library from sources, and MinGW’s linker. */
export class CrossCargo {
  readonly #workspace: string;
  /** What it builds, and what it needs for that. */
  readonly #folder: string;

  constructor(root: string) {
    this.#workspace = join(root, 'native-helper');
    this.#folder = join(root, '.cache', 'cross');
  }

  /** Runs cargo with these words, and hands back what was built. Throws where it fails; what it says goes to stderr. */
  build(words: readonly string[]): CargoArtifact[] {
    this.#prepare();
    const std = ['-Zbuild-std=std,panic_abort', '--target', windowsTarget];
    const [command = '', ...more] = words;
    const args = [command, '--locked', '--quiet', '--message-format=json', ...std, ...more];
    const done = spawnSync('cargo', args, {
      cwd: this.#workspace,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    if (done.error !== undefined || done.status !== 0) {
      throw new Error(`cargo ${words.join(' ')}: ${done.error?.message ?? `exit code ${done.status}`}`);
    }
    return done.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as CargoArtifact)
      .filter(({ reason }) => reason === 'compiler-artifact');
  }

  #environment(): NodeJS.ProcessEnv {
    const mingw = (program: string) => join(windowsFolder, 'usr', 'bin', `x86_64-w64-mingw32-${program}`);
    return {
      ...process.env,
      PATH: [process.env['PATH'], join(windowsFolder, 'usr', 'bin')].join(delimiter),
      LD_LIBRARY_PATH: join(rustFolder, 'usr', 'lib', 'x86_64-linux-gnu'),
      RUSTC: join(rustFolder, 'usr', 'bin', 'rustc'),
      // -Zbuild-std is not for a stable compiler otherwise.
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_DIR: this.#folder,
      CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER: mingw('gcc-posix'),
      CC_x86_64_pc_windows_gnu: mingw('gcc-posix'),
      AR_x86_64_pc_windows_gnu: mingw('ar'),
      LIBNODE_PATH: join(this.#folder, 'libnode'),
    };
  }

  #prepare(): void {
    const run = (program: string, args: readonly string[]) => {
      const done = spawnSync(program, args, { env: this.#environment(), encoding: 'utf8' });
      if (done.status !== 0) {
        throw new Error(`${program}: ${done.error?.message ?? done.stderr}`);
      }
    };
    // The two objects that each program of MinGW’s begins and ends with: no part of std, so cargo doesn’t build them.
    const rustlib = join(rustFolder, 'usr', 'lib', 'rustlib', windowsTarget, 'lib');
    mkdirSync(rustlib, { recursive: true });
    const sources = join(rustFolder, 'usr', 'src');
    const source = readdirSync(sources).find((name) => name.startsWith('rustc-')) ?? '';
    for (const object of ['rsbegin', 'rsend']) {
      const to = join(rustlib, `${object}.o`);
      if (!existsSync(to)) {
        const from = join(sources, source, 'library', 'rtstartup', `${object}.rs`);
        run(this.#environment()['RUSTC'] ?? '', ['--target', windowsTarget, '--emit=obj', '-o', to, from]);
      }
    }
    // napi-build links with a library of Node’s for this target. Nothing of it is used: the addon finds Node-API in the
    // program that loads it.
    const libnode = join(this.#folder, 'libnode');
    if (!existsSync(join(libnode, 'libnode.dll.a'))) {
      mkdirSync(libnode, { recursive: true });
      writeFileSync(join(libnode, 'libnode.dll'), '');
      writeFileSync(join(libnode, 'node.def'), 'LIBRARY node.exe\nEXPORTS\nnapi_create_function\n');
      run(join(windowsFolder, 'usr', 'bin', 'x86_64-w64-mingw32-dlltool'), [
        ...['-d', join(libnode, 'node.def'), '-l', join(libnode, 'libnode.dll.a'), '-D', 'node.exe'],
      ]);
    }
  }
}

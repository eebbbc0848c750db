import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { windowsFolder } from '../fetch-cross-tools.ts';

/** Rust’s standard library asks this library for random bytes (ProcessPrng); wine 8 has none. */
const randomBytes = `
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE place, SIZE_T size) {
  return SystemFunction036(place, (ULONG)size);
}
`;

/** wine, with a Windows of its own in a folder. There drive Z: is this machine’s root. */
export class Wine {
  readonly #prefix: string;
  readonly #display: string;

  /** `display`: the X server that shows its windows; without one it has none. */
  constructor(prefix: string, display = '') {
    this.#prefix = prefix;
    this.#display = display;
  }

  /** Makes that Windows, where it isn’t there. Throws where that fails. */
  prepare(): void {
    const system = join(this.#prefix, 'drive_c', 'windows', 'system32');
    // What comes last.
    const tahoma = join(this.#prefix, 'drive_c', 'windows', 'Fonts', 'tahoma.ttf');
    if (existsSync(tahoma)) {
      return;
    }
    rmSync(this.#prefix, { recursive: true, force: true });
    mkdirSync(system, { recursive: true, mode: 0o700 });
    const mingw = join(windowsFolder, 'usr', 'x86_64-w64-mingw32', 'lib');
    copyFileSync(join(mingw, 'zlib1.dll'), join(system, 'zlib1.dll'));
    this.#must(this.run(['wineboot', '-i'], { seconds: 240 }), 'wineboot');
    this.#must(this.run(['winecfg', '-v', 'win10'], { seconds: 60 }), 'winecfg');
    const source = join(this.#prefix, 'random-bytes.c');
    writeFileSync(source, randomBytes);
    const gcc = join(windowsFolder, 'usr', 'bin', 'x86_64-w64-mingw32-gcc-posix');
    const library = join(system, 'bcryptprimitives.dll');
    const built = spawnSync(gcc, ['-shared', '-o', library, source, '-ladvapi32'], {
      env: { ...process.env, PATH: `${process.env['PATH']}:${join(windowsFolder, 'usr', 'bin')}` },
      encoding: 'utf8',
    });
    this.#must(built, 'gcc');
    copyFileSync(join(windowsFolder, 'node', 'bin', 'node.exe'), join(this.#prefix, 'drive_c', 'node.exe'));
    closeToOthers(join(this.#prefix, 'drive_c'));
    // The font of wine’s own dialogs. Without it Chromium’s search for a font ends in a stack overflow.
    const fonts = 'HKLM\\Software\\Microsoft\\Windows NT\\CurrentVersion\\Fonts';
    const name = ['/v', 'Tahoma (TrueType)', '/d', 'tahoma.ttf'];
    this.#must(this.run(['reg', 'add', fonts, ...name, '/f'], { seconds: 60 }), 'reg');
    copyFileSync(join(windowsFolder, 'usr', 'share', 'wine', 'fonts', 'tahoma.ttf'), tahoma);
  }

  /** Runs a Windows program. Its output goes to files or this process’s own: wine’s pipes are no sockets. */
  run(words: readonly string[], { cwd, env = {}, seconds, output }: WineRun): SpawnSyncReturns<string> {
    return spawnSync(join(windowsFolder, 'usr', 'lib', 'wine', 'wine64'), words, {
      cwd,
      env: { ...process.env, ...this.#environment(), ...env },
      stdio: output === undefined ? ['ignore', 'ignore', 'pipe'] : ['ignore', output.stdout, output.stderr],
      encoding: 'utf8',
      timeout: seconds * 1_000,
      killSignal: 'SIGKILL',
    });
  }

  /** Ends all programs of that Windows. */
  end(): void {
    spawnSync(join(windowsFolder, 'usr', 'lib', 'wine', 'wineserver'), ['-k'], {
      env: { ...process.env, ...this.#environment() },
    });
  }

  #environment(): NodeJS.ProcessEnv {
    const libraries = ['usr/lib', 'lib'].map((folder) => join(windowsFolder, folder, 'x86_64-linux-gnu'));
    return {
      WINEPREFIX: this.#prefix,
      WINEDEBUG: '-all',
      // No offer to fetch .NET and a browser.
      WINEDLLOVERRIDES: 'mscoree,mshtml=',
      DISPLAY: this.#display,
      LD_LIBRARY_PATH: libraries.join(':'),
    };
  }

  #must(done: SpawnSyncReturns<string>, what: string): void {
    if (done.status !== 0) {
      throw new Error(`${what}: ${done.error?.message ?? `exit code ${done.status}`} ${done.stderr ?? ''}`);
    }
  }
}

export interface WineRun {
  cwd?: string;
  /** Added to this process’s own. */
  env?: NodeJS.ProcessEnv;
  /** The program is ended after so long. */
  seconds: number;
  /** Descriptors of files. */
  output?: { stdout: number; stderr: number };
}

/**
 * As in a user’s profile: wine makes access lists of the modes, and a folder inherits from the one around it, even where
 * it is told not to.
 */
function closeToOthers(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      closeToOthers(join(folder, entry.name));
    }
  }
}

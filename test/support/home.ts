import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import paths from '../../main/contract/paths.json' with { type: 'json' };
import { assertBuilt } from './built.ts';
import { type Ended, type RunOptions, run } from './processes.ts';

type FileName = keyof typeof paths.files;

/** A throwaway home of Lanyard's, in a folder that also holds what belongs to the person around it. */
export interface TestHome {
  /** LANYARD_HOME, 0700. Its path is short, so that the socket's fits everywhere. */
  readonly path: string;
  /** The folder around it, 0700: CA files, kubeconfigs, passphrases. */
  readonly outside: string;
  /** HOME, LANYARD_HOME and XDG variables that point into it, for every program of the test. */
  readonly env: Readonly<Record<string, string>>;
  /** Where Lanyard keeps something, by its name in main/contract/paths.json. */
  file(name: FileName): string;
  /** Writes config.yaml; an object is written as JSON, which is YAML too. Relative paths in it are `path`'s. */
  writeConfig(config: string | object): void;
  /** Writes a file beside the home and hands back its absolute path; 0600 unless told otherwise. */
  write(name: string, text: string | Uint8Array, mode?: number): string;
  /** Runs the built helper, `dist/bin/lanyard`, with this home. */
  lanyard(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Removes everything. */
  dispose(): void;
}

const repository = join(import.meta.dirname, '..', '..');

/** The helper as `npm run build` makes it. */
export const builtHelper = join(repository, 'dist', 'bin', 'lanyard');

/** Makes a home without a config. On POSIX under /tmp: the usual temporary folder of macOS is too long a path. */
export function makeHome(): TestHome {
  const parent = process.platform === 'win32' ? tmpdir() : realpathSync('/tmp');
  const outside = mkdtempSync(join(parent, 'ly-'));
  const path = join(outside, 'h');
  const user = join(outside, 'user');
  for (const folder of [path, user]) {
    mkdirSync(folder, { mode: 0o700 });
  }
  const env = {
    LANYARD_HOME: path,
    HOME: user,
    XDG_CONFIG_HOME: join(user, '.config'),
    XDG_DATA_HOME: join(user, '.local', 'share'),
    TMPDIR: outside,
  };
  const write: TestHome['write'] = (name, text, mode = 0o600) => {
    const file = join(outside, name);
    writeFileSync(file, text, { mode });
    // The mode above counts for a new file only, and less the umask.
    chmodSync(file, mode);
    return file;
  };
  return {
    path,
    outside,
    env,
    file: (name) => join(path, paths.files[name]),
    writeConfig: (config) => {
      const text = typeof config === 'string' ? config : JSON.stringify(config, null, 2);
      writeFileSync(join(path, paths.files.config), text, { mode: 0o600 });
    },
    write,
    lanyard: (args, options = {}) => {
      assertBuilt();
      return run(builtHelper, args, { ...options, env: { ...env, ...options.env } });
    },
    dispose: () => rmSync(outside, { recursive: true, force: true, maxRetries: 5 }),
  };
}

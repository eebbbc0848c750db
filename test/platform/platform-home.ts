import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, type Running, run, start } from '../support/processes.ts';

const repository = join(import.meta.dirname, '..', '..');
const isWindows = process.platform === 'win32';

/** The helper as it was built for this system. */
export const builtHelper = join(repository, 'dist', 'bin', isWindows ? 'lanyard.exe' : 'lanyard');
const passphrase = 'correct horse battery staple';

/** What Windows itself needs of the environment. */
const ofWindows = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERNAME'];

/** A user’s folders on this system, and Lanyard’s home in them. Nothing of the real user’s is touched. */
export class PlatformHome {
  /** A short path: that of a socket has a limit, and macOS’ usual temporary folder is long. */
  readonly outside = mkdtempSync(join(isWindows ? tmpdir() : realpathSync('/tmp'), 'ly-'));
  readonly path: string;
  readonly passphraseFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #running: Running[] = [];

  /** `named`: by LANYARD_HOME; else it is where it is without that. */
  constructor({ named = true }: { named?: boolean } = {}) {
    const folders = isWindows ? this.#windowsFolders() : this.#unixFolders();
    this.path = folders.home;
    this.passphraseFile = join(this.outside, 'passphrase');
    writeFileSync(this.passphraseFile, `${passphrase}\n`, { mode: 0o600 });
    this.env = { ...folders.env, ...(named ? { LANYARD_HOME: this.path } : {}) };
  }

  #windowsFolders() {
    const [local, roaming] = [join(this.outside, 'Local'), join(this.outside, 'Roaming')];
    const system = Object.fromEntries(ofWindows.map((name) => [name, process.env[name] ?? '']));
    const root = system['SystemRoot'] ?? '';
    return {
      home: join(local, 'Lanyard'),
      env: {
        ...system,
        PATH: `${root}\\system32;${root}`,
        USERPROFILE: this.outside,
        LOCALAPPDATA: local,
        APPDATA: roaming,
      },
    };
  }

  #unixFolders() {
    const user = join(this.outside, 'u');
    const data = join(user, '.local', 'share');
    const home =
      process.platform === 'darwin'
        ? join(user, 'Library', 'Application Support', 'Lanyard')
        : join(data, 'lanyard');
    const env = { HOME: user, XDG_DATA_HOME: data, XDG_CONFIG_HOME: join(user, '.config') };
    return { home, env };
  }

  /** What is in config.yaml before the first start is approved with the vault. Only for a named home. */
  writeConfig(config: object): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.path, 'config.yaml'), JSON.stringify({ version: 1, ...config }), { mode: 0o600 });
  }

  /** Writes a file beside the home, for this user alone, and hands back its path. */
  write(name: string, text: string): string {
    const file = join(this.outside, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  /** Starts the helper, which runs on, without input. */
  begin(args: readonly string[]): Running {
    const running = start(builtHelper, args, { env: this.env });
    running.closeInput();
    return running;
  }

  /** Runs the helper. */
  lanyard(
    args: readonly string[],
    { input, env = {} }: { input?: string; env?: Record<string, string> } = {},
  ): Promise<Ended> {
    return run(builtHelper, args, {
      env: { ...this.env, ...env },
      ...(input === undefined ? {} : { input }),
      timeoutMilliseconds: 100_000,
    });
  }

  /** Starts a broker with the passphrase, and waits until it listens. Throws with its log where it doesn’t. */
  async startAgent({
    words = ['--passphrase-file', this.passphraseFile],
    env = {},
  }: {
    words?: readonly string[];
    env?: Record<string, string>;
  } = {}): Promise<Running> {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    if (words.includes(this.passphraseFile) && process.platform === 'linux') {
      const { seedVault } = await import('../support/seed-vault.ts');
      await seedVault({ path: this.path, file: (name) => join(this.path, name) }, passphrase);
    }
    const running = start(builtHelper, ['agent', ...words], { env: { ...this.env, ...env } });
    this.#running.push(running);
    running.closeInput();
    await running.waitForLine(/\bagent\.listening\b/, 60_000);
    return running;
  }

  /** The broker’s pid, as it says itself. */
  async brokerPid(): Promise<number> {
    return JSON.parse((await this.lanyard(['status', '--json'])).stdout).broker.pid;
  }

  /** Kills the broker, and waits until what started it has ended. */
  async killBroker(): Promise<void> {
    process.kill(await this.brokerPid(), 'SIGKILL');
    await this.ended();
  }

  /** Waits until all that was started has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.map(({ ended }) => ended));
  }

  async dispose(): Promise<void> {
    if (this.#running.some((each) => each.isRunning())) {
      await this.killBroker();
    }
    rmSync(this.outside, { recursive: true, force: true, maxRetries: 5 });
  }
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, type Running, run, start } from '../support/processes.ts';

const repository = join(import.meta.dirname, '..', '..');
/** The helper as it was built for Windows. */
export const builtHelper = join(repository, 'dist', 'bin', 'lanyard.exe');
const passphrase = 'correct horse battery staple';

/** What Windows itself needs of the environment. */
const ofSystem = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERNAME'];

/** A user’s folders, and Lanyard’s home in them. */
export class WindowsHome {
  readonly outside = mkdtempSync(join(tmpdir(), 'ly-'));
  readonly path: string;
  readonly passphraseFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #running: Running[] = [];

  /** `named`: by LANYARD_HOME; else it is the one under LOCALAPPDATA. */
  constructor({ named = true }: { named?: boolean } = {}) {
    const local = join(this.outside, 'Local');
    const roaming = join(this.outside, 'Roaming');
    this.path = join(local, 'Lanyard');
    for (const folder of [local, roaming]) {
      mkdirSync(folder, { recursive: true });
    }
    this.passphraseFile = join(this.outside, 'passphrase');
    writeFileSync(this.passphraseFile, `${passphrase}\n`);
    this.env = {
      ...Object.fromEntries(ofSystem.flatMap((name) => [[name, process.env[name] ?? '']])),
      PATH: `${process.env['SystemRoot']}\\system32;${process.env['SystemRoot']}`,
      USERPROFILE: this.outside,
      LOCALAPPDATA: local,
      APPDATA: roaming,
      ...(named ? { LANYARD_HOME: this.path } : {}),
    };
  }

  /** What is in config.yaml before the first start is approved with the vault. */
  writeConfig(config: object): void {
    mkdirSync(this.path, { recursive: true });
    writeFileSync(join(this.path, 'config.yaml'), JSON.stringify({ version: 1, ...config }));
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

  /** Starts a broker, and waits until it listens. Throws with its log where it doesn’t. */
  async startAgent(...args: string[]): Promise<Running> {
    const running = start(builtHelper, ['agent', '--passphrase-file', this.passphraseFile, ...args], {
      env: this.env,
    });
    this.#running.push(running);
    running.closeInput();
    await running.waitForLine(/\bagent\.listening\b/, 60_000);
    return running;
  }

  /** The broker’s pid, as it says itself. */
  async brokerPid(): Promise<number> {
    return JSON.parse((await this.lanyard(['status', '--json'])).stdout).broker.pid;
  }

  async dispose(): Promise<void> {
    // The helper waits for the broker that it started: both end with that.
    for (const running of this.#running.filter((each) => each.isRunning())) {
      process.kill(await this.brokerPid(), 'SIGKILL');
      await running.ended;
    }
    rmSync(this.outside, { recursive: true, force: true, maxRetries: 5 });
  }
}

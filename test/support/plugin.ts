import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteForShell } from './pty.ts';

/** What a run of a test plugin found and did. */
export interface PluginRun {
  /** From 1, in order of their starts. */
  number: number;
  pid: number;
  args: string[];
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  stdin: 'terminal' | 'nothing' | 'other';
  /** KUBERNETES_EXEC_INFO, parsed; null where it isn't set. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
  info: any;
  /** Linux: its session, its group and its terminal's foreground group (-1: no terminal). */
  session: { id: number; group: number; foreground: number } | null;
  /** It came to its own end with exit code 0. */
  ended: boolean;
  /** Of `calls`: how the command ended that it ran itself. */
  called: { code: number; stdout: string; stderr: string } | null;
}

/** What `good` holds. */
export interface PluginAnswer {
  apiVersion?: string;
  /** `@RUN@` stands for the run's number. Null: none. */
  token?: string | null;
  /** PEM. */
  clientCertificateData?: string;
  clientKeyData?: string;
  /** Seconds from the run on; null: no expirationTimestamp. */
  expiresIn?: number | null;
}

/**
 * A wrapped exec plugin (KEP-541) for tests: a shell script in a folder of its own, which notes each of its runs. What
 * it does is chosen by `does`, or by an argument `do=…`, which wins; test/support/plugins/README.md lists what there is.
 *
 *     const plugin = makePlugin();
 *     config.accounts.eks = plugin.account({ environment: ['AWS_PROFILE'] });
 *     …
 *     expect(credentialIn(await stage.ask('eks')).token).toBe(plugin.token(1));
 *     expect(plugin.runs()).toHaveLength(1);
 *     plugin.does('exit:2');
 *     plugin.dispose();
 */
export interface TestPlugin {
  /** Absolute. */
  readonly command: string;
  readonly folder: string;
  /** The account that runs it: v1, Never and no arguments unless told otherwise. */
  account(fields?: Readonly<Record<string, unknown>>): { execPlugin: Record<string, unknown> };
  /** From now on, for runs without `do=…`. */
  does(what: string): void;
  /** From now on. A token with the run's number in it, good for an hour, unless told otherwise. */
  answers(answer: PluginAnswer): void;
  /** What the answer's token is in the run of this number, where `answers` said none. */
  token(run: number): string;
  /** Of `prompt`, `password` and `variable`: the token of the answer for what was typed or set. */
  tokenFor(said: string): string;
  /** Lets runs of `held` go on, and those that follow. */
  release(): void;
  /** From now on runs of `held` wait again. */
  hold(): void;
  /** The command that `calls` runs: a line for a POSIX shell. */
  calls(line: string): void;
  /** All that have begun. */
  runs(): PluginRun[];
  /** Linux: pids of all that is left of its runs, wherever it went. */
  processes(): number[];
  /** Kills what is left, and removes the folder. */
  dispose(): void;
}

const good = 'client.authentication.k8s.io/v1';
const script = join(import.meta.dirname, 'plugins', 'plugin.sh');

/** Writes the plugin into a new folder below `parent` (the temporary folder unless told otherwise). */
export function makePlugin({ parent = tmpdir(), name = 'plugin' } = {}): TestPlugin {
  const folder = mkdtempSync(join(parent, 'plugin-'));
  const answersFolder = join(folder, 'answers');
  mkdirSync(join(folder, 'runs'));
  mkdirSync(answersFolder);
  const command = join(folder, name);
  writeFileSync(
    command,
    readFileSync(script, 'utf8').replace('@FOLDER@', () => quoteForShell(folder)),
  );
  chmodSync(command, 0o755);

  const prefix = `plugin-${randomBytes(6).toString('hex')}`;
  const write = (file: string, { apiVersion = good, expiresIn = 3600, ...status }: PluginAnswer) => {
    const expirationTimestamp = expiresIn === null ? undefined : `@END${expiresIn}@`;
    const { token = `${prefix}-@RUN@`, ...pair } = status;
    const answer = {
      apiVersion,
      kind: 'ExecCredential',
      status: { ...(token !== null && { token }), ...pair, expirationTimestamp },
    };
    writeFileSync(join(answersFolder, file), JSON.stringify(answer));
  };
  const pem = (label: string) => `-----BEGIN ${label}-----\nMAA=\n-----END ${label}-----\n`;
  write('good', {});
  write('said', { token: `${prefix}-said-@SAID@` });
  write('expired', { expiresIn: -3600 });
  write('no-expiry', { expiresIn: null });
  write('wrong-version', { apiVersion: 'client.authentication.k8s.io/v1beta1' });
  write('certificate-alone', { token: null, clientCertificateData: pem('CERTIFICATE') });
  write('key-alone', { token: null, clientKeyData: pem('PRIVATE KEY') });
  write('nothing', { token: null });
  writeFileSync(
    join(answersFolder, 'no-status'),
    JSON.stringify({ apiVersion: good, kind: 'ExecCredential' }),
  );
  writeFileSync(join(answersFolder, 'wrong-kind'), JSON.stringify({ apiVersion: good, kind: 'Secret' }));
  writeFileSync(join(answersFolder, 'garbage'), 'Welcome! {"apiVersion": \u001b[2J');

  return {
    command,
    folder,
    account: (fields = {}) => ({
      execPlugin: { apiVersion: good, command, interactiveMode: 'Never', ...fields },
    }),
    does: (what) => writeFileSync(join(folder, 'does'), `${what}\n`),
    answers: (answer) => write('good', answer),
    token: (run) => `${prefix}-${run}`,
    tokenFor: (said) => `${prefix}-said-${said}`,
    release: () => writeFileSync(join(folder, 'go'), ''),
    hold: () => rmSync(join(folder, 'go'), { force: true }),
    calls: (line) => writeFileSync(join(folder, 'calls'), `${line}\n`),
    runs: () => readRuns(join(folder, 'runs')),
    processes: () => processesOf(folder),
    dispose: () => {
      for (const pid of processesOf(folder)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function readRuns(folder: string): PluginRun[] {
  return readdirSync(folder)
    .filter((number) => existsSync(join(folder, number, 'begun')))
    .map((number) => readRun(Number(number), join(folder, number)))
    .sort((a, b) => a.number - b.number);
}

function readRun(number: number, folder: string): PluginRun {
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  const list = (name: string) => file(name).split('\0').slice(0, -1);
  const env = Object.fromEntries(
    list('env').map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
  const info = env['KUBERNETES_EXEC_INFO'];
  // After the name in parentheses: state, parent, group, session, terminal, the terminal's foreground group.
  const [, , group, id, , foreground] = file('stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return {
    number,
    pid: Number(file('pid')),
    args: list('args'),
    env,
    cwd: file('cwd'),
    stdin: file('stdin').trim() as PluginRun['stdin'],
    info: info === undefined ? null : JSON.parse(info),
    session:
      id === undefined || group === undefined || foreground === undefined ? null : { id, group, foreground },
    ended: existsSync(join(folder, 'ended')),
    called: existsSync(join(folder, 'called.code'))
      ? { code: Number(file('called.code')), stdout: file('called.stdout'), stderr: file('called.stderr') }
      : null,
  };
}

function processesOf(folder: string): number[] {
  if (process.platform !== 'linux') {
    return [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        holds(`/proc/${pid}/environ`, `PLUGIN_RUN=${folder}/`) || holds(`/proc/${pid}/cmdline`, folder),
    )
    .map(Number);
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'latin1').includes(text);
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}

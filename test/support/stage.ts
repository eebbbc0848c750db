import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type AgentOptions, startAgent, type TestAgent } from './agent.ts';
import {
  type CertificateAuthority,
  createCa,
  createIntermediateCa,
  type IssuedCertificate,
  issueClientCertificate,
} from './certificates.ts';
import { builtHelper, makeHome, type TestHome } from './home.ts';
import { type Kubectl, runKubectl } from './kubectl.ts';
import {
  type KubernetesApi,
  type KubernetesApiOptions,
  type KubernetesUser,
  startKubernetesApi,
} from './kubernetes-api.ts';
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from './openid-provider.ts';
import { type Ended, type Running, type RunOptions, run, start } from './processes.ts';
import { type OnTerminal, startOnTerminal } from './pty.ts';

export interface StageConfig {
  accounts: Record<string, object>;
  clusters: Record<string, object>;
  registries?: Record<string, object>;
  inventories?: Record<string, object>;
  terminal?: object;
}

export interface StageOptions {
  provider?: OpenIdProviderOptions;
  /** Adds to the config before the broker first starts, so that it counts as confirmed. */
  extend?: (config: StageConfig, stage: Omit<Stage, 'agent'>) => void | Promise<void>;
  agent?: Omit<AgentOptions, 'home'>;
  /** Starts the broker: `dist/bin/lanyard agent` unless told otherwise. */
  startAgent?: ((options: AgentOptions) => Promise<TestAgent>) | undefined;
  /** Names in the API server's certificate; `127.0.0.1` and `localhost` unless told otherwise. */
  apiHosts?: readonly string[];
  /** The API server takes these tokens, too. */
  tokens?: Readonly<Record<string, KubernetesUser>>;
  /**
   * How kubectl finds clusters: the user was never asked, so that commands on a terminal ask; or agreed to contexts in
   * this file. Unless told otherwise they wanted neither.
   */
  kubectl?: 'unasked' | { file: string };
  /** More of the API server. */
  more?: KubernetesApiOptions['more'];
}

/** What a client tells in KUBERNETES_EXEC_INFO. */
export interface Told {
  apiVersion?: string;
  interactive?: boolean;
  /** Fields of spec.cluster over those of the stage's API server; null tells no cluster at all. */
  cluster?: Record<string, unknown> | null;
}

export const stagePassphrase = 'the stage’s passphrase';

/** All parts of the main job, real: provider, API server, home, broker; the helper and kubectl are run in it. */
export class Stage {
  readonly home: TestHome;
  readonly provider: OpenIdProvider;
  readonly api: KubernetesApi;
  readonly clientCa: CertificateAuthority;
  /** The certificate of the account `ops`, issued by an intermediate. */
  readonly opsCertificate: IssuedCertificate;
  /** The token of the account `bot`. */
  readonly botToken: string;
  readonly #agentOptions: Omit<AgentOptions, 'home'>;
  readonly #start: (options: AgentOptions) => Promise<TestAgent>;
  readonly #running = new Set<{ dispose(): Promise<void> }>();
  #agent: TestAgent | null = null;
  #agentLogs = '';

  private constructor(
    parts: Pick<Stage, 'home' | 'provider' | 'api' | 'clientCa' | 'opsCertificate' | 'botToken'>,
    agentOptions: Omit<AgentOptions, 'home'>,
    start: (options: AgentOptions) => Promise<TestAgent>,
  ) {
    this.home = parts.home;
    this.provider = parts.provider;
    this.api = parts.api;
    this.clientCa = parts.clientCa;
    this.opsCertificate = parts.opsCertificate;
    this.botToken = parts.botToken;
    this.#agentOptions = agentOptions;
    this.#start = start;
  }

  /**
   * Accounts `corp` (OpenID), `ops` (a certificate in the vault) and `bot` (a token in the vault), each with a
   * cluster at the same API server: `prod`, `prod-ops`, `prod-bot`. The broker runs; nobody is logged in.
   */
  static async open(options: StageOptions = {}): Promise<Stage> {
    const clientCa = await createCa('client CA');
    const provider = await startOpenIdProvider({ tls: {}, ...options.provider });
    const botToken = `bot-${randomBytes(12).toString('hex')}`;
    const api = await startKubernetesApi({
      oidc: {
        issuer: provider.issuer,
        jwksUri: provider.jwksUri,
        audience: provider.clientId,
        caPem: provider.caPem,
      },
      clientCa,
      ...(options.apiHosts && { hosts: options.apiHosts }),
      ...(options.more && { more: options.more }),
      staticTokens: { ...options.tokens, [botToken]: { name: 'bot', groups: [] } },
    });
    const opsCertificate = await issueClientCertificate(clientCa, {
      commonName: 'olga',
      organizations: ['operators'],
      intermediate: await createIntermediateCa(clientCa, 'intermediate'),
    });
    const home = makeHome();
    const parts = { home, provider, api, clientCa, opsCertificate, botToken };
    const agentOptions = { passphrase: stagePassphrase, ...options.agent };
    const stage = new Stage(parts, agentOptions, options.startAgent ?? startAgent);
    try {
      const config = stage.#config();
      await options.extend?.(config, stage);
      home.writeConfig({ version: 1, ...config });
      const { kubectl } = options;
      if (kubectl !== 'unasked') {
        const way = kubectl ? { kind: 'file', file: kubectl.file, list: [kubectl.file] } : { kind: 'none' };
        const state = { version: 1, way, seesManaged: false, written: {} };
        writeFileSync(home.file('userContexts'), JSON.stringify(state), { mode: 0o600 });
      }
      await stage.startAgent();
    } catch (error) {
      await stage.dispose();
      throw error;
    }
    return stage;
  }

  #config(): StageConfig {
    const certificateAuthority = this.home.write('cluster-ca.pem', this.api.caPem);
    const cluster = (account: string) => ({ server: this.api.server, certificateAuthority, account });
    return {
      accounts: {
        corp: this.oidcAccount(),
        ops: { clientCertificate: {} },
        bot: { staticToken: {} },
      },
      clusters: { prod: cluster('corp'), 'prod-ops': cluster('ops'), 'prod-bot': cluster('bot') },
    };
  }

  /** An account at the stage's provider, or another. */
  oidcAccount(provider: OpenIdProvider = this.provider, fields: object = {}) {
    const name = `provider-${new URL(provider.issuer).port}.pem`;
    return {
      oidc: {
        issuer: provider.issuer,
        clientId: provider.clientId,
        scopes: ['openid', 'offline_access', 'email', 'groups'],
        ...(provider.caPem === null ? {} : { certificateAuthority: this.home.write(name, provider.caPem) }),
        ...fields,
      },
    };
  }

  get agent(): TestAgent {
    if (!this.#agent) {
      throw new Error('no broker runs on this stage');
    }
    return this.#agent;
  }

  /** What all brokers of this stage logged. */
  agentLogs(): string {
    return this.#agentLogs + (this.#agent?.log() ?? '');
  }

  /** Starts the broker, also in place of one that has ended. */
  async startAgent(): Promise<TestAgent> {
    this.#agentLogs = this.agentLogs();
    await this.#agent?.dispose();
    this.#agent = null;
    this.#agent = await this.#start({ home: this.home, ...this.#agentOptions });
    return this.#agent;
  }

  lanyard(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.home.lanyard(args, options);
  }

  /** A person at a terminal runs `lanyard …`. */
  onTerminal(args: readonly string[], env: Record<string, string> = {}): OnTerminal {
    const terminal = startOnTerminal(builtHelper, args, { env: { ...this.home.env, TERM: 'xterm', ...env } });
    this.#running.add(terminal);
    return terminal;
  }

  /** A program that runs on; it ends with the stage at the latest. */
  start(command: string, args: readonly string[], options: RunOptions = {}): Running {
    const running = start(command, args, { ...options, env: { ...this.home.env, ...options.env } });
    this.#running.add(running);
    return running;
  }

  /** `secret set ops` and `secret set bot`. */
  async setSecrets(): Promise<void> {
    const pair = `${this.opsCertificate.chainPem}${this.opsCertificate.keyPem}`;
    for (const [account, input] of [
      ['ops', pair],
      ['bot', this.botToken],
    ] as const) {
      mustBeGood(await this.lanyard(['secret', 'set', account], { input }));
    }
  }

  /** Begins a login by device code without a terminal and hands it back with the code that it shows. */
  async beginLogin(account: string): Promise<{ running: Running; code: string }> {
    const running = this.start(builtHelper, ['login', account, '--device']);
    running.closeInput();
    const [, code = ''] = await running.waitForLine(codeLine);
    return { running, code };
  }

  /** A whole login by device code, approved by `login`. */
  async logIn(account = 'corp', login = 'alice'): Promise<void> {
    const { running, code } = await this.beginLogin(account);
    await this.provider.person.approveDevice(code, { login });
    mustBeGood(await running.ended);
  }

  /** `lanyard kubeconfig write`; gives the path that it prints. */
  async writeKubeconfig(apiVersion: 'v1' | 'v1beta1' = 'v1'): Promise<string> {
    const done = await this.lanyard(['kubeconfig', 'write', '--api-version', apiVersion]);
    mustBeGood(done);
    return done.stdout.trim();
  }

  kubectl(
    kubectl: Kubectl,
    kubeconfig: string,
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<Ended> {
    return runKubectl(kubectl, kubeconfig, args, { ...options, env: { ...this.home.env, ...options.env } });
  }

  /** KUBERNETES_EXEC_INFO as a client writes it for the stage's API server. */
  execInfo({ apiVersion = 'client.authentication.k8s.io/v1', interactive = false, cluster = {} }: Told = {}) {
    const known = {
      server: this.api.server,
      'certificate-authority-data': Buffer.from(this.api.caPem).toString('base64'),
    };
    return {
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive, ...(cluster !== null && { cluster: { ...known, ...cluster } }) },
    };
  }

  /** Runs the helper as client-go does. `info`: an object is written as JSON; null sets no variable. */
  ask(
    account: string,
    info: object | string | null = this.execInfo(),
    more: { args?: readonly string[]; options?: RunOptions } = {},
  ): Promise<Ended> {
    const text = info === null ? undefined : typeof info === 'string' ? info : JSON.stringify(info);
    const { env, ...options } = more.options ?? {};
    return run(this.home.file('helper'), ['kube-credential', '--account', account, ...(more.args ?? [])], {
      ...options,
      env: { ...this.home.env, KUBERNETES_EXEC_INFO: text, ...env },
    });
  }

  /** The same as a new process at a terminal: a person's own call. Both outputs are in `stderr`. */
  async askAtTerminal(account: string): Promise<Ended> {
    const line = `${this.home.file('helper')} kube-credential --account ${account}; exit $?`;
    const env = { ...this.home.env, KUBERNETES_EXEC_INFO: JSON.stringify(this.execInfo()) };
    const terminal = startOnTerminal('/bin/sh', ['-c', line], { env });
    this.#running.add(terminal);
    const ended = await terminal.ended;
    return { ...ended, stdout: '', stderr: terminal.shown().replaceAll('\r\n', '\n') };
  }

  /** What `lanyard status --json` says. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
  async status(): Promise<any> {
    const done = await this.lanyard(['status', '--json']);
    mustBeGood(done);
    return JSON.parse(done.stdout);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#running].map((running) => running.dispose()));
    await this.#agent?.dispose();
    await this.api.dispose();
    await this.provider.dispose();
    this.home.dispose();
  }
}

/** The line with which a login shows its code. */
export const codeLine = /enter the code (\S+)/;

/** Throws with all that it said where a program did not end well. */
export function mustBeGood(done: Ended): void {
  if (done.code !== 0) {
    throw new Error(`exit code ${done.code}: ${done.stderr}${done.stdout}`);
  }
}

/** The status of an ExecCredential. */
export function credentialIn(done: Ended): {
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
  expirationTimestamp?: string;
} {
  mustBeGood(done);
  return JSON.parse(done.stdout).status;
}

/** Looks again and again until `find` gives something. Throws after 30 s. */
export async function until<T>(
  find: () => T | null | undefined | Promise<T | null | undefined>,
  what: string,
) {
  const limit = performance.now() + 120_000;
  for (;;) {
    const found = await find();
    if (found !== null && found !== undefined) {
      return found;
    }
    if (performance.now() > limit) {
      throw new Error(`waited in vain for ${what}`);
    }
    await delay(50);
  }
}

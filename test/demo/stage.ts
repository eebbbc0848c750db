import { dirname } from 'node:path';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type CertificateAuthority, createCa } from '../support/certificates.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import type { TestPlugin } from '../support/plugin.ts';
import { type Ended, type Running, type RunOptions, start } from '../support/processes.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { type AuditLine, readAudit } from './audit.ts';
import type { DemoOptions } from './options.ts';
import type { Screen } from './screen.ts';

/** The names in the demo's config.yaml. */
export const names = {
  account: 'corp',
  cluster: 'prod',
  certificateAccount: 'ops',
  certificateCluster: 'prod-ops',
  pluginAccount: 'eks',
  pluginCluster: 'prod-eks',
} as const;

/** So short that the demo can wait for its end. */
const firstTokenSeconds = 12;
const stepMilliseconds = 60_000;

/** The parts of the demo, and the ways to use them. All that it starts ends with `dispose`. */
export class Stage {
  readonly options: DemoOptions;
  readonly screen: Screen;
  readonly home: TestHome;
  readonly kubectl: Kubectl;
  readonly provider: OpenIdProvider;
  /** The cluster. */
  readonly api: KubernetesApi;
  /** Another API server, which no token of the demo is meant for. */
  readonly stranger: KubernetesApi;
  readonly clientCa: CertificateAuthority;
  /** Where `lanyard kubeconfig write` wrote. */
  kubeconfig = '';
  /** The wrapped exec plugin, once it is there. */
  plugin: TestPlugin | null = null;
  /** When the token of the first login ends; milliseconds since 1970. */
  firstTokenEnd = 0;
  #agent: TestAgent | null = null;
  #starting: Promise<TestAgent> | null = null;
  #isOver = false;
  readonly #running = new Set<{ dispose(): Promise<void> }>();

  private constructor(parts: Pick<Stage, Parts>) {
    this.options = parts.options;
    this.screen = parts.screen;
    this.home = parts.home;
    this.kubectl = parts.kubectl;
    this.provider = parts.provider;
    this.api = parts.api;
    this.stranger = parts.stranger;
    this.clientCa = parts.clientCa;
  }

  /** Starts what is around the broker. Throws where there is no kubectl. */
  static async open(options: DemoOptions, screen: Screen): Promise<Stage> {
    const kubectl = findKubectls().newest;
    const clientCa = await createCa('Demo cluster client CA');
    const provider = await startOpenIdProvider({
      // A browser would warn of the demo's own CA; on loopback a provider may speak plain http.
      ...(options.browser ? { tls: null } : {}),
      lifetimes: { idTokenSeconds: firstTokenSeconds, accessTokenSeconds: firstTokenSeconds },
    });
    const oidc = {
      issuer: provider.issuer,
      jwksUri: provider.jwksUri,
      audience: provider.clientId,
      caPem: provider.caPem,
    };
    const [api, stranger] = await Promise.all([
      startKubernetesApi({ oidc, clientCa }),
      startKubernetesApi({ oidc }),
    ]);
    return new Stage({ options, screen, home: makeHome(), kubectl, provider, api, stranger, clientCa });
  }

  get agent(): TestAgent {
    if (this.#agent === null) {
      throw new Error('the broker does not run');
    }
    return this.#agent;
  }

  /** What the broker logged so far; empty where it never ran. */
  brokerLog(): string {
    return this.#agent?.log() ?? '';
  }

  /** Starts the broker, the first time with a new vault. */
  async startBroker(): Promise<TestAgent> {
    await this.#agent?.dispose();
    this.#refuseWhenOver();
    this.#starting = startAgent({ home: this.home, passphrase: 'only for this demo' });
    this.#agent = await this.#starting;
    return this.#agent;
  }

  /** A program's whole run; it ends when the demo is interrupted. */
  async run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const running = this.#keep(
      start(command, args, { ...options, env: { ...this.home.env, ...options.env } }),
    );
    if (options.input === undefined) {
      running.closeInput();
    }
    const timer = setTimeout(() => void running.dispose(), stepMilliseconds);
    try {
      return await running.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  /** `kubectl get pods`, as a person would type it; `args` go before. */
  getPods(args: readonly string[] = [], kubeconfig = this.kubeconfig): Promise<Ended> {
    return this.run(this.kubectl.path, [...args, 'get', 'pods'], { env: { KUBECONFIG: kubeconfig } });
  }

  lanyard(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.run(builtHelper, args, options);
  }

  /**
   * A command of Lanyard's on a terminal of its own: there what is typed is a person's own word
   * (rule: confirmed-binding).
   */
  lanyardOnTerminal(args: readonly string[]): OnTerminal {
    this.#refuseWhenOver();
    return this.#keep(startOnTerminal(builtHelper, args, { env: { ...this.home.env, TERM: 'xterm' } }));
  }

  /** Calls on record since `mark`, a former `auditMark()`. */
  async auditSince(mark: number): Promise<AuditLine[]> {
    const { stdout } = await this.lanyard(['audit', '--json', '--limit', '10000']);
    return readAudit(stdout).filter(({ id }) => id > mark);
  }

  async auditMark(): Promise<number> {
    return (await this.auditSince(0)).at(-1)?.id ?? 0;
  }

  /** The folder that holds `lanyard`, for somebody's PATH. */
  get helperFolder(): string {
    return dirname(builtHelper);
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    await this.#starting?.then(
      (agent) => agent.dispose(),
      () => undefined,
    );
    await Promise.all([...this.#running].map((running) => running.dispose()));
    await Promise.all([this.api.dispose(), this.stranger.dispose()]);
    await this.provider.dispose();
    this.home.dispose();
  }

  /** A step that goes on while everything is taken down must not start anything. */
  #refuseWhenOver(): void {
    if (this.#isOver) {
      throw new Error('the demo is over');
    }
  }

  #keep<T extends Pick<Running, 'dispose' | 'ended'>>(running: T): T {
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.ended.then(forget, forget);
    return running;
  }
}

type Parts = 'options' | 'screen' | 'home' | 'kubectl' | 'provider' | 'api' | 'stranger' | 'clientCa';

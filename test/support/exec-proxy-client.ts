import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGo, goPath, whyNoGo } from './go.ts';
import { type Ended, type Running, type RunOptions, run } from './processes.ts';
import { type Stage, until } from './stage.ts';

/** docs/examples/exec-proxy-client: the client’s side of KEP-2718. */
const module = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'exec-proxy-client');

/** Null where it can be built; else one line for whoever reads that a test was skipped. */
export const whyNoExecProxyClient = whyNoGo;

/** `test`: its own tests, as a program. The first time takes a minute. */
export function buildExecProxyClient(options: { test?: boolean } = {}): Promise<string> {
  const name = options.test ? 'exec-proxy-client.test' : 'exec-proxy-client';
  return buildGo(goPath(), name, { module, program: '.', ...options });
}

export interface KubeconfigOf {
  server: string;
  caPem: string;
  proxyUrl?: string;
  /** In place of the helper. */
  command?: string;
  account?: string;
}

/** The client on a stage whose clusters are behind the request proxy. */
export class ExecProxyClient {
  readonly #stage: Stage;
  readonly #program: string;

  private constructor(stage: Stage, program: string) {
    this.#stage = stage;
    this.#program = program;
  }

  static async on(stage: Stage): Promise<ExecProxyClient> {
    return new ExecProxyClient(stage, await buildExecProxyClient());
  }

  /** Runs it to its end. */
  async run(
    kubeconfig: string,
    args: readonly string[],
    { env, ...options }: RunOptions = {},
  ): Promise<Ended> {
    const words = ['--kubeconfig', kubeconfig, ...args];
    return run(this.#program, words, { ...options, env: { ...this.#stage.home.env, ...env } });
  }

  start(kubeconfig: string, args: readonly string[]): Running {
    return this.#stage.start(this.#program, ['--kubeconfig', kubeconfig, ...args]);
  }

  /** A kubeconfig of the user’s own that names the cluster’s own server, with the helper as its plugin. */
  kubeconfig(cluster: string, { server, caPem, proxyUrl, command, account = 'bot' }: KubeconfigOf): string {
    const { home } = this.#stage;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: command ?? home.file('helper'),
      args: ['kube-credential', '--account', account, '--cluster', cluster],
      interactiveMode: 'IfAvailable',
      provideClusterInfo: true,
    };
    const stated = {
      server,
      'certificate-authority-data': Buffer.from(caPem).toString('base64'),
      ...(proxyUrl && { 'proxy-url': proxyUrl }),
    };
    const name = cluster;
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: stated }],
      users: [{ name, user: { exec } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    });
    return home.write(`kubeconfig-of-${cluster}`, text);
  }

  /** Waits until no listener of a client’s own is left, nor its socket’s file. */
  async nothingListens(): Promise<void> {
    const { home } = this.#stage;
    await until(async () => {
      const { listeners, requests } = JSON.parse((await home.lanyard(['proxy', 'status', '--json'])).stdout);
      return listeners.length + requests + this.sockets().length === 0 ? true : null;
    }, 'the end of all listeners');
  }

  /** Files of sockets. */
  sockets(): string[] {
    const folder = this.#stage.home.file('proxySockets');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sock')) : [];
  }

  /** Lock files of its own that are there. */
  locks(): string[] {
    const folder = join(this.#stage.home.env['HOME'] ?? '', '.cache', 'exec-proxy-client');
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}

/** What the client counted: `no_error 0` with the number of calls. */
export function countedIn(file: string): Record<string, number> {
  const lines = readFileSync(file, 'utf8').matchAll(
    /^rest_client_exec_plugin_with_proxy_call_total\{call_status="(\w+)",code="(\d+)"\} (\d+)$/gm,
  );
  return Object.fromEntries(
    [...lines].map(([, status, code, count]) => [`${status} ${code}`, Number(count)]),
  );
}

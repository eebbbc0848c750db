import { setTimeout as delay } from 'node:timers/promises';
import { Disposables } from '../../main/base/disposables.ts';
import { startAgent, type TestAgent } from './agent.ts';
import { builtHelper, makeHome, type TestHome } from './home.ts';
import { type KubernetesApi, startKubernetesApi } from './kubernetes-api.ts';
import { openConnections } from './open-connections.ts';
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from './openid-provider.ts';
import { type Ended, type Running, start } from './processes.ts';
import { type OnTerminal, startOnTerminal } from './pty.ts';

export interface StormOptions {
  lifetimes?: OpenIdProviderOptions['lifetimes'];
  /** The environment of a keychain; without it a passphrase protects the vault. */
  keychain?: Readonly<Record<string, string>>;
}

/** As much of `lanyard status --json` as storms look at. */
export interface StormStatus {
  vault: { kind: string };
  accounts: { name: string; state: string; expiresAt: number | null; problem: string | null }[];
}

/** A broker with one account, `corp`, at a real provider, one cluster, `dev`, and many who want a credential. */
export interface Storm {
  readonly home: TestHome;
  readonly provider: OpenIdProvider;
  readonly api: KubernetesApi;
  /** The configuration in force, to write it changed. */
  readonly config: { version: 1; accounts: { corp: { oidc: Record<string, unknown> } }; clusters: object };
  readonly passphraseFile: string;
  /** The broker that runs now. */
  agent(): TestAgent;
  /** Starts the next one, where the last has ended. */
  startAgent(): Promise<TestAgent>;
  /** A client's helper without a terminal. */
  caller(): Running;
  /** A client's helper with a terminal of its own, passed on to it. */
  callerOnTerminal(): OnTerminal;
  /** A helper's command, without a terminal. */
  lanyard(...args: string[]): Running;
  status(): Promise<StormStatus>;
  /** What `status` says of the account. */
  account(): Promise<StormStatus['accounts'][number]>;
  /** `lanyard login corp`, approved by the person at the provider. */
  logIn(): Promise<void>;
  /** Logs in with a token that soon ends, and waits for its end; later ones live as long as before. */
  logInAndExpire(): Promise<void>;
  /** Of callers to the broker (Linux). */
  connections(): number;
  dispose(): Promise<void>;
}

const execInfo = (api: KubernetesApi, interactive: boolean) =>
  JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive,
      cluster: {
        server: api.server,
        'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
      },
    },
  });

/** Waits until `look` gives something true, looking every few milliseconds. Throws after `milliseconds`. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  milliseconds = 60_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found) {
      return found;
    }
    if (performance.now() > end) {
      throw new Error(`waited for ${what} for ${milliseconds} ms`);
    }
    await delay(5);
  }
}

/** The token in what a helper printed, on a pipe or a terminal; null where there is none. */
export function tokenIn(output: string): string | null {
  return /"token":\s*"([^"]+)"/.exec(output)?.[1] ?? null;
}

/** The device code that was shown; null where none was. */
export function codeIn(output: string): string | null {
  return /enter the code (\S+)\s/.exec(output)?.[1] ?? null;
}

/** `count` of what `make` makes, all started before any is waited for. */
export function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

export function allEnded(running: readonly { ended: Promise<Ended> }[]): Promise<Ended[]> {
  return Promise.all(running.map((each) => each.ended));
}

/** Starts provider, API server and broker. Not logged in yet. */
export async function setUpStorm(options: StormOptions = {}): Promise<Storm> {
  const ending = new Disposables();
  try {
    return await setUp(options, ending);
  } catch (error) {
    await ending.dispose();
    throw error;
  }
}

async function setUp(options: StormOptions, ending: Disposables): Promise<Storm> {
  const provider = ending.add(
    await startOpenIdProvider(options.lifetimes ? { lifetimes: options.lifetimes } : {}),
  );
  const { issuer, jwksUri, clientId, caPem } = provider;
  const api = ending.add(await startKubernetesApi({ oidc: { issuer, jwksUri, audience: clientId, caPem } }));
  const home = ending.add(makeHome());
  const passphrase = 'correct horse';
  const passphraseFile = home.write('passphrase', `${passphrase}\n`);
  const config: Storm['config'] = {
    version: 1,
    accounts: {
      corp: { oidc: { issuer, clientId, certificateAuthority: home.write('provider.pem', caPem ?? '') } },
    },
    clusters: {
      dev: { server: api.server, certificateAuthority: home.write('api.pem', api.caPem), account: 'corp' },
    },
  };
  home.writeConfig(config);

  let current: TestAgent | null = null;
  ending.add({ dispose: async () => (current?.isRunning() ? current.dispose() : undefined) });
  const startNext = async () => {
    current = await startAgent({
      home,
      readyMilliseconds: 60_000,
      ...(options.keychain ? { env: options.keychain } : { passphrase }),
    });
    return current;
  };
  const agent = () => {
    if (!current) {
      throw new Error('no broker was started');
    }
    return current;
  };
  await startNext();

  const kubeCredential = ['kube-credential', '--account', 'corp', '--cluster', 'dev'];
  const asClient = (interactive: boolean) => ({
    ...home.env,
    KUBERNETES_EXEC_INFO: execInfo(api, interactive),
  });
  // Only those still under way are ended at the end: the pid of one that ended may be another's by then.
  const live = new Set<Running | OnTerminal>();
  ending.add({ dispose: async () => void (await Promise.all([...live].map((each) => each.dispose()))) });
  const watched = <T extends Running | OnTerminal>(running: T): T => {
    live.add(running);
    void running.ended.catch(() => undefined).then(() => live.delete(running));
    return running;
  };
  const withoutInput = (args: readonly string[], env: Readonly<Record<string, string>>): Running => {
    const running = watched(start(builtHelper, args, { env }));
    running.closeInput();
    return running;
  };
  const lanyard = (...args: string[]) => withoutInput(args, home.env);
  const status = async (): Promise<StormStatus> => {
    const { code, stdout, stderr } = await lanyard('status', '--json').ended;
    if (code !== 0) {
      throw new Error(`lanyard status: ${code}: ${stderr}`);
    }
    return JSON.parse(stdout);
  };
  const account = async () => {
    const found = (await status()).accounts.find((each) => each.name === 'corp');
    if (!found) {
      throw new Error('the status does not show corp');
    }
    return found;
  };
  const logIn = async () => {
    const login = lanyard('login', 'corp');
    const [, code = ''] = await login.waitForLine(/enter the code (\S+)/, 60_000);
    await provider.person.approveDevice(code);
    const { code: exit, stderr } = await login.ended;
    if (exit !== 0) {
      throw new Error(`lanyard login: ${exit}: ${stderr}`);
    }
  };
  return {
    home,
    provider,
    api,
    config,
    passphraseFile,
    agent,
    startAgent: startNext,
    caller: () => withoutInput(kubeCredential, asClient(false)),
    callerOnTerminal: () => watched(startOnTerminal(builtHelper, kubeCredential, { env: asClient(true) })),
    lanyard,
    status,
    account,
    logIn,
    logInAndExpire: async () => {
      const { idTokenSeconds } = provider.lifetimes;
      provider.lifetimes.idTokenSeconds = 1;
      await logIn();
      provider.lifetimes.idTokenSeconds = idTokenSeconds;
      const { expiresAt } = await account();
      await until('the end of the token', () => (expiresAt ?? 0) < Date.now());
    },
    connections: () => openConnections(home.file('socket')),
    dispose: () => ending.dispose(),
  };
}

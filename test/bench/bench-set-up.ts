import { Disposables } from '../../main/base/disposables.ts';
import { createCa } from '../support/certificates.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { startOpenIdProvider } from '../support/openid-provider.ts';
import { baseEnvironment } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { startSecretService } from '../support/secret-service.ts';
import { type BenchAgent, startBenchAgent } from './bench-agent.ts';

/** The API server takes it, too. */
export const staticToken = 'a-static-token-for-the-reference';

/** What every figure is measured with: a broker in keychain mode, logged in, with its token cached. */
export interface BenchSetUp {
  home: TestHome;
  /** The one that runs now. */
  readonly agent: BenchAgent;
  api: KubernetesApi;
  /** For programs: the home, a bare environment, the keychain's bus. */
  env: Record<string, string>;
  /** As kubectl sets it, with the cluster's server and CA. */
  execInfo: string;
  helperCommand: string[];
  /** The managed kubeconfig, and one with a static token for the same server. */
  kubeconfig: string;
  staticKubeconfig: string;
  /** Stops the agent, lets `between` change what lies in its home, and starts another there. */
  restart(between?: () => void): Promise<BenchAgent>;
  /** Stops the agent, too. */
  dispose(): Promise<void>;
}

/** Starts everything, and logs in. */
export async function setUpBench(): Promise<BenchSetUp> {
  const ending = new Disposables();
  try {
    return await setUpIn(ending);
  } catch (error) {
    await ending.dispose();
    throw error;
  }
}

async function setUpIn(ending: Disposables): Promise<BenchSetUp> {
  const keyring = await startSecretService();
  ending.add({ dispose: async () => keyring[Symbol.asyncDispose]() });
  const provider = ending.add(await startOpenIdProvider({ lifetimes: { idTokenSeconds: 3600 } }));
  const ca = await createCa('bench');
  const api = ending.add(
    await startKubernetesApi({
      ca,
      oidc: {
        issuer: provider.issuer,
        jwksUri: provider.jwksUri,
        audience: provider.clientId,
        caPem: provider.caPem ?? '',
      },
      staticTokens: { [staticToken]: { name: 'reference', groups: [] } },
    }),
  );
  const home = ending.add(makeHome());
  home.writeConfig({
    version: 1,
    accounts: {
      corp: {
        oidc: {
          issuer: provider.issuer,
          clientId: provider.clientId,
          certificateAuthority: home.write('provider.pem', provider.caPem ?? ''),
        },
      },
    },
    clusters: {
      dev: { server: api.server, certificateAuthority: home.write('api.pem', api.caPem), account: 'corp' },
    },
  });
  const environment = { ...baseEnvironment(), ...home.env };
  const startAnother = () => startBenchAgent({ ...environment, ...keyring.env }, `${home.outside}/agent.log`);
  let agent = await startAnother();
  ending.add({ dispose: () => agent.stop() });
  await logIn(home, provider);
  const { stdout } = await home.lanyard([
    'kubeconfig',
    'write',
    '--api-version',
    execVersion(findKubectls().newest),
  ]);
  return {
    home,
    get agent() {
      return agent;
    },
    api,
    env: environment,
    execInfo: JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: api.server,
          'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
          config: { lanyard: { cluster: 'dev' } },
        },
      },
    }),
    helperCommand: [home.file('helper'), 'kube-credential', '--account', 'corp', '--cluster', 'dev'],
    kubeconfig: stdout.trim(),
    staticKubeconfig: home.write(
      'static.kubeconfig',
      kubeconfigText({ server: api.server, caPem: api.caPem }, { token: staticToken }),
    ),
    restart: async (between) => {
      await agent.stop();
      between?.();
      agent = await startAnother();
      return agent;
    },
    dispose: () => ending.dispose(),
  };
}

async function logIn(
  home: TestHome,
  provider: Awaited<ReturnType<typeof startOpenIdProvider>>,
): Promise<void> {
  const terminal = startOnTerminal(home.file('helper'), ['login', 'corp'], { env: home.env });
  const shown = await terminal.waitForText(/enter the code \S+\s/);
  await provider.person.approveDevice(/code (\S+)\s/.exec(shown)?.[1] ?? '');
  const { code } = await terminal.ended;
  if (code !== 0) {
    throw new Error(`the login failed: ${terminal.shown()}`);
  }
}

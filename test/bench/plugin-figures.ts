import type { TestHome } from '../support/home.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { baseEnvironment } from '../support/processes.ts';
import { type Figure, type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, type Pair, timePairs, timeStorm } from './native-tools.ts';
import { startOwnBroker } from './own-broker.ts';
import { median } from './statistics.ts';

const token = 'a-token-of-the-bench';

/** Accounts: a token, the plugin, and the plugin with variables of the caller that count. */
const accounts = ['bot', 'wrapped', 'listed'] as const;

/** A wrapped plugin that takes 600 ms beside that plugin itself; the helper’s part of it beside another account’s. */
export async function* pluginFigures(
  tools: NativeTools,
  { count, warmCalls }: { count(whole: number): number; warmCalls: number },
): Figures {
  const api = await startKubernetesApi({ staticTokens: { [token]: { name: 'bench', groups: [] } } });
  const plugin = makePlugin();
  plugin.answers({ token });
  plugin.does('slow');
  try {
    await using broker = await startOwnBroker((home) => home.writeConfig(config(home, api, plugin)));
    yield* measure(broker.home, { tools, api, plugin, count, warmCalls });
  } finally {
    plugin.dispose();
    await api.dispose();
  }
}

function config(home: TestHome, api: KubernetesApi, plugin: TestPlugin) {
  const certificateAuthority = home.write('api.pem', api.caPem);
  const cluster = (account: string) => [account, { server: api.server, certificateAuthority, account }];
  return {
    version: 1,
    accounts: {
      bot: { staticToken: {} },
      wrapped: plugin.account(),
      listed: plugin.account({ environment: ['AWS_*', 'KUBE_REGION'] }),
    },
    clusters: Object.fromEntries(accounts.map(cluster)),
  };
}

interface Parts {
  tools: NativeTools;
  api: KubernetesApi;
  plugin: TestPlugin;
  count(whole: number): number;
  warmCalls: number;
}

async function* measure(home: TestHome, { tools, api, plugin, count, warmCalls }: Parts): Figures {
  await home.lanyard(['secret', 'set', 'bot'], { input: token });
  const { newest } = findKubectls();
  const version = execVersion(newest);
  const written = await home.lanyard(['kubeconfig', 'write', '--api-version', version]);
  const alone = home.write(
    'alone.kubeconfig',
    kubeconfigText(
      { server: api.server, caPem: api.caPem },
      {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: plugin.command,
          interactiveMode: 'Never',
        },
      },
    ),
  );
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      cluster: {
        server: api.server,
        'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
      },
    },
  };
  const env = {
    ...baseEnvironment(),
    ...home.env,
    AWS_PROFILE: 'prod',
    AWS_REGION: 'eu-1',
    KUBE_REGION: 'eu',
  };
  const asClient = { ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const helper = (account: string) => [
    home.file('helper'),
    'kube-credential',
    '--account',
    account,
    '--cluster',
    account,
  ];
  const kubectl = (file: string, ...context: string[]) => [
    newest.path,
    `--kubeconfig=${file}`,
    ...context,
    'get',
    'pods',
  ];

  await timePairs(tools, 1, helper('wrapped'), helper('listed'), asClient);
  const whole = await timePairs(
    tools,
    count(40),
    kubectl(written.stdout.trim(), '--context=wrapped'),
    kubectl(alone),
    env,
  );
  const wholeOfPlugin = 'kubectl with that plugin itself';
  yield ratio('kubectl get pods, a plugin of 600 ms, warm: median', whole, wholeOfPlugin, 0.25);
  const staticToken = 'the same with a static token';
  const wrapped = await timePairs(tools, count(500), helper('wrapped'), helper('bot'), asClient);
  yield ratio('helper, wrapped plugin, cached: median', wrapped, staticToken, 1.2);
  const listed = await timePairs(tools, count(500), helper('listed'), helper('bot'), asClient);
  yield ratio('helper, wrapped plugin with listed variables: median', listed, staticToken, 1.5);
  const before = plugin.runs().length;
  const storm = await timeStorm(tools, warmCalls, 8, helper('wrapped'), asClient);
  yield failures(`runs of the plugin for ${warmCalls} warm calls`, plugin.runs().length - before);
  const failed = failedOf([...whole, ...wrapped, ...listed]) + storm.failed;
  yield failures('calls beside and through the plugin that failed', failed);
}

function ratio(what: string, pairs: readonly Pair[], than: string, most: number): Figure {
  return {
    what,
    value: median(pairs.map(({ a }) => a)),
    unit: 'ms',
    reference: { what: than, value: median(pairs.map(({ b }) => b)) },
    limit: { kind: 'ratioAtMost', value: most },
  };
}

import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type BenchSetUp, staticToken } from './bench-set-up.ts';
import { type Figure, type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, type Pair, timePairs } from './native-tools.ts';
import { median } from './statistics.ts';

/** kubectl with Lanyard, beside a static token, and beside the floor of any exec plugin: a program that prints a constant. */
export async function* kubectlFigures(
  tools: NativeTools,
  { kubeconfig, staticKubeconfig, home, api, env }: BenchSetUp,
  count: (whole: number) => number,
): Figures {
  const { newest } = findKubectls();
  const apiVersion = `client.authentication.k8s.io/${execVersion(newest)}`;
  const constant = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: staticToken } });
  const floor = home.write(
    'floor.kubeconfig',
    kubeconfigText(
      { server: api.server, caPem: api.caPem },
      { exec: { apiVersion, command: tools.floor, args: [constant], provideClusterInfo: true } },
    ),
  );
  const command = (file: string) => [newest.path, `--kubeconfig=${file}`, 'get', 'pods'];
  const beside = (file: string) => timePairs(tools, count(200), command(kubeconfig), command(file), env);
  const more = (pairs: readonly Pair[], than: string, most: number): Figure => ({
    what: `kubectl get pods, more than with ${than}: median of pairs`,
    value: median(pairs.map((pair) => pair.a - pair.b)),
    unit: 'ms',
    reference: { what: `kubectl with ${than}`, value: median(pairs.map((pair) => pair.b)) },
    limit: { kind: 'atMost', value: most },
  });
  const ofStatic = await beside(staticKubeconfig);
  yield more(ofStatic, 'a static token', 3);
  const ofFloor = await beside(floor);
  yield more(ofFloor, 'a C program that prints a constant', 1);
  yield failures('kubectl calls that failed', failedOf([...ofStatic, ...ofFloor]));
}

import { findAwsCli } from '../support/aws/aws-cli.ts';
import { baseEnvironment, type Ended, run } from '../support/processes.ts';
import type { Figure, Figures } from './figure.ts';
import { failures } from './figure.ts';
import { type NativeTools, type Pair, timePairs } from './native-tools.ts';
import { startOwnBroker } from './own-broker.ts';
import { median } from './statistics.ts';

const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'for the bench alone, and no secret' };
const region = 'eu-west-1';
const server = 'https://eks.example';
const cli = 'aws eks get-token';

/** Milliseconds of ours and of the CLI’s. */
type Timed = Pick<Pair, 'a' | 'b' | 'failed'>;

/** A token for an EKS cluster by an account of kind awsEks, made and kept, beside the AWS CLI, which makes one each time. */
export async function* eksFigures(
  tools: NativeTools,
  { clusters, warm }: { clusters: number; warm: number },
): Figures {
  const aws = await findAwsCli();
  if (!aws.ok) {
    console.error(`eks: skipped: ${aws.why}`);
    return;
  }
  const names = Array.from({ length: clusters }, (_, at) => `eks-${at}`);
  const eks = names.map((cluster) => [cluster, { awsEks: { account: 'keys', cluster, region } }]);
  await using broker = await startOwnBroker((home) =>
    home.writeConfig({
      version: 1,
      accounts: { keys: { aws: { accessKeyId: keys.accessKeyId } }, ...Object.fromEntries(eks) },
      clusters: Object.fromEntries(names.map((name) => [name, { server, account: name }])),
    }),
  );
  const { home } = broker;
  await home.lanyard(['secret', 'set', 'keys/secretAccessKey'], { input: keys.secretAccessKey });
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server } },
  };
  const env = {
    ...baseEnvironment(),
    ...home.env,
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  };
  const helper = (name: string) => [
    ...[home.file('helper'), 'kube-credential', '--account', name, '--cluster', name],
  ];
  const beside = [aws.path, 'eks', 'get-token', '--cluster-name', 'prod', '--region', region];
  const made: Timed[] = [];
  for (const name of names) {
    // The first of each account alone: `timePairs` would ask before it counts.
    const [a, b] = [await ended(helper(name), env), await ended(beside, env)];
    made.push({
      a: a.milliseconds,
      b: b.milliseconds,
      failed: [a, b].filter(({ code }) => code !== 0).length,
    });
  }
  yield ratio('a token for an EKS cluster, made: median', made, 0.05);
  const kept = await timePairs(tools, warm, helper(names[0] ?? ''), beside, env);
  yield ratio('a token for an EKS cluster, kept: median', kept, 0.05);
  yield failures(
    'tokens for EKS clusters that were not given',
    [...made, ...kept].reduce((sum, { failed }) => sum + failed, 0),
  );
}

function ended([command = '', ...args]: readonly string[], env: Record<string, string>): Promise<Ended> {
  return run(command, args, { env });
}

function ratio(what: string, pairs: readonly Timed[], most: number): Figure {
  return {
    what,
    value: median(pairs.map(({ a }) => a)),
    unit: 'ms',
    reference: { what: cli, value: median(pairs.map(({ b }) => b)) },
    limit: { kind: 'ratioAtMost', value: most },
  };
}

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../support/processes.ts';
import { mustBeGood } from '../support/stage.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, timePairs, timeStorm } from './native-tools.ts';
import { median } from './statistics.ts';

/** docker’s credential helper for a stored entry, in turn with the helper as kubectl runs it. */
export async function* dockerFigures(
  tools: NativeTools,
  { home, helperCommand, env, execInfo }: BenchSetUp,
  count: number,
): Figures {
  const program = join(home.outside, 'docker-credential-lanyard');
  symlinkSync(home.file('helper'), program);
  const entry = { ServerURL: 'ghcr.io', Username: 'alice', Secret: 'x'.repeat(1024) };
  mustBeGood(await run(program, ['store'], { env, input: JSON.stringify(entry) }));
  const get = [`<${home.write('server', 'ghcr.io\n')}`, program, 'get'];
  const asClient = [`KUBERNETES_EXEC_INFO=${execInfo}`, ...helperCommand];
  // A broker that has answered both for a while.
  const warmUps = [
    await timeStorm(tools, count, 2, get, env),
    await timeStorm(tools, count, 2, asClient, env),
  ];
  const pairs = await timePairs(tools, count, get, asClient, env);
  yield {
    what: 'docker-credential-lanyard get (warm), exec to exit: median',
    value: median(pairs.map((pair) => pair.a)),
    unit: 'ms',
    reference: { what: 'lanyard kube-credential (warm)', value: median(pairs.map((pair) => pair.b)) },
    limit: { kind: 'ratioAtMost', value: 1.2 },
  };
  const failed = warmUps.reduce((sum, each) => sum + each.failed, failedOf(pairs));
  yield failures('of these calls, failed', failed);
}

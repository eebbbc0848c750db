import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startPassStore } from '../support/pass-store.ts';
import { run } from '../support/processes.ts';
import { startSecretService } from '../support/secret-service.ts';
import { mustBeGood } from '../support/stage.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { type Figure, type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, timePairs, timeStorm } from './native-tools.ts';
import { median } from './statistics.ts';

/** The helpers of Debian’s package golang-docker-credential-helpers, each with the store that it needs. */
const others = [
  { program: 'docker-credential-pass', start: startPassStore },
  { program: 'docker-credential-secretservice', start: startSecretService },
] as const;

/** docker’s credential helper for a stored entry, in turn with the helper as kubectl runs it, and with others’. */
export async function* dockerFigures(
  tools: NativeTools,
  { home, helperCommand, env, execInfo }: BenchSetUp,
  count: number,
): Figures {
  const program = join(home.outside, 'docker-credential-lanyard');
  symlinkSync(home.file('helper'), program);
  const store = (each: string, of: Record<string, string>) => {
    const entry = { ServerURL: 'ghcr.io', Username: 'alice', Secret: 'x'.repeat(1024) };
    return run(each, ['store'], { env: of, input: JSON.stringify(entry) });
  };
  mustBeGood(await store(program, env));
  const get = (of: string) => [`<${home.write('server', 'ghcr.io\n')}`, of, 'get'];
  const asClient = [`KUBERNETES_EXEC_INFO=${execInfo}`, ...helperCommand];
  // A broker that has answered both for a while.
  const warmUps = [
    await timeStorm(tools, count, 2, get(program), env),
    await timeStorm(tools, count, 2, asClient, env),
  ];
  const pairs = await timePairs(tools, count, get(program), asClient, env);
  yield {
    what: 'docker-credential-lanyard get (warm), exec to exit: median',
    value: median(pairs.map((pair) => pair.a)),
    unit: 'ms',
    reference: { what: 'lanyard kube-credential (warm)', value: median(pairs.map((pair) => pair.b)) },
    limit: { kind: 'ratioAtMost', value: 1.2 },
  };
  let failed = warmUps.reduce((sum, each) => sum + each.failed, failedOf(pairs));
  for (const other of others) {
    const theirs = (await run('sh', ['-c', 'command -v "$0"', other.program])).stdout.trim();
    if (theirs === '') {
      console.log(`  not measured: ${other.program} (Debian’s golang-docker-credential-helpers)`);
      continue;
    }
    await using keeper = await other.start();
    const both = { ...keeper.env, ...env, PATH: process.env['PATH'] ?? '' };
    mustBeGood(await store(theirs, both));
    const beside = await timePairs(tools, Math.ceil(count / 10), get(program), get(theirs), both);
    failed += failedOf(beside);
    yield besideOther(
      other.program,
      beside.map((pair) => pair.a),
      beside.map((pair) => pair.b),
    );
  }
  yield failures('of these calls, failed', failed);
}

function besideOther(program: string, own: readonly number[], theirs: readonly number[]): Figure {
  return {
    what: `the same beside ${program} get: median`,
    value: median(own),
    unit: 'ms',
    reference: { what: program, value: median(theirs) },
    limit: { kind: 'ratioAtMost', value: 1 },
  };
}

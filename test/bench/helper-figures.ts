import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtHelper } from '../support/home.ts';
import { findKubectls } from '../support/kubectl.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, type Pair, timePairs, timeStorm, warmUpOf } from './native-tools.ts';
import { median, quantile } from './statistics.ts';

/** The helper's whole process, from just before exec to its end, beside one that does nothing; and what a call costs the broker. */
export async function* helperFigures(
  tools: NativeTools,
  { helperCommand, env, execInfo, agent }: BenchSetUp,
  count: (whole: number) => number,
): Figures {
  const asClient = { ...env, KUBERNETES_EXEC_INFO: execInfo };
  // A warm broker: one that has answered for a while, as it has on any day.
  await timeStorm(tools, count(2000), 2, helperCommand, asClient);
  const before = processorMilliseconds(agent.pid);
  const pairs = await timePairs(tools, count(1000), helperCommand, [tools.noop], asClient);
  const calls = pairs.length + warmUpOf(pairs.length);
  const taken = (processorMilliseconds(agent.pid) - before) / calls;
  const helper = pairs.map((pair) => pair.a);
  yield {
    what: 'helper, exec to exit, cached grant: median',
    value: median(helper),
    unit: 'ms',
    reference: noop(pairs),
    limit: { kind: 'ratioAtMost', value: 1.6 },
  };
  yield {
    what: 'helper, exec to exit, cached grant: p99',
    value: quantile(helper, 0.99),
    unit: 'ms',
    reference: { what: 'its own median', value: median(helper) },
    limit: { kind: 'ratioAtMost', value: 5 },
  };
  yield {
    what: 'broker, processor time of such a call',
    value: taken,
    unit: 'ms',
    reference: null,
    limit: { kind: 'atMost', value: 0.35 },
  };
  yield {
    what: 'helper, resident at most',
    value: Math.max(...pairs.map((pair) => pair.aResidentKib)) / 1024,
    unit: 'MiB',
    reference: {
      what: 'no-op static C',
      value: Math.max(...pairs.map((pair) => pair.bResidentKib)) / 1024,
    },
    limit: { kind: 'atMost', value: 3 },
  };
  yield {
    what: 'helper, on disk',
    value: statSync(builtHelper).size / 1e6,
    unit: 'MB',
    reference: { what: 'no-op static C', value: statSync(tools.noop).size / 1e6 },
    limit: { kind: 'atMost', value: 1.5 },
  };
  const { newest } = findKubectls();
  const other = [newest.path, 'version', '--client'];
  const mixed = await timePairs(tools, count(200), helperCommand, [tools.noop], asClient, other);
  yield {
    what: 'helper, exec to exit, kubectl before each: median',
    value: median(mixed.map((pair) => pair.a)),
    unit: 'ms',
    reference: noop(mixed),
    limit: { kind: 'ratioAtMost', value: 2.5 },
  };
  yield failures('helper calls that failed', failedOf([...pairs, ...mixed]));
}

function noop(pairs: readonly Pair[]) {
  return { what: 'no-op static C', value: median(pairs.map((pair) => pair.b)) };
}

/** What all threads of a process have had of processors so far, by the scheduler's own count (Linux). */
function processorMilliseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

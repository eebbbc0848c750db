import type { BenchSetUp } from './bench-set-up.ts';
import { type Figures, failures } from './figure.ts';
import { type NativeTools, timeStorm } from './native-tools.ts';
import { median } from './statistics.ts';

/** Helpers as fast as 50 at a time can be started, beside a program that does nothing. */
export async function* stormFigures(
  tools: NativeTools,
  setUp: BenchSetUp,
  { rounds, calls }: { rounds: number; calls: number },
): Figures {
  const env = { ...setUp.env, KUBERNETES_EXEC_INFO: setUp.execInfo };
  const lanyard: number[] = [];
  const noop: number[] = [];
  let failed = 0;
  for (let round = 0; round < rounds; round++) {
    const ours = await timeStorm(tools, calls, 50, setUp.helperCommand, env);
    const others = await timeStorm(tools, calls, 50, [tools.noop], env);
    lanyard.push((1000 * calls) / ours.milliseconds);
    noop.push((1000 * calls) / others.milliseconds);
    failed += ours.failed;
  }
  const storms = `${rounds} × ${calls.toLocaleString('en')}`;
  yield {
    what: `helper calls a second, 50 at a time (median of ${storms})`,
    value: median(lanyard),
    unit: '/s',
    reference: { what: 'no-op static C', value: median(noop) },
    limit: { kind: 'atLeast', value: 500 },
  };
  yield failures('helper calls, 50 at a time, that failed', failed);
}

import { spawn } from 'node:child_process';
import { residentBytes } from '../support/agent.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { type Figures, failures } from './figure.ts';
import { type NativeTools, timeStorm } from './native-tools.ts';
import { median } from './statistics.ts';

const mebibyte = 1024 * 1024;

/** The agent's start, its vault's key in the keychain. */
export async function* readinessFigures(setUp: BenchSetUp, { rounds }: { rounds: number }): Figures {
  const lanyard: number[] = [];
  const node: number[] = [];
  for (let round = 0; round < rounds; round++) {
    lanyard.push((await setUp.restart()).readyMilliseconds);
    const start = performance.now();
    const bare = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await new Promise((resolve) => bare.once('close', resolve));
    node.push(performance.now() - start);
  }
  yield {
    what: 'agent, start to ready, keychain mode: median',
    value: median(lanyard),
    unit: 'ms',
    reference: { what: 'node -e 0', value: median(node) },
    limit: { kind: 'atMost', value: 1000 },
  };
}

/** The agent's memory after many calls, and after as many more. */
export async function* memoryFigures(
  tools: NativeTools,
  setUp: BenchSetUp,
  { calls }: { calls: number },
): Figures {
  const env = { ...setUp.env, KUBERNETES_EXEC_INFO: setUp.execInfo };
  const storm = () => timeStorm(tools, calls, 8, setUp.helperCommand, env);
  const bare = await residentOfBareNode();
  const { agent } = setUp;
  let { failed } = await storm();
  const first = agent.residentBytes() / mebibyte;
  yield {
    what: `agent, resident after ${calls} calls`,
    value: first,
    unit: 'MiB',
    reference: { what: 'a node that does nothing', value: bare },
    limit: { kind: 'atMost', value: 120 },
  };
  failed += (await storm()).failed;
  yield {
    what: `agent, growth over the next ${calls}`,
    value: agent.residentBytes() / mebibyte - first,
    unit: 'MiB',
    reference: null,
    limit: { kind: 'atMost', value: 5 },
  };
  yield failures('of these calls, failed', failed);
}

/** A Node of the agent's version with nothing to do, in MiB. */
async function residentOfBareNode(): Promise<number> {
  const node = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => node.stdout.once('data', resolve));
  const bytes = residentBytes(node.pid ?? 0);
  node.kill();
  return bytes / mebibyte;
}

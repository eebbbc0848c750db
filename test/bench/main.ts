import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { residentBytes } from '../support/agent.ts';
import { callFigures } from './app/call-figures.ts';
import { appFigures } from './app-figures.ts';
import type { BenchAgent } from './bench-agent.ts';
import { type BenchSetUp, setUpBench } from './bench-set-up.ts';
import { type Figure, figureTable, isMet } from './figure.ts';
import { helperFigures } from './helper-figures.ts';
import { historyFigures } from './history-figures.ts';
import { importFigures, promptFigures } from './import-figures.ts';
import { kubectlFigures } from './kubectl-figures.ts';
import { laneFigures } from './lane-figures.ts';
import { buildNativeTools, type NativeTools, timeStorm } from './native-tools.ts';
import { pluginFigures } from './plugin-figures.ts';
import { median } from './statistics.ts';
import { uiFigures } from './ui-figures.ts';

/**
 * `npm run bench`: each figure of the design beside its reference in the same run, the two in turn. Prints a table
 * and JSON; `--quick` measures less often, `--json` prints JSON alone. Exits 1 where a figure isn't met.
 */
const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const times = flags.quick ? 0.2 : 1;
const count = (whole: number) => Math.max(20, Math.round(whole * times));
const mebibyte = 1024 * 1024;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function stormFigures(tools: NativeTools, setUp: BenchSetUp): Promise<Figure[]> {
  say('1,000 calls, 50 at a time …');
  const env = { ...setUp.env, KUBERNETES_EXEC_INFO: setUp.execInfo };
  const rounds = { lanyard: [] as number[], noop: [] as number[], failed: 0 };
  for (let round = 0; round < 5; round++) {
    const lanyard = await timeStorm(tools, 1000, 50, setUp.helperCommand, env);
    const noop = await timeStorm(tools, 1000, 50, [tools.noop], env);
    rounds.lanyard.push(1_000_000 / lanyard.milliseconds);
    rounds.noop.push(1_000_000 / noop.milliseconds);
    rounds.failed += lanyard.failed;
  }
  return [
    {
      what: 'helper calls a second, 50 at a time (median of 5 × 1,000)',
      value: median(rounds.lanyard),
      unit: '/s',
      reference: { what: 'no-op static C', value: median(rounds.noop) },
      limit: { kind: 'atLeast', value: 500 },
    },
    {
      what: 'of these, failed',
      value: rounds.failed,
      unit: '',
      reference: null,
      limit: { kind: 'atMost', value: 0 },
    },
  ];
}

async function agentMemoryFigures(
  tools: NativeTools,
  setUp: BenchSetUp,
  agent: BenchAgent,
): Promise<Figure[]> {
  say('the agent’s memory over 20,000 calls …');
  const env = { ...setUp.env, KUBERNETES_EXEC_INFO: setUp.execInfo };
  const calls = flags.quick ? 2_000 : 10_000;
  const bare = await residentOfBareNode();
  await timeStorm(tools, calls, 8, setUp.helperCommand, env);
  const first = agent.residentBytes() / mebibyte;
  await timeStorm(tools, calls, 8, setUp.helperCommand, env);
  const second = agent.residentBytes() / mebibyte;
  return [
    {
      what: `agent, resident after ${calls} calls`,
      value: first,
      unit: 'MiB',
      reference: { what: 'a node that does nothing', value: bare },
      limit: { kind: 'atMost', value: 120 },
    },
    {
      what: `agent, growth over the next ${calls}`,
      value: second - first,
      unit: 'MiB',
      reference: null,
      limit: { kind: 'atMost', value: 5 },
    },
  ];
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

async function readinessFigure(setUp: BenchSetUp, first: BenchAgent): Promise<[Figure, BenchAgent]> {
  say('the agent’s start …');
  const lanyard: number[] = [];
  const node: number[] = [];
  let agent = first;
  for (let round = 0; round < (flags.quick ? 3 : 9); round++) {
    await agent.stop();
    agent = await setUp.startAnother();
    lanyard.push(agent.readyMilliseconds);
    const start = performance.now();
    const bare = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await new Promise((resolve) => bare.once('close', resolve));
    node.push(performance.now() - start);
  }
  const figure: Figure = {
    what: 'agent, start to ready, keychain mode: median',
    value: median(lanyard),
    unit: 'ms',
    reference: { what: 'node -e 0', value: median(node) },
    limit: { kind: 'atMost', value: 1000 },
  };
  return [figure, agent];
}

const tools = buildNativeTools();
const setUp = await setUpBench();
let agent = setUp.agent;
try {
  say('helper, exec to exit …');
  const figures = [...(await helperFigures(tools, setUp, count))];
  say('kubectl …');
  figures.push(...(await kubectlFigures(tools, setUp, count)), ...(await stormFigures(tools, setUp)));
  say('a shell’s prompt …');
  figures.push(...(await promptFigures(tools, setUp, count(500))));
  say('imports of 2,000 contexts …');
  figures.push(...(await importFigures({ rounds: flags.quick ? 1 : 5, contexts: 2000 })));
  say('a plugin that takes 600 ms …');
  figures.push(...(await pluginFigures(tools, count)));
  const [ready, fresh] = await readinessFigure(setUp, agent);
  agent = fresh;
  figures.push(ready, ...(await agentMemoryFigures(tools, setUp, agent)));
  say('the desktop app …');
  figures.push(...(await appFigures({ rounds: flags.quick ? 5 : 15 })));
  say('the desktop app beside lanyard agent …');
  figures.push(
    ...(await callFigures(tools, {
      count: count(1000),
      stormRounds: flags.quick ? 3 : 5,
      idleMilliseconds: flags.quick ? 20_000 : 60_000,
      calls: flags.quick ? 2_000 : 10_000,
    })),
  );
  say('the history …');
  figures.push(...(await laneFigures({ rows: flags.quick ? 100_000 : 1_000_000, count: 10 })));
  const [ofHistory, last] = await historyFigures(tools, setUp, agent, {
    rows: flags.quick ? 100_000 : 1_000_000,
    count: count(500),
  });
  agent = last;
  figures.push(...ofHistory);
  say('the page …');
  figures.push(
    ...(await uiFigures({
      rounds: flags.quick ? 5 : 15,
      events: flags.quick ? 20 : 25,
      tickingMilliseconds: flags.quick ? 15_000 : 60_000,
      rows: flags.quick ? 100_000 : 1_000_000,
    })),
  );
  const result = figures.map((figure) => ({ ...figure, met: isMet(figure) }));
  if (!flags.json) {
    console.log(`${figureTable(figures)}\n`);
  }
  console.log(JSON.stringify(result, null, flags.json ? 2 : 0));
  process.exitCode = result.every(({ met }) => met) ? 0 : 1;
} finally {
  await agent.stop();
  await setUp.dispose();
}

import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import type { TestHome } from '../support/home.ts';
import { findKubectls } from '../support/kubectl.ts';
import { largeKubeconfig } from '../support/large-kubeconfig.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { type Figure, type Figures, failures } from './figure.ts';
import { failedOf, type NativeTools, timePairs } from './native-tools.ts';
import { startOwnBroker } from './own-broker.ts';
import { median } from './statistics.ts';

const mebibyte = 1024 * 1024;

export interface ImportOptions {
  /** Imports, each into a home of its own. */
  rounds: number;
  contexts: number;
  /** Between an import and the look at the memory after it. */
  restMilliseconds: number;
}

/** An import of a large kubeconfig as whole commands, and the memory after it. */
export async function* importFigures({ rounds, contexts, restMilliseconds }: ImportOptions): Figures {
  const { text } = await largeKubeconfig({ contexts });
  const times = {
    plan: [] as number[],
    apply: [] as number[],
    planInPlace: [] as number[],
    inPlace: [] as number[],
  };
  const references = { kubectl: [] as number[], parse: [] as number[] };
  const resident: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using broker = await startOwnBroker();
    const { home, agent } = broker;
    const file = home.write('person.kubeconfig', text);
    const time = (...words: string[]) => timeCommand(home, ['kubeconfig', 'import', ...words]);
    times.plan.push(await time('--dry-run', file));
    references.kubectl.push(timeKubectl(file));
    references.parse.push(timeParse(text));
    times.apply.push(await time('--yes', file));
    await delay(restMilliseconds);
    resident.push(agent.residentBytes() / mebibyte);
  }
  const size = `${contexts} contexts, ${(text.length / 1e6).toFixed(1)} MB`;
  const kubectl = { what: 'kubectl config view', value: median(references.kubectl) };
  const parsed = { what: 'yaml’s parse()', value: median(references.parse) };
  const figure = (
    what: string,
    values: readonly number[],
    reference: Figure['reference'],
    most: number,
  ): Figure => ({
    what: `import of ${size}, ${what}: median`,
    value: median(values),
    unit: 'ms',
    reference,
    limit: { kind: 'atMost', value: most },
  });
  yield figure('planned', times.plan, kubectl, 1000);
  yield figure('planned and applied', times.apply, parsed, 2000);
  yield {
    what: `agent, resident after the import of ${contexts} contexts`,
    value: median(resident),
    unit: 'MiB',
    reference: null,
    limit: { kind: 'atMost', value: 120 },
  };
  for (let round = 0; round < rounds; round++) {
    await using broker = await startOwnBroker();
    const { home } = broker;
    const file = home.write('person.kubeconfig', text);
    const time = (...words: string[]) => timeCommand(home, ['kubeconfig', 'import', '--in-place', ...words]);
    times.planInPlace.push(await time('--dry-run', file));
    times.inPlace.push(await time('--yes', file));
  }
  yield figure('planned in place', times.planInPlace, kubectl, 1500);
  yield figure('planned and applied in place', times.inPlace, parsed, 2000);
}

/** A shell's prompt beside kubectl's credential, in turn. */
export async function* promptFigures(
  tools: NativeTools,
  { helperCommand, home, env, execInfo, kubeconfig }: BenchSetUp,
  count: number,
): Figures {
  const prompt = [home.file('helper'), 'status', '--format', '{context} {account} {left}'];
  // Each has its own variable: with kubectl's the helper would do nothing but kube-credential.
  const pairs = await timePairs(
    tools,
    count,
    [`KUBECONFIG=${kubeconfig}`, ...prompt],
    [`KUBERNETES_EXEC_INFO=${execInfo}`, ...helperCommand],
    env,
  );
  yield {
    what: 'status --format, exec to exit: median',
    value: median(pairs.map((pair) => pair.a)),
    unit: 'ms',
    reference: { what: 'kube-credential, warm', value: median(pairs.map((pair) => pair.b)) },
    limit: { kind: 'ratioAtMost', value: 1.5 },
  };
  yield failures('prompts and calls beside them that failed', failedOf(pairs));
}

/** Milliseconds of a whole command; throws where it fails. */
async function timeCommand(home: TestHome, words: readonly string[]): Promise<number> {
  const start = performance.now();
  const { code, stderr } = await home.lanyard(words);
  const milliseconds = performance.now() - start;
  // Without a terminal, what is new is pending.
  if (code !== (words.includes('--yes') ? exitCodes.pending : exitCodes.good)) {
    throw new Error(`lanyard ${words.join(' ')} ended with ${code}: ${stderr.slice(0, 500)}`);
  }
  return milliseconds;
}

function timeKubectl(file: string): number {
  const start = performance.now();
  execFileSync(findKubectls().newest.path, [`--kubeconfig=${file}`, 'config', 'view'], { stdio: 'ignore' });
  return performance.now() - start;
}

function timeParse(text: string): number {
  const start = performance.now();
  parse(text);
  return performance.now() - start;
}

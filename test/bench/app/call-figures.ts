import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Disposables } from '../../../main/base/disposables.ts';
import { ownBusName } from '../../support/bus-name.ts';
import { makeHome, type TestHome } from '../../support/home.ts';
import { baseEnvironment } from '../../support/processes.ts';
import { startSecretService } from '../../support/secret-service.ts';
import { type BenchAgent, startBenchAgent, startBenchBroker } from '../bench-agent.ts';
import { type Figure, type Figures, failures } from '../figure.ts';
import { failedOf, type NativeTools, timePairs, timeStorm } from '../native-tools.ts';
import { median } from '../statistics.ts';
import { asking, manyClusters, setTokens } from '../ui/many-clusters.ts';
import { processMilliseconds } from '../ui/process-time.ts';
import { appEntry, builtStandIn } from './built-stand-in.ts';

const mebibyte = 1024 * 1024;
export interface CallFigureOptions {
  /** Calls of each, in turn. */
  count: number;
  stormRounds: number;
  stormCalls: number;
  /** Until memory is looked through, and what was read is told: what the start and the calls left to do. */
  restMilliseconds: number;
  idleMilliseconds: number;
  calls: number;
}

/** A broker with a home of its own, and what a program asks it with. */
interface Side {
  home: TestHome;
  broker: BenchAgent;
  /** The helper's line, with its variables before it. */
  command: string[];
}

/**
 * What programs notice of the desktop app around the broker: the same calls to the app and to `lanyard agent`, in turn,
 * with so many clusters; then a time in which nothing happens but time.
 */
export async function* callFigures(
  clusters: number,
  tools: NativeTools,
  { count, stormRounds, stormCalls, restMilliseconds, idleMilliseconds, calls }: CallFigureOptions,
): Figures {
  const ending = new Disposables();
  try {
    const standIn = await builtStandIn();
    const keyring = await startSecretService();
    ending.add({ dispose: async () => keyring[Symbol.asyncDispose]() });
    const { DBUS_SESSION_BUS_ADDRESS: bus = '', XDG_RUNTIME_DIR: run = '' } = keyring.env;
    const session = { DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: run };
    // A panel: the app has a tray, whose menu is built anew as it is on any Linux desktop.
    ending.add(await ownBusName(bus, 'org.kde.StatusNotifierWatcher'));
    const app = await startSide(ending, clusters, (env, logFile) =>
      startBenchBroker([process.execPath, ...standIn, appEntry, '--hidden'], {
        env: { ...env, ...session },
        logFile,
        says: 'app.ready',
      }),
    );
    const agent = await startSide(ending, clusters, (env, logFile) =>
      startBenchAgent({ ...env, ...session }, logFile),
    );
    const env = baseEnvironment();
    for (const { command } of [app, agent]) {
      await timeStorm(tools, count * 2, 2, command, env);
    }
    const with_ = clusters === 1 ? 'with one cluster' : `with ${clusters.toLocaleString('en')} clusters`;
    const figure = (
      what: string,
      unit: string,
      [value = 0, reference = 0]: readonly number[],
      limit: Figure['limit'],
    ): Figure => ({
      what: `app ${with_}, ${what}`,
      value,
      unit,
      reference: { what: 'lanyard agent', value: reference },
      limit,
    });
    const pairs = await timePairs(tools, count, app.command, agent.command, env);
    yield figure(
      'helper, exec to exit: median',
      'ms',
      [median(pairs.map(({ a }) => a)), median(pairs.map(({ b }) => b))],
      { kind: 'ratioAtMost', value: 1.05 },
    );
    let failed = failedOf(pairs);
    const rates = { app: [] as number[], agent: [] as number[] };
    for (let round = 0; round < stormRounds; round++) {
      for (const [side, into] of [
        [app, rates.app],
        [agent, rates.agent],
      ] as const) {
        const storm = await timeStorm(tools, stormCalls, 50, side.command, env);
        into.push((1000 * stormCalls) / storm.milliseconds);
        failed += storm.failed;
      }
    }
    const storms = `${stormRounds} × ${stormCalls.toLocaleString('en')}`;
    yield figure(
      `helper calls a second, 50 at a time (median of ${storms})`,
      '/s',
      [median(rates.app), median(rates.agent)],
      { kind: 'atLeast', value: 500 },
    );
    for (const { command } of [app, agent]) {
      failed += (await timeStorm(tools, calls, 8, command, env)).failed;
    }
    const resident = [app, agent].map(({ broker }) => broker.residentBytes() / mebibyte);
    yield figure(`resident after ${calls} calls more`, 'MiB', resident, { kind: 'atMost', value: 120 });
    await delay(restMilliseconds);
    const idle = await idleShares([app, agent], idleMilliseconds);
    yield figure(`${idleMilliseconds / 1000} s in which nothing happens`, '% of a core', idle, {
      kind: 'atMost',
      value: 0.5,
    });
    yield failures(`calls to the app ${with_}, and to the agent beside it, that failed`, failed);
  } finally {
    await ending.dispose();
  }
}

async function startSide(
  ending: Disposables,
  clusters: number,
  start: (env: Record<string, string>, logFile: string) => Promise<BenchAgent>,
): Promise<Side> {
  const home = ending.add(makeHome());
  home.writeConfig(manyClusters(clusters));
  const broker = await start({ ...baseEnvironment(), ...home.env }, join(home.outside, 'log'));
  ending.add({ dispose: () => broker.stop() });
  await setTokens(home, clusters);
  const { words, env } = asking(clusters - 1);
  const variables = Object.entries({ LANYARD_HOME: home.path, ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  return { home, broker, command: [...variables, home.file('helper'), ...words] };
}

/** The share of a core that each takes over the same time, in percent. */
async function idleShares(sides: readonly Side[], milliseconds: number): Promise<number[]> {
  const began = performance.now();
  const before = sides.map(({ broker }) => processMilliseconds(broker.pid));
  await delay(milliseconds);
  const took = performance.now() - began;
  return sides.map(
    ({ broker }, index) => ((processMilliseconds(broker.pid) - (before[index] ?? 0)) / took) * 100,
  );
}

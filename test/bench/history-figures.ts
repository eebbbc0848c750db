import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { clusterName } from '../../main/domain/target/target.ts';
import { createHistory, type History } from '../../main/history/index.ts';
import { callEvent } from '../../main/history/testing/sample-events.ts';
import type { Clock } from '../../main/ports/clock.ts';
import { silentLog } from '../../main/ports/log.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import type { Figures } from './figure.ts';
import { type NativeTools, timePairs } from './native-tools.ts';
import { median, timeMedian } from './statistics.ts';
import { withAgainstWithout } from './without-history.ts';

const dayMilliseconds = 86_400_000;
const keptDays = 89;
const clusters = ['dev', 'prod', 'stage', 'elsewhere'];

const clock: Clock = {
  now: Date.now,
  boottime: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

function open(file: string): History {
  const history = createHistory({ file, clock, log: silentLog });
  history.keep(90 * dayMilliseconds);
  return history;
}

/** A history of `rows` calls, evenly over what is kept, by 50 programs for four clusters. */
function makeLarge(file: string, rows: number): void {
  const history = open(file);
  history.record(callEvent());
  void history.dispose();
  using database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const caller = database.prepare(
    `INSERT INTO callers SELECT NULL, uid, '/opt/tools/program-' || ?, executable_id, session_leader_pid,
     session_start_time, pid_namespace, origin, has_terminal, sure, last_seen FROM callers WHERE id = 1`,
  );
  for (let program = 0; program < 50; program++) {
    caller.run(program);
  }
  const call = database.prepare(
    "INSERT INTO calls VALUES (?, ?, 'kube', ?, ?, ?, 'corp', ?, NULL, 'handedOut', 'held', 1, 300)",
  );
  const start = Date.now() - keptDays * dayMilliseconds;
  for (let row = 0; row < rows; row++) {
    const at = start + Math.floor((row / rows) * keptDays * dayMilliseconds);
    call.run(row + 2, at, (row % 50) + 1, row, String(row), clusters[row % clusters.length] ?? '');
  }
  database.exec('COMMIT');
}

/** Milliseconds of one record, in turn in each. */
function timeRecords(histories: readonly History[], count: number): number[] {
  const times = histories.map(() => [] as number[]);
  const event = callEvent({ target: clusterName('dev') });
  for (let round = 0; round < count; round++) {
    histories.forEach((history, index) => {
      const start = performance.now();
      history.record(event);
      times[index]?.push(performance.now() - start);
    });
  }
  return times.map(median);
}

/** What the history costs, with few rows and with a million. It leaves the agent running on the large file. */
export async function* historyFigures(
  tools: NativeTools,
  setUp: BenchSetUp,
  options: { rows: number; count: number },
): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'ly-bench-'));
  const largeFile = join(folder, 'history.db');
  try {
    makeLarge(largeFile, options.rows);
    copyFileSync(largeFile, join(folder, 'agent.db'));
    const [few, many] = [open(join(folder, 'few.db')), open(largeFile)];
    const [fewMilliseconds = 0, manyMilliseconds = 0] = timeRecords([few, many], options.count * 5);
    const rows = `${options.rows.toLocaleString('en')} rows`;
    const since = Date.now() - dayMilliseconds;
    const lastDay = (history: History, cluster: string) => async () => {
      await history.reader.events({ cluster, since, limit: 1_000 });
      await history.reader.programs({ cluster, since });
    };
    yield {
      what: `a cluster's last day, with ${rows}: median`,
      value: await timeMedian(20, lastDay(many, 'prod')),
      unit: 'ms',
      reference: { what: 'with few', value: await timeMedian(20, lastDay(few, 'dev')) },
      limit: { kind: 'atMost', value: 50 },
    };
    await few.dispose();
    await many.dispose();

    const env = { ...setUp.env, KUBERNETES_EXEC_INFO: setUp.execInfo };
    const warm = async () =>
      median(
        (await timePairs(tools, options.count, setUp.helperCommand, [tools.noop], env)).map((each) => each.a),
      );
    const before = await warm();
    yield {
      what: 'history and audit, one record in the process: median',
      value: fewMilliseconds,
      unit: 'ms',
      reference: { what: 'the whole warm call', value: before },
      limit: { kind: 'atMost', value: 0.3 },
    };
    yield {
      what: `the same, with ${rows}`,
      value: manyMilliseconds,
      unit: 'ms',
      reference: { what: 'with few', value: fewMilliseconds },
      limit: { kind: 'atMost', value: 0.3 },
    };
    const first = setUp.agent;
    const agent = await setUp.restart(() => {
      for (const companion of ['-wal', '-shm']) {
        rmSync(`${setUp.home.file('history')}${companion}`, { force: true });
      }
      copyFileSync(join(folder, 'agent.db'), setUp.home.file('history'));
    });
    yield {
      what: `agent, start to ready, with ${rows}`,
      value: agent.readyMilliseconds,
      unit: 'ms',
      reference: { what: 'with few', value: first.readyMilliseconds },
      limit: { kind: 'atMost', value: 1_000 },
    };
    await warm();
    yield {
      what: `helper, warm call, with ${rows}: median`,
      value: await warm(),
      unit: 'ms',
      reference: { what: 'with few', value: before },
      limit: { kind: 'ratioAtMost', value: 1.15 },
    };
    yield* withAgainstWithout(tools, options.count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

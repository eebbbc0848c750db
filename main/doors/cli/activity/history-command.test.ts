import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { StatusReader } from '../../../access/status.ts';
import { execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import { clusterName } from '../../../domain/target/target.ts';
import type { History } from '../../../history/index.ts';
import { HistoryBench } from '../../../history/testing/history-bench.ts';
import { callEvent } from '../../../history/testing/sample-events.ts';
import type { LoadedConfig } from '../../../ports/config-store.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import { commandCall } from '../testing/command-call.ts';
import { historyCommand } from './history-command.ts';

let clock: ManualClock;
let bench: HistoryBench;
let history: History;

beforeEach(() => {
  clock = new ManualClock();
  bench = new HistoryBench(clock);
  history = bench.open();
});
afterEach(() => bench[Symbol.dispose]());

function run(account: string, cluster: string | null, milliseconds: number): HistoryEvent {
  const counted = { callStatus: 'no_error', exitCode: 0, code: null, where: 'broker' } as const;
  return {
    kind: 'pluginRun',
    plugin: 'execPlugin',
    account,
    target: cluster === null ? null : clusterName(cluster),
    milliseconds,
    ...counted,
  };
}

function generation(account: string, cluster: string | null, number: number): HistoryEvent {
  return {
    kind: 'generation',
    account,
    audience: null,
    generation: number,
    why: 'needed',
    credential: 'token',
    issuedAt: null,
    expiresAt: null,
    previousAge: null,
    previousLife: null,
    replacedCertificateAge: null,
    target: cluster === null ? null : clusterName(cluster),
  };
}

/** What `lanyard history prod` shows of them: runs by their milliseconds, generations by their number. */
async function shown(
  { provideClusterInfo = false, additionalArgs = [] as string[], said = 'prod' },
  ...events: HistoryEvent[]
): Promise<number[]> {
  for (const event of events) {
    history.record(event);
  }
  const plugin = execPluginAccount.parse({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'aws',
    provideClusterInfo,
  });
  const config = {
    current: () =>
      ({
        accounts: new Map([['eks', { name: 'eks', config: { execPlugin: plugin } }]]),
        clusters: new Map([
          [
            'prod',
            {
              name: 'prod',
              config: { server: 'https://prod', account: 'eks', aliases: ['live'], additionalArgs },
            },
          ],
        ]),
      }) as unknown as LoadedConfig,
  };
  const status = { read: async () => ({ clusters: [] }) } as unknown as StatusReader;
  const command = historyCommand({ history: history.reader, config, status, clock });
  const { stdout } = await command(commandCall([said, '--json']));
  const found = JSON.parse(String(stdout)).events as { milliseconds?: number; generation?: number }[];
  return found.map(({ milliseconds, generation }) => milliseconds ?? generation ?? 0);
}

it('shows what its plugin gave for all, and for it, not what it gave for another cluster', async () => {
  expect(
    await shown(
      {},
      generation('eks', null, 1),
      generation('eks', 'prod', 2),
      generation('eks', 'dev', 3),
      generation('gke', null, 4),
    ),
  ).toEqual([1, 2]);
});

it('is that of the cluster whose alias was said', async () => {
  expect(await shown({ said: 'live' }, generation('eks', 'prod', 1), generation('eks', 'dev', 2))).toEqual([
    1,
  ]);
  await expect(shown({ said: 'dead' })).rejects.toMatchObject({ reason: 'notFound' });
});

it('is that of a removed cluster before that of an alias', async () => {
  const asked = callEvent({ account: 'gke', target: clusterName('live') });
  expect(await shown({ said: 'live' }, asked, run('eks', 'prod', 1), run('gke', 'live', 2))).toEqual([2]);
});

it('shows the runs of its plugin, whoever asked first, as the answer is shared', async () => {
  const runs = [run('eks', 'prod', 1), run('eks', 'dev', 2), run('eks', null, 3), run('gke', 'prod', 4)];
  expect(await shown({}, ...runs)).toEqual([1, 2, 3]);
});

it('shows its own runs alone where the plugin is told the cluster', async () => {
  const runs = [run('eks', 'prod', 1), run('eks', 'dev', 2), run('eks', null, 3)];
  expect(await shown({ provideClusterInfo: true }, ...runs)).toEqual([1, 3]);
});

it('shows its own runs alone where it adds arguments to the plugin’s', async () => {
  const runs = [run('eks', 'prod', 1), run('eks', 'dev', 2)];
  expect(await shown({ additionalArgs: ['--role', 'admin'] }, ...runs)).toEqual([1]);
});

it('shows changes of it, of its account, and of what holds for all', async () => {
  const change = (name: string | null): HistoryEvent => ({ kind: 'change', what: 'a', name });
  expect(await shown({}, change(null))).toHaveLength(1);
  expect(await shown({}, change('prod'), change('eks'), change('dev'))).toHaveLength(3);
});

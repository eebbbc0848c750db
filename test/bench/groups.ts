import { memoryFigures, readinessFigures } from './agent-figures.ts';
import { callFigures } from './app/call-figures.ts';
import { appFigures } from './app-figures.ts';
import type { BenchSetUp } from './bench-set-up.ts';
import { dockerFigures } from './docker-figures.ts';
import { eksFigures } from './eks-figures.ts';
import type { Extent } from './extent.ts';
import type { Figures } from './figure.ts';
import { helperFigures } from './helper-figures.ts';
import { historyFigures } from './history-figures.ts';
import { imageFigures } from './image-figures.ts';
import { importFigures, promptFigures } from './import-figures.ts';
import { changeFigures } from './inventory/change-figures.ts';
import { inventoryFigures } from './inventory/inventory-figures.ts';
import { hardwareKeyFigures } from './keys/hardware-key-figures.ts';
import { kubectlFigures } from './kubectl-figures.ts';
import { laneFigures } from './lane-figures.ts';
import type { NativeTools } from './native-tools.ts';
import { pluginFigures } from './plugin-figures.ts';
import { firstUseFigures } from './proxy/first-use-figures.ts';
import { ownFormFigures } from './proxy/own-form-figures.ts';
import { requestProxyFigures } from './proxy/request-proxy-figures.ts';
import { signedRequestsFigures } from './proxy/signed-requests-figures.ts';
import { stormFigures } from './storm-figures.ts';
import { yearFigures } from './ui/year-figures.ts';
import { pageFigures, weightFigures } from './ui-figures.ts';

/** Figures that are measured together, by the name that `npm run bench` takes. */
export type Group = { name: string; about: string } & (
  | { shared: false; measure(tools: NativeTools, extent: Extent): Figures }
  /** With the one broker that all of these ask. */
  | { shared: true; measure(tools: NativeTools, extent: Extent, setUp: BenchSetUp): Figures }
);

/** In the order in which they are measured: `history` leaves the shared broker with a million rows. */
export const groups: readonly Group[] = [
  {
    name: 'helper',
    about: 'the helper, exec to exit, beside a program that does nothing',
    shared: true,
    measure: (tools, { count }, setUp) => helperFigures(tools, setUp, count),
  },
  {
    name: 'docker',
    about:
      'a stored entry for docker, beside a cached grant for kubectl and the helpers of pass and Secret Service',
    shared: true,
    measure: (tools, { count }, setUp) => dockerFigures(tools, setUp, count(1000)),
  },
  {
    name: 'kubectl',
    about: 'kubectl get pods, beside a static token and a trivial exec plugin',
    shared: true,
    measure: (tools, { count }, setUp) => kubectlFigures(tools, setUp, count),
  },
  {
    name: 'storm',
    about: 'helper calls, 50 at a time',
    shared: true,
    measure: (tools, { storm }, setUp) => stormFigures(tools, setUp, storm),
  },
  {
    name: 'prompt',
    about: 'lanyard status --format, as a shell’s prompt has it',
    shared: true,
    measure: (tools, { count }, setUp) => promptFigures(tools, setUp, count(500)),
  },
  {
    name: 'image',
    about: 'an image against 1,000 patterns',
    shared: false,
    measure: (_, { count }) => imageFigures(count(500)),
  },
  {
    name: 'inventory',
    about: 'a hub with 10,000 ClusterProfiles, listed, read and watched, beside client-go’s list',
    shared: false,
    measure: (_, { rounds, contexts, idle }) =>
      inventoryFigures({ rounds: rounds(5), profiles: 5 * contexts, idleMilliseconds: idle(60_000) }),
  },
  {
    name: 'inventory-change',
    about: 'a change at a hub with 10,000 ClusterProfiles, until kubectl has it',
    shared: false,
    measure: (_, { rounds, contexts }) =>
      changeFigures({
        rounds: rounds(20),
        profiles: 5 * contexts,
        used: Math.min(200, contexts),
      }),
  },
  {
    name: 'import',
    about: 'an import of 2,000 contexts',
    shared: false,
    measure: (_, { rounds, contexts, rest }) =>
      importFigures({ rounds: rounds(5), contexts, restMilliseconds: rest(15_000) }),
  },
  {
    name: 'plugin',
    about: 'a wrapped exec plugin that takes 600 ms',
    shared: false,
    measure: (tools, { count, storm }) => pluginFigures(tools, { count, warmCalls: storm.calls }),
  },
  {
    name: 'eks',
    about: 'a token for an EKS cluster, beside aws eks get-token',
    shared: false,
    measure: (tools, { rounds }) => eksFigures(tools, { clusters: rounds(15), warm: rounds(20) }),
  },
  {
    name: 'request-proxy',
    about: 'the request proxy’s data plane, beside the straight way and nginx',
    shared: false,
    measure: (_, { count, rounds, bodyBytes }) =>
      requestProxyFigures({ gets: count(2_000), rounds: rounds(5), bytes: bodyBytes, watches: 200 }),
  },
  {
    name: 'signed-requests',
    about: 'signed requests, beside the straight way and Go’s reverse proxy with AWS’s signer',
    shared: false,
    measure: (_, { count, rounds }) =>
      signedRequestsFigures({ gets: count(2_000), rounds: rounds(5), requests: count(1_500) }),
  },
  {
    name: 'first-use',
    about: 'kubectl where the request proxy has to be started first',
    shared: false,
    measure: (_, { rounds }) => firstUseFigures(rounds(25)),
  },
  {
    name: 'own-form',
    about: 'a client that knows KEP-2718, from its start to its first answer, beside one without the proxy',
    shared: false,
    measure: (_, { rounds }) => ownFormFigures(rounds(25)),
  },
  {
    name: 'hardware-keys',
    about: 'a client certificate whose key is on a token, beside the same key in memory',
    shared: false,
    measure: (_, { count }) => hardwareKeyFigures({ handshakes: count(1_000), gets: count(2_000) }),
  },
  {
    name: 'ready',
    about: 'the agent’s start',
    shared: true,
    measure: (_, { rounds }, setUp) => readinessFigures(setUp, { rounds: rounds(9) }),
  },
  {
    name: 'memory',
    about: 'the agent’s memory over 20,000 calls',
    shared: true,
    measure: (tools, { memoryCalls }, setUp) => memoryFigures(tools, setUp, { calls: memoryCalls }),
  },
  {
    name: 'app',
    about: 'the desktop app’s start, on the stand-in for Electron',
    shared: false,
    measure: (_, { rounds }) => appFigures({ rounds: rounds(15) }),
  },
  {
    name: 'app-one',
    about: 'the desktop app beside lanyard agent, with one cluster',
    shared: false,
    measure: (tools, extent) => callFigures(1, tools, callOptions(extent)),
  },
  {
    name: 'app-many',
    about: 'the desktop app beside lanyard agent, with 1,000 clusters',
    shared: false,
    measure: (tools, extent) => callFigures(1_000, tools, callOptions(extent)),
  },
  {
    name: 'lane',
    about: 'a cluster’s year, read at the broker',
    shared: false,
    measure: (_, { rows, rounds }) => laneFigures({ rows, count: rounds(10) }),
  },
  {
    name: 'history',
    about: 'what the history costs, with few rows and with a million',
    shared: true,
    measure: (tools, { rows, count }, setUp) => historyFigures(tools, setUp, { rows, count: count(500) }),
  },
  {
    name: 'page',
    about: 'the page in Chromium, with 2,000 clusters',
    shared: false,
    measure: (_, { rounds, events, rest, idle }) =>
      pageFigures({
        rounds: rounds(15),
        events,
        restMilliseconds: rest(5_000),
        tickingMilliseconds: idle(60_000),
      }),
  },
  {
    name: 'weight',
    about: 'the page’s size, gzipped',
    shared: false,
    measure: () => weightFigures(),
  },
  {
    name: 'year',
    about: 'a cluster’s year in Chromium, from the choice to the lane',
    shared: false,
    measure: (_, { rounds, rows }) => yearFigures({ rounds: rounds(15), rows }),
  },
];

function callOptions({ count, storm, memoryCalls, rest, idle }: Extent) {
  return {
    count: count(1_000),
    stormRounds: storm.rounds,
    stormCalls: storm.calls,
    restMilliseconds: rest(20_000),
    idleMilliseconds: idle(60_000),
    calls: memoryCalls,
  };
}

import { type DoorName, sourceNames } from '../../../main/contract/doors.ts';
import type { ActivityEvent, ActivityFilter } from '../../../main/contract/ui/calls/activity.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { days, hours, minutes, seconds } from '../spans.ts';
import { chance, oneOf } from './chance.ts';
import { startOfDay } from './sample-lane.ts';

/** An event with the fields that filters need. */
export interface SampleEvent extends ActivityEvent {
  door: DoorName | null;
  decision: ActivityFilter['decision'] | null;
}

const programs = ['kubectl', 'kubectl', 'k9s', 'helm', 'terraform', 'tilt'] as const;
const parents = ['zsh', 'bash', 'make', 'tmux'] as const;

/** One call, as the history has it. */
export function callEvent(cluster: ClusterView, at: number, program: string, parent: string): SampleEvent {
  const failed = cluster.state === 'failing';
  const refused = cluster.state === 'loginNeeded';
  const luck = chance('call', cluster.name, at);
  return {
    id: Math.floor(at),
    at,
    kind: 'call',
    program,
    target: cluster.name,
    result: failed ? 'Failed: the plugin failed' : refused ? 'Denied: log in first' : 'Issued',
    tone: failed ? 'failed' : refused ? 'refused' : 'good',
    cluster: cluster.name,
    registry: null,
    inventory: null,
    account: cluster.account,
    foldKey: `/usr/local/bin/${program}`,
    details: [
      ['Source', sourceNames.kube],
      ['Reason', failed ? 'execPlugin.failed' : refused ? 'oidc.login.needed' : 'cached'],
      ['Took', `${(0.8 + luck).toFixed(1)} ms`],
      ['Program', `/usr/local/bin/${program}`],
      ['Process', `${20_000 + Math.floor(luck * 40_000)}, user 1000`],
      ['Terminal', `yes, run by ${parent}`],
      ['From', 'this machine'],
    ],
    door: 'kube',
    decision: failed || refused ? 'refused' : 'handedOut',
  };
}

/** All events of the invented history in a time, newest first. */
export function eventsBack(clusters: readonly ClusterView[], since: number, now: number): SampleEvent[] {
  const asked = clusters.filter(({ lastCall }) => lastCall !== null);
  const events: SampleEvent[] = [];
  const step = minutes(7);
  const from = Math.max(since, now - days(10));
  for (let slot = Math.ceil(from / step); slot * step < now && asked.length > 0; slot += 1) {
    const at = slot * step + Math.floor(chance('at', slot) * minutes(6));
    const cluster = asked[Math.floor(chance('who', slot) * asked.length)];
    const hour = new Date(at).getHours();
    if (!cluster || at >= now || ((hour < 8 || hour > 19) && chance('night', slot) < 0.85)) {
      continue;
    }
    if (chance('kind', slot) < 0.15) {
      events.push(renewal(cluster, at));
      continue;
    }
    const asking = healthyBefore(cluster, at, now);
    const [program, parent] = [oneOf(programs, 'p', slot), oneOf(parents, 'q', slot)];
    // client-go tries again, and scripts ask several times.
    const times = chance('again', slot) < 0.3 ? 2 + Math.floor(chance('times', slot) * 9) : 1;
    for (let turn = 0; turn < times && at + turn * seconds(2) < now; turn += 1) {
      events.push(callEvent(asking, at + turn * seconds(2), program, parent));
    }
  }
  for (let day = startOfDay(from); day < now; day = startOfDay(day + hours(26))) {
    events.push(...morning(day).filter(({ at }) => at >= from && at < now));
  }
  const [proxied] = asked;
  for (let at = Math.max(since, now - minutes(20)); proxied && at < now; at += seconds(20)) {
    events.push(request(proxied, at));
  }
  return events.sort((a, b) => b.at - a.at);
}

/** A request through the request proxy. */
function request(cluster: ClusterView, at: number): SampleEvent {
  const program = oneOf(['kubectl', 'k9s', 'k9s', 'helm'], 'request', at);
  const path = oneOf(
    [
      '/api/v1/namespaces/shop/pods',
      '/apis/apps/v1/namespaces/shop/deployments',
      '/api/v1/nodes',
      '/version',
    ],
    'path',
    at,
  );
  const isAway = chance('away', at) < 0.05;
  const took = 4 + Math.floor(chance('took', at) * 60);
  const answer = isAway ? '502 from Lanyard' : '200';
  return {
    ...noted(at, 'request', `GET ${path}: ${answer}, ended after ${took} ms`),
    target: cluster.name,
    tone: isAway ? 'failed' : 'plain',
    cluster: cluster.name,
    details: [
      ['Method', 'GET'],
      ['Path', path],
      ['Status', isAway ? '502' : '200'],
      ...(isAway ? [['Answered by', 'Lanyard'] as [string, string]] : []),
      ['Took', `${took} ms`],
      ['Sent', '0 bytes'],
      ['Received', '5,120 bytes'],
      ['Program', program],
    ],
    program,
  };
}

/** A cluster that fails now did not fail two hours ago. */
function healthyBefore(cluster: ClusterView, at: number, now: number): ClusterView {
  return at < now - hours(2) ? { ...cluster, state: 'ready' } : cluster;
}

function renewal(cluster: ClusterView, at: number): SampleEvent {
  const failed = cluster.state === 'failing';
  return {
    ...noted(
      at,
      'renewal',
      failed ? 'Renewal failed after 1.2 s' : 'Renewal done after 0.4 s (scheduled renewal)',
    ),
    target: cluster.name,
    tone: failed ? 'failed' : 'plain',
    cluster: cluster.name,
    account: cluster.account,
  };
}

/** The first events of each day. */
function morning(day: number): SampleEvent[] {
  const at = day + hours(8);
  return [
    noted(at + minutes(1), 'lock', 'Lanyard was unlocked'),
    {
      ...noted(at + minutes(3), 'login', 'Login to corp in the browser: as dev@corp.example'),
      tone: 'good',
      account: 'corp',
      details: [['Issuer', 'https://id.corp.example']],
    },
    ...(chance('hub', day) < 0.3 ? hubAway(at + minutes(31)) : []),
    {
      ...noted(at + minutes(64), 'approval', 'Approved'),
      program: 'kubectl',
      target: 'prod-eu',
      tone: 'good',
      cluster: 'prod-eu',
      account: 'corp',
      details: [['Policy', 'asked once per terminal']],
    },
    {
      ...noted(
        at + hours(10) + seconds(12),
        'lock',
        'Lanyard was locked as it had not been used for a while',
      ),
    },
  ];
}

function hubAway(at: number): SampleEvent[] {
  return [
    {
      ...noted(at, 'inventory', 'Inventory partners has a problem: its hub can’t be reached'),
      tone: 'failed',
      target: 'partners',
      inventory: 'partners',
      details: [['Code', 'unreachable']],
    },
    {
      ...noted(at + minutes(21), 'inventory', 'Inventory partners is in sync again'),
      tone: 'good',
      target: 'partners',
      inventory: 'partners',
    },
  ];
}

function noted(at: number, kind: ActivityEvent['kind'], result: string): SampleEvent {
  return {
    id: Math.floor(at),
    at,
    kind,
    program: null,
    target: null,
    result,
    tone: 'plain',
    cluster: null,
    registry: null,
    inventory: null,
    account: null,
    foldKey: '',
    details: [],
    door: null,
    decision: null,
  };
}

/** Whether a filter shows the event. */
export function passes(event: SampleEvent, filter: ActivityFilter): boolean {
  const { cluster, registry, inventory, account, search, program, door, decision, kinds, since, until } =
    filter;
  const words = [event.cluster, event.registry, event.inventory, event.account, event.program]
    .filter((each) => each !== null)
    .join(' ');
  return (
    event.at >= since &&
    (until === undefined || event.at <= until) &&
    (cluster === undefined || event.cluster === cluster) &&
    (registry === undefined || event.registry === registry) &&
    (inventory === undefined || event.inventory === inventory) &&
    (account === undefined || event.account === account) &&
    (program === undefined || event.program === program) &&
    (door === undefined || event.door === door) &&
    (decision === undefined || event.decision === decision) &&
    (kinds === undefined || kinds.includes(event.kind)) &&
    (search === undefined || words.toLowerCase().includes(search.toLowerCase()))
  );
}

/** The event in the contract's form. */
export function shownEvent({ door: _, decision: __, ...event }: SampleEvent): ActivityEvent {
  return event;
}

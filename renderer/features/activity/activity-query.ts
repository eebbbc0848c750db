import { callOutcomes, doorNames } from '../../../main/contract/doors.ts';
import { requestKinds, usualKinds } from '../../../main/contract/ui/activity-kinds.ts';
import type { ActivityFilter } from '../../../main/contract/ui/calls/activity.ts';

export const spans = ['hour', 'day', 'week', 'all'] as const;
export const kindGroups = [
  'usual',
  'all',
  'calls',
  'requests',
  'logins',
  'renewals',
  'approvals',
  'inventories',
  'changes',
] as const;
export const decisions = ['any', ...callOutcomes] as const;
export const doors = ['any', ...doorNames] as const;

const kindsOf = {
  usual: usualKinds,
  all: undefined,
  calls: ['call'],
  requests: requestKinds,
  logins: ['login', 'logout'],
  renewals: ['generation', 'renewal', 'rejection', 'pluginRun'],
  approvals: ['approval'],
  inventories: ['inventory'],
  changes: ['change', 'lock'],
} as const satisfies Record<(typeof kindGroups)[number], ActivityFilter['kinds']>;

const spanMilliseconds = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** The filters of the activity view. The address contains all of them. */
export interface ActivityQuery {
  span: (typeof spans)[number];
  kinds: (typeof kindGroups)[number];
  decision: (typeof decisions)[number];
  door: (typeof doors)[number];
  cluster: string;
  registry: string;
  inventory: string;
  account: string;
  program: string;
  search: string;
}

const usual: ActivityQuery = {
  span: 'day',
  kinds: 'usual',
  decision: 'any',
  door: 'any',
  cluster: '',
  registry: '',
  inventory: '',
  account: '',
  program: '',
  search: '',
};

/** Reads the query of an address. Invalid parts get their defaults. */
export function readActivityQuery(text: string): ActivityQuery {
  const parts = new URLSearchParams(text);
  const one = <Value extends string>(name: string, of: readonly Value[], otherwise: Value): Value =>
    of.find((each) => each === parts.get(name)) ?? otherwise;
  return {
    span: one('span', spans, usual.span),
    kinds: one('kinds', kindGroups, usual.kinds),
    decision: one('decision', decisions, usual.decision),
    door: one('door', doors, usual.door),
    cluster: parts.get('cluster') ?? '',
    registry: parts.get('registry') ?? '',
    inventory: parts.get('inventory') ?? '',
    account: parts.get('account') ?? '',
    program: parts.get('program') ?? '',
    search: parts.get('search') ?? '',
  };
}

/** Writes the query as short as possible: leaves out defaults. */
export function writeActivityQuery(query: ActivityQuery): string {
  const parts = new URLSearchParams();
  for (const key of Object.keys(usual) as (keyof ActivityQuery)[]) {
    if (query[key] !== usual[key]) {
      parts.set(key, query[key]);
    }
  }
  return parts.toString();
}

/** The filter for the broker. */
export function filterOf(query: ActivityQuery, now: number): ActivityFilter {
  const { span, cluster, registry, inventory, account, program, decision, door } = query;
  const kinds = kindsOf[query.kinds];
  const search = query.search.trim().slice(0, 200);
  return {
    since: span === 'all' ? 0 : Math.trunc(now - spanMilliseconds[span]),
    ...(kinds && { kinds: [...kinds] }),
    ...(cluster !== '' && { cluster }),
    ...(registry !== '' && { registry }),
    ...(inventory !== '' && { inventory }),
    ...(account !== '' && { account }),
    ...(program !== '' && { program }),
    ...(search !== '' && { search }),
    ...(decision !== 'any' && { decision }),
    ...(door !== 'any' && { door }),
  };
}

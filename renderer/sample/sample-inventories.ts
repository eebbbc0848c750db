import type { ProfileRowView } from '../../main/contract/ui/calls/inventories.ts';
import type { InventoryView } from '../../main/contract/ui/state.ts';
import { minutes, seconds } from './spans.ts';

type Line = Pick<ProfileRowView, 'namespace' | 'name'> & Partial<ProfileRowView>;

const places = ['eu-central-1', 'eu-west-1', 'us-east-1', 'ap-south-1'];
const versions = ['1.34.1', '1.33.4', '1.32.9'];

/** Invented profiles of one inventory: some in use, and one in each kind of trouble. */
export function sampleProfiles(): ProfileRowView[] {
  const lines: Line[] = [
    { namespace: 'fleet-prod', name: 'payments-eu', state: 'inUse', context: 'payments-eu' },
    { namespace: 'fleet-prod', name: 'payments-us', state: 'inUse', context: 'payments-us' },
    {
      namespace: 'fleet-prod',
      name: 'search',
      state: 'pending',
      context: 'search',
      server: 'https://search.new-place.example:6443',
      isExpectedServer: false,
    },
    { namespace: 'fleet-prod', name: 'ledger', state: 'remade', context: 'ledger', health: 'bad' },
    {
      namespace: 'team-data',
      name: 'payments-eu',
      state: 'refused',
      context: 'payments-eu-team-data',
      clusterset: 'data',
    },
    {
      namespace: 'team-data',
      name: 'gke-data',
      clusterset: 'data',
      state: 'inUse',
      context: 'gke-data',
      provider: 'google',
      account: 'gcloud',
      server: 'https://34.90.1.7',
    },
    { namespace: 'team-data', name: 'warehouse', clusterset: 'data', ignored: 2 },
    {
      namespace: 'team-data',
      name: 'notebooks',
      clusterset: 'data',
      state: 'unusable',
      problem: 'lists only access providers that fleet doesn’t have: azure',
      provider: null,
      account: null,
      server: null,
    },
    {
      namespace: 'team-data',
      name: 'new-one',
      clusterset: null,
      location: null,
      version: null,
      state: 'unusable',
      health: 'unknown',
      problem: 'has no status: its cluster manager has not written one yet',
      provider: null,
      account: null,
      server: null,
    },
    ...Array.from({ length: 24 }, (_, index): Line => {
      const name = `staging-${index + 1}`;
      return {
        namespace: 'fleet-staging',
        name,
        clusterset: 'staging',
        provider: 'staging-sso',
        account: 'corp-staging',
        ...(index < 9 && { state: 'inUse', context: name }),
      };
    }),
  ];
  return lines.map((line, index) => profile(line, index));
}

/** That many of them. */
export function manyProfiles(count: number): ProfileRowView[] {
  return Array.from({ length: count }, (_, index) =>
    profile(
      {
        namespace: `team-${index % 40}`,
        name: index % 97 === 5 ? `the-cluster-of-a-team-with-a-very-long-name-${index}` : `cluster-${index}`,
        clusterset: ['prod', 'staging', 'dev', null][index % 4] ?? null,
        ...(index % 50 === 0 && { state: 'inUse' as const, context: `cluster-${index}` }),
        ...(index % 31 === 7 && { health: 'bad' as const }),
      },
      index,
    ),
  );
}

function profile(line: Line, index: number): ProfileRowView {
  return {
    inventory: 'fleet',
    displayName: line.name.replaceAll('-', ' '),
    clusterset: 'prod',
    location: places[index % places.length] ?? null,
    version: versions[index % versions.length] ?? null,
    manager: 'open-cluster-management',
    state: 'available',
    health: 'good',
    provider: 'corp-sso',
    account: 'corp',
    server: `https://${line.name}.clusters.example:6443`,
    context: null,
    problem: null,
    isExpectedServer: true,
    ignored: 0,
    ...line,
  };
}

/** The inventory that these profiles are of, and one whose hub is away. */
export function sampleInventories(now: number, profiles: readonly ProfileRowView[]): InventoryView[] {
  return [
    {
      ...usual,
      name: 'fleet',
      hub: 'prod-eu',
      state: 'live',
      lastSyncAt: now - seconds(20),
      select: 'tier=critical',
      ...countsOf(profiles),
    },
    {
      ...usual,
      name: 'partners',
      hub: 'sandbox',
      state: 'stale',
      lastSyncAt: now - minutes(95),
      trouble: { code: 'unreachable', text: 'hub.partners.example:6443 refuses connections' },
      troubleSince: now - minutes(95),
      retryAt: now + seconds(40),
      problems: 3,
      ...countsOf([]),
    },
  ];
}

const usual: Omit<InventoryView, 'name' | 'hub' | 'state' | 'lastSyncAt' | 'profiles' | 'accounts'> = {
  files: [],
  providers: [
    { name: 'corp-sso', account: 'corp' },
    { name: 'staging-sso', account: 'corp-staging' },
    { name: 'google', account: 'gcloud' },
  ],
  trouble: null,
  troubleSince: null,
  retryAt: null,
  problems: 0,
  contexts: 200,
  select: null,
  trusted: false,
  version: 1,
};

/** What an inventory’s section says of its profiles. */
export function countsOf(profiles: readonly ProfileRowView[]): Pick<InventoryView, 'profiles' | 'accounts'> {
  const count = (state: ProfileRowView['state']) => profiles.filter((each) => each.state === state).length;
  const inUse = new Map<string, number>();
  for (const { account, state } of profiles) {
    if (account !== null && (state === 'inUse' || state === 'pending')) {
      inUse.set(account, (inUse.get(account) ?? 0) + 1);
    }
  }
  return {
    profiles: {
      total: profiles.length,
      inUse: count('inUse'),
      pending: count('pending'),
      remade: count('remade'),
      refused: count('refused'),
      available: count('available'),
      unusable: count('unusable'),
    },
    accounts: [...inUse].map(([account, used]) => ({ account, inUse: used })),
  };
}

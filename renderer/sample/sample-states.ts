import type { DesktopView } from '../../main/contract/ui/state.ts';
import { sampleAccounts } from './sample-accounts.ts';
import { manyClusters, oddlyNamed, sampleClusters } from './sample-clusters.ts';
import { manyProfiles, sampleInventories, sampleProfiles } from './sample-inventories.ts';
import { manyRegistries, sampleRegistries } from './sample-registries.ts';
import type { SampleWorld } from './sample-world.ts';
import { minutes, seconds } from './spans.ts';

/** The states of the invented world, by name. */
export const sampleStates = [
  'usual',
  'empty',
  'locked',
  'passphrase',
  'keychain',
  'none',
  'broken',
  'held',
  'pinNeeded',
  'tokenWaits',
  'tokenOut',
  'noTray',
  'onMac',
  'updateOff',
  'updateAvailable',
  'updateFetching',
  'updateReady',
  'updateFailed',
  'many',
  // As many clusters, with names of 80 letters and in other scripts.
  'of1',
  'of15',
  'of300',
  'of2000',
  'failing',
  'gone',
  'refused',
  'connecting',
] as const;
export type SampleState = (typeof sampleStates)[number];

export function isSampleState(name: string): name is SampleState {
  return (sampleStates as readonly string[]).includes(name);
}

/** Fills a world. */
export function fillWorld(world: SampleWorld, state: SampleState): void {
  const now = world.time.now();
  world.set('broker', '', {
    version: '0.1.0',
    home: '/home/dev/.local/share/lanyard',
    startedAt: now - minutes(400),
    platform: 'linux',
    canOpenBrowser: true,
    windows: 'browser',
    configRevision: 1,
  });
  world.set('lock', '', {
    kind: 'open',
    reason: null,
    hint: null,
    slots: ['keychain', 'recoveryKey'],
    idle: { afterSeconds: 900, locksAt: now + minutes(15) },
  });
  world.set('problems', '', { config: [], history: [], undone: [], metrics: null });
  world.set('appearance', '', {
    favorites: ['prod-eu'],
    dismissedWarnings: [],
    theme: 'system',
    notifications: { questions: true, logins: true, ending: true, problems: true, changes: true },
    updates: { check: true },
  });
  world.set('desktop', '', {
    startsAtLogin: false,
    hasTray: true,
    notifies: true,
    notificationsPausedUntil: null,
    update: { kind: 'idle', checkedAt: now - minutes(200) },
  });
  world.set('tools', '', {
    kind: 'none',
    folder: '/home/dev/.local/bin',
    isOnPath: false,
    pathLine: 'export PATH=/home/dev/.local/bin:"$PATH"',
    trouble: [],
  });
  world.set('contexts', '', {
    file: null,
    current: null,
    contexts: [],
    more: 0,
    kubectl: { way: null, file: null, fault: null, isSeen: false },
  });
  world.set('strip', '', {
    thisHour: { handedOut: 0, noCredential: 0, declined: 0, failed: 0 },
    medianMicroseconds: null,
  });
  if (state !== 'empty') {
    const count = state === 'many' ? 1000 : (sizes[state] ?? null);
    inhabit(world, count, state in sizes);
  }
  variations[state]?.(world);
}

const sizes: { readonly [State in SampleState]?: number } = { of1: 1, of15: 15, of300: 300, of2000: 2_000 };

/** Beside a thousand clusters. */
const manyRegistryCount = 60;
const manyProfileCount = 10_000;

function inhabit(world: SampleWorld, count: number | null, isOdd: boolean): void {
  const now = world.time.now();
  const accounts = sampleAccounts(now);
  const plain = count === null ? sampleClusters(now, accounts) : manyClusters(now, accounts, count);
  const clusters = isOdd ? oddlyNamed(plain) : plain;
  for (const cluster of clusters) {
    world.set('clusters', cluster.name, cluster);
  }
  const registries = [
    ...sampleRegistries(now, accounts),
    ...(count === null ? [] : manyRegistries(accounts, manyRegistryCount)),
  ];
  for (const registry of registries) {
    world.set('registries', registry.name, registry);
  }
  const profiles = count === null ? sampleProfiles() : manyProfiles(manyProfileCount);
  for (const inventory of sampleInventories(now, profiles)) {
    world.set('inventories', inventory.name, inventory);
  }
  for (const account of accounts) {
    const servedOf = (users: readonly { name: string; account: string }[]) =>
      users.filter((user) => user.account === account.name).map(({ name }) => name);
    world.set('accounts', account.name, {
      ...account,
      clusters: servedOf(clusters),
      registries: servedOf(registries),
    });
  }
  const contexts = clusters.slice(0, 50).map(({ name }) => ({ name, cluster: name }));
  world.set('contexts', '', {
    file: '/home/dev/.kube/config',
    current: contexts[0]?.name ?? null,
    contexts,
    more: clusters.length - contexts.length,
    kubectl: { way: 'file', file: '/home/dev/.kube/config', fault: null, isSeen: false },
  });
  world.set('strip', '', {
    thisHour: { handedOut: 211, noCredential: 0, declined: 3, failed: 0 },
    medianMicroseconds: 1100,
  });
}

const variations: { readonly [State in SampleState]?: (world: SampleWorld) => void } = {
  locked: (world) => lock(world, 'gate', 'It was locked 3 minutes ago, after 15 minutes without use.'),
  passphrase: (world) => lock(world, 'passphrase', 'It was locked, and only your passphrase opens it.'),
  keychain: (world) => lock(world, 'keychain', 'The keychain didn’t answer within 10 seconds.'),
  none: (world) => lock(world, 'none', null),
  broken(world) {
    world.patch('lock', '', {
      kind: 'broken',
      reason: 'the vault can’t be read: it ends in the middle',
      hint: 'lanyard vault restore restores the generation before it',
      idle: null,
    });
  },
  held(world) {
    world.set('held', 'account corp-staging', {
      what: 'account',
      name: 'corp-staging',
      change: 'its issuer changes',
      served: true,
    });
    world.set('held', 'cluster sandbox', {
      what: 'cluster',
      name: 'sandbox',
      change: 'it is new',
      served: false,
    });
    world.patch('clusters', 'sandbox', { state: 'held', problem: 'It is pending approval.' });
    world.set('held', 'registry azure', {
      what: 'registry',
      name: 'azure',
      change: 'its patterns change',
      served: false,
    });
    world.patch('registries', 'azure', { state: 'held', problem: 'It is pending approval.' });
    world.set('imports', '/home/dev/.kube/config', {
      file: '/home/dev/.kube/config',
      importable: ['kind-feature-x', 'eks-analytics'],
    });
    world.patch('problems', '', {
      config: [
        {
          severity: 'warning',
          file: '/home/dev/.config/lanyard/config.yaml',
          line: 21,
          path: ['accounts', 'corp-staging', 'oidc', 'redirectUri'],
          message:
            'accounts.corp-staging.oidc.redirectUri: corp has the same at another issuer; give each issuer its own path',
        },
      ],
    });
  },
  gone: (world) => variations.held?.(world),
  pinNeeded: (world) => tokenIs(world, 'loginNeeded', 'A wrong PIN was given since the last right one.'),
  tokenWaits: (world) => world.patch('accounts', 'badge', { waitsAtToken: true }),
  tokenOut(world) {
    tokenIs(world, 'failing', 'The token Corp ID of badge was taken out.');
    world.patch('accounts', 'badge', { tokenIsOut: true });
  },
  noTray: (world) => world.patch('desktop', '', { hasTray: false, startsAtLogin: null }),
  onMac: (world) => world.patch('broker', '', { platform: 'darwin' }),
  updateOff: (world) => update(world, { kind: 'off' }),
  updateAvailable: (world) =>
    update(world, {
      kind: 'available',
      version: '0.2.0',
      notes: 'Logins are begun from the tray.\nkubectl waits less.',
    }),
  updateFetching: (world) => update(world, { kind: 'fetching', version: '0.2.0', share: 0.42 }),
  updateReady: (world) => update(world, { kind: 'ready', version: '0.2.0' }),
  updateFailed: (world) =>
    update(world, { kind: 'failed', message: 'The place of newer versions can’t be reached.' }),
  failing(world) {
    world.set('problems', '', {
      config: [
        {
          severity: 'error',
          file: '/home/dev/.config/lanyard/config.yaml',
          line: 14,
          path: ['accounts', 'corp', 'oidc', 'issuer'],
          message: 'accounts.corp.oidc.issuer is no address; the last valid version stays active',
        },
      ],
      history: ['the history can’t be written: the disk is full; nothing is issued until it can'],
      undone: [
        {
          file: '/home/dev/.docker/config.json',
          text: 'docker no longer asks Lanyard: its credsStore is desktop, and only Lanyard has the login of ghcr.io',
          command: 'lanyard docker install',
        },
      ],
      metrics: 'the metrics can’t be served on 127.0.0.1:9464: another program has that port',
    });
    world.patch('strip', '', {
      thisHour: { handedOut: 55, noCredential: 0, declined: 0, failed: 41 },
    });
  },
};

function tokenIs(world: SampleWorld, state: 'loginNeeded' | 'failing', problem: string): void {
  world.patch('accounts', 'badge', { state, problem, subject: null, issuer: null, expiresAt: null });
  world.patch('clusters', 'plant', { state, problem, credential: null });
}

function update(world: SampleWorld, update: DesktopView['update']): void {
  world.patch('desktop', '', { update });
}

function lock(
  world: SampleWorld,
  kind: 'gate' | 'passphrase' | 'keychain' | 'none',
  reason: string | null,
): void {
  world.patch('lock', '', {
    kind,
    reason,
    hint: kind === 'gate' ? null : 'run in a terminal: lanyard unlock',
    slots: kind === 'gate' ? ['keychain'] : kind === 'none' ? [] : ['passphrase', 'recoveryKey'],
    idle: null,
  });
  for (const account of world.list('accounts')) {
    world.patch('accounts', account.name, { state: 'locked', login: null });
  }
  for (const cluster of world.list('clusters')) {
    world.patch('clusters', cluster.name, { state: 'locked', problem: null });
  }
  for (const registry of world.list('registries')) {
    world.patch('registries', registry.name, { state: 'locked', problem: null });
  }
  for (const inventory of world.list('inventories')) {
    world.patch('inventories', inventory.name, { state: 'locked' });
  }
}

/** Fills a world as it is just after it was unlocked. */
export function unlockWorld(world: SampleWorld): void {
  const now = world.time.now();
  world.patch('lock', '', {
    kind: 'open',
    reason: null,
    hint: null,
    idle: { afterSeconds: 900, locksAt: now + minutes(15) - (now % seconds(1)) },
  });
  const accounts = sampleAccounts(now);
  for (const { name, state } of accounts) {
    world.patch('accounts', name, { state });
  }
  for (const { name, state, problem } of sampleClusters(now, accounts)) {
    world.patch('clusters', name, { state, problem });
  }
  for (const { name, state, problem } of sampleRegistries(now, accounts)) {
    world.patch('registries', name, { state, problem });
  }
  for (const { name, state } of sampleInventories(now, [])) {
    world.patch('inventories', name, { state });
  }
}

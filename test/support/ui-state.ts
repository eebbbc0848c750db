import { emptyState } from '../../main/contract/ui/apply-entries.ts';
import type {
  AccountView,
  ClusterView,
  ContextsView,
  DesktopView,
  ImportOfferView,
  InventoryView,
  LockView,
  PendingChangeView,
  ProblemsView,
  QuestionView,
  RegistryView,
  UiState,
} from '../../main/contract/ui/state.ts';

/** What a test says of the state; all else is as in a broker that has nothing to tell. */
export interface SomeState {
  lock?: LockView['kind'];
  accounts?: readonly AccountView[];
  clusters?: readonly ClusterView[];
  registries?: readonly RegistryView[];
  inventories?: readonly InventoryView[];
  questions?: readonly QuestionView[];
  held?: readonly PendingChangeView[];
  imports?: readonly ImportOfferView[];
  problems?: Partial<ProblemsView>;
  contexts?: Partial<ContextsView>;
  desktop?: Partial<DesktopView>;
}

/** Nobody has switched anything off. */
const allOfIt = { questions: true, logins: true, ending: true, problems: true, changes: true };

/** The state as pages have it, with this in it. */
export function stateWith(some: SomeState): UiState {
  return {
    ...emptyState(),
    lock: { '': { kind: some.lock ?? 'open', reason: null, hint: null, slots: ['keychain'], idle: null } },
    problems: { '': { config: [], history: [], undone: [], metrics: null, ...some.problems } },
    accounts: byName(some.accounts),
    clusters: byName(some.clusters),
    registries: byName(some.registries),
    inventories: byName(some.inventories),
    questions: Object.fromEntries((some.questions ?? []).map((each) => [each.id, each])),
    held: Object.fromEntries((some.held ?? []).map((each) => [`${each.what} ${each.name}`, each])),
    imports: Object.fromEntries((some.imports ?? []).map((each) => [each.file, each])),
    appearance: {
      '': {
        theme: 'system',
        favorites: [],
        dismissedWarnings: [],
        notifications: allOfIt,
        updates: { check: true },
      },
    },
    contexts: {
      '': {
        file: null,
        current: null,
        contexts: [],
        more: 0,
        kubectl: { way: null, file: null, fault: null, isSeen: false },
        ...some.contexts,
      },
    },
    desktop: {
      '': {
        startsAtLogin: null,
        hasTray: true,
        notifies: true,
        notificationsPausedUntil: null,
        update: { kind: 'off' },
        ...some.desktop,
      },
    },
  };
}

/** An OIDC account without a session. */
export function someAccount(name: string, more: Partial<AccountView> = {}): AccountView {
  return {
    name,
    kind: 'oidc',
    state: 'loginNeeded',
    subject: null,
    issuer: null,
    expiresAt: null,
    credential: null,
    endIs: null,
    problem: null,
    clockOffSeconds: null,
    clusters: [],
    registries: [],
    login: null,
    wanted: null,
    byHand: false,
    failures: 0,
    waitsAtToken: false,
    tokenIsOut: false,
    ...more,
  };
}

/** The same, logged in and well. */
export function goodAccount(name: string, more: Partial<AccountView> = {}): AccountView {
  return someAccount(name, { state: 'ready', subject: 'alice@example.com', ...more });
}

/** A cluster for which nothing was asked yet, of the OIDC account `corp`. */
export function someCluster(name: string, more: Partial<ClusterView> = {}): ClusterView {
  return {
    name,
    displayName: null,
    aliases: [],
    labels: {},
    mark: null,
    nameMark: null,
    server: `https://${name}.example:6443`,
    origin: null,
    account: 'corp',
    kind: 'oidc',
    state: 'ready',
    isPending: false,
    problem: null,
    credential: null,
    byHand: false,
    audience: null,
    approval: 'never',
    isInsecure: false,
    isProxied: false,
    context: { name, file: '/home/me/.kube/config', problem: null, command: null },
    lastCall: null,
    laneVersion: 0,
    ...more,
  };
}

/** A registry for which nothing was asked yet, of the account `hub`. */
export function someRegistry(name: string, more: Partial<RegistryView> = {}): RegistryView {
  return {
    name,
    matchImages: [`${name}.example`],
    coversStrangers: [],
    account: 'hub',
    kind: 'registry',
    state: 'ready',
    isPending: false,
    problem: null,
    credential: null,
    byHand: false,
    audience: null,
    userName: null,
    approval: 'never',
    cacheDuration: '0s',
    calledAs: null,
    tokenServers: [],
    lastCall: null,
    ...more,
  };
}

/** An inventory of a hub, in step with it, of which nothing is in use. */
export function someInventory(name: string, more: Partial<InventoryView> = {}): InventoryView {
  return {
    name,
    hub: 'hub',
    files: [],
    providers: [{ name: 'google', account: 'corp' }],
    state: 'live',
    lastSyncAt: 1,
    trouble: null,
    troubleSince: null,
    retryAt: null,
    profiles: { total: 0, inUse: 0, pending: 0, remade: 0, refused: 0, available: 0, unusable: 0 },
    accounts: [],
    problems: 0,
    contexts: 200,
    select: null,
    trusted: false,
    version: 0,
    ...more,
  };
}

/** A token that was issued half an hour ago. */
export function someCredential(
  now: number,
  more: Partial<NonNullable<ClusterView['credential']>> = {},
): NonNullable<ClusterView['credential']> {
  return {
    kind: 'token',
    issuedAt: now - 30 * 60_000,
    expiresAt: now + 60 * 60_000,
    renewsAt: now + 54 * 60_000,
    trouble: null,
    generation: 1,
    ...more,
  };
}

/** kubectl asks for a cluster. */
export function someQuestion(id: string, more: Partial<QuestionView> = {}): QuestionView {
  return {
    id,
    kind: 'approval',
    askedAt: 0,
    endsAt: 60_000,
    target: { kind: 'cluster', name: 'prod-eu' },
    account: 'corp',
    server: 'https://prod-eu.example:6443',
    caller: { lineage: ['kubectl', 'zsh'], executable: null, pid: 1, origin: 'local', sure: true },
    printed: false,
    unchecked: false,
    rows: [],
    policy: 'always',
    answers: ['once'],
    inWindow: false,
    onTerminal: false,
    waiting: 1,
    ended: null,
    ...more,
  };
}

function byName<Value extends { name: string }>(values: readonly Value[] = []): Record<string, Value> {
  return Object.fromEntries(values.map((value) => [value.name, value]));
}

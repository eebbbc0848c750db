import { emptyState } from '../../../main/contract/ui/apply-entries.ts';
import type {
  AccountView,
  ClusterView,
  HeldView,
  ImportOfferView,
  LockView,
  QuestionView,
  UiState,
} from '../../../main/contract/ui/state.ts';

/** An account that is well, with what is said of it. */
export function accountNow(name: string, fields: Partial<AccountView> = {}): AccountView {
  return {
    name,
    kind: 'oidc',
    state: 'ready',
    subject: 'alice@example.com',
    issuer: null,
    expiresAt: null,
    endIs: null,
    problem: null,
    clockOffSeconds: null,
    clusters: [],
    login: null,
    wanted: null,
    byHand: false,
    failures: 0,
    ...fields,
  };
}

export interface SeenParts {
  accounts?: readonly AccountView[];
  clusters?: readonly ClusterView[];
  held?: readonly HeldView[];
  imports?: readonly ImportOfferView[];
  questions?: readonly QuestionView[];
  lock?: LockView['kind'];
}

/** A state with these entries, all of it told of. */
export function seenWith(parts: SeenParts): UiState {
  const { accounts = [], clusters = [], held = [], imports = [], questions = [], lock = 'open' } = parts;
  const notifications = { questions: true, logins: true, ending: true, problems: true, changes: true };
  return {
    ...emptyState(),
    lock: { '': { kind: lock, reason: null, hint: null, slots: [], idle: null } },
    appearance: { '': { theme: 'system', notifications, updates: { check: true } } },
    accounts: byKey(accounts, ({ name }) => name),
    clusters: byKey(clusters, ({ name }) => name),
    held: byKey(held, ({ what, name }) => `${what} ${name}`),
    imports: byKey(imports, ({ file }) => file),
    questions: byKey(questions, ({ id }) => id),
  };
}

function byKey<Value>(values: readonly Value[], key: (value: Value) => string): Record<string, Value> {
  return Object.fromEntries(values.map((value) => [key(value), value]));
}

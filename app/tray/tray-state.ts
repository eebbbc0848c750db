import { countPending } from '../../main/contract/pending-words.ts';
import { type Health, healthOf } from '../../main/contract/ui/health.ts';
import { urgency } from '../../main/contract/ui/health-words.ts';
import { needsAttention } from '../../main/contract/ui/inventory-attention.ts';
import { countTodos } from '../../main/contract/ui/needs.ts';
import type { LockView, UiState } from '../../main/contract/ui/state.ts';

/** What the icon shows, each with its own shape: good, expires soon, the user is needed, trouble, locked. */
export const trayShapes = ['good', 'soon', 'need', 'bad', 'locked'] as const;
export type TrayShape = (typeof trayShapes)[number];

export interface TrayState {
  shape: TrayShape;
  /** Without names, which each system would need in another form. */
  toolTip: string;
}

/** The most urgent state at `now`, in milliseconds since 1970. */
export function trayState(state: UiState, now: number): TrayState {
  const lock = state.lock['']?.kind ?? 'open';
  if (isLocked(lock)) {
    return { shape: 'locked', toolTip: 'Lanyard: locked' };
  }
  const facts = [
    ...waiting(state),
    ...ofTargets(state, now),
    ...ofInventories(state, now),
    ...ofLanyard(state),
  ];
  const [first] = facts.toSorted((a, b) => urgency[a.shape] - urgency[b.shape]);
  const isEmpty = [state.clusters, state.registries, state.inventories].every(
    (all) => Object.keys(all).length === 0,
  );
  const none = isEmpty ? 'Lanyard' : 'Lanyard: all well';
  return {
    shape: first?.shape ?? 'good',
    toolTip: facts.length === 0 ? none : `Lanyard: ${facts.map(({ text }) => text).join(', ')}`,
  };
}

/** Whether a vault exists that the user has to unlock. */
export function isLocked(lock: LockView['kind']): boolean {
  return lock === 'gate' || lock === 'passphrase' || lock === 'keychain';
}

interface Fact {
  shape: Exclude<TrayShape, 'good' | 'locked'>;
  text: string;
}

function waiting({ questions, held, accounts }: UiState): Fact[] {
  const open = Object.values(questions).filter(({ ended }) => ended === null).length;
  const tokens = Object.values(accounts).filter(({ waitsAtToken }) => waitsAtToken).length;
  return [
    ...fact('need', tokens, 'token waits for you', 'tokens wait for you'),
    ...fact('need', open, 'question waits', 'questions wait'),
    ...fact('need', countPending(held), 'change to approve', 'changes to approve'),
  ];
}

/** Counted by what there is to do, as in the window: one login is for all clusters and registries of an account. */
function ofTargets({ clusters, registries }: UiState, now: number): Fact[] {
  const all = [...Object.values(clusters), ...Object.values(registries)].map((of) => ({
    of,
    health: healthOf(of, now),
  }));
  const count = (health: Health, ...states: string[]) =>
    countTodos(
      all.filter(({ of }) => states.length === 0 || states.includes(of.state)),
      [health],
    );
  const rejecting = count('bad', 'rejecting');
  return [
    ...fact(
      'need',
      count('need', 'loginNeeded', 'interrupted'),
      'account needs a login',
      'accounts need a login',
    ),
    ...fact(
      'need',
      count('need', 'secretMissing', 'expired'),
      'account needs a secret',
      'accounts need a secret',
    ),
    ...fact('bad', rejecting, 'cluster rejects its credential', 'clusters reject their credential'),
    ...fact('bad', count('bad') - rejecting, 'account is failing', 'accounts are failing'),
    ...fact('soon', count('soon'), 'credential expires soon', 'credentials expire soon'),
  ];
}

function ofInventories({ inventories }: UiState, now: number): Fact[] {
  const failing = Object.values(inventories).filter((each) => needsAttention(each, now)).length;
  return fact('bad', failing, 'inventory has trouble', 'inventories have trouble');
}

/** The problems that affect everything. */
function ofLanyard({ lock, problems }: UiState): Fact[] {
  const { config = [], history = [] } = problems[''] ?? {};
  const texts = [
    ...(lock['']?.kind === 'broken' ? ['the vault can’t be read'] : []),
    ...(config.some(({ severity }) => severity === 'error') ? ['config.yaml has an error'] : []),
    ...(history.length > 0 ? ['the history has a problem'] : []),
  ];
  return texts.map((text) => ({ shape: 'bad', text }));
}

function fact(shape: Fact['shape'], count: number, one: string, many: string): Fact[] {
  return count === 0 ? [] : [{ shape, text: `${count} ${count === 1 ? one : many}` }];
}

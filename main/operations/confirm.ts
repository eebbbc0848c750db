import type { Bindings } from '../access/bindings.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { kindNames } from '../contract/config/config.ts';
import type { Pending } from '../contract/pending-words.ts';
import { type AccountLeftovers, leftoversOf } from '../domain/approval/account-leftovers.ts';
import { type PendingChange, pendingChanges, unapproved } from '../domain/approval/binding.ts';
import { isUnexpectedServer } from '../domain/inventory/expected-server.ts';
import { entriesOf, type LoadedConfig } from '../domain/loaded-config.ts';
import { type ProgramFacts, programLines } from '../domain/program/program.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';
import { bindingOf, type ChangedProgram, changedProgramLines } from '../domain/program/program-check.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import { type InspectPlugin, inspectPlugins } from '../platform/programs/inspect-plugin.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault } from '../ports/vault.ts';
import { risksOf } from './rules/pending-risk.ts';

export interface ConfirmDeps {
  config: { current(): LoadedConfig };
  recorder: Recorder;
  bindings: Pick<Bindings, 'changes' | 'approve'>;
  programs: { held(): Promise<readonly ChangedProgram[]> };
  look: InspectPlugin;
  vault: Pick<Vault, 'read'>;
}

/** What is pending approval (rule: confirmed-binding), as it was when the user was shown it. */
export interface Waiting {
  seen: LoadedConfig;
  /** All that has this name; null: all. */
  name: string | null;
  changes: readonly PendingChange[];
  held: readonly ChangedProgram[];
  /** By account, the programs that the commands of pending accounts resolve to. */
  found: ReadonlyMap<string, ProgramFacts>;
  /** By new account, what the vault has under its name already, which it would use. */
  left: ReadonlyMap<string, AccountLeftovers>;
}

/** One change as the user is shown it: `cluster prod (changed)`, and the lines of its difference. */
export interface WaitingText {
  title: string;
  /** Why it deserves a second look. */
  risks: string[];
  lines: string[];
}

export async function whatWaits(deps: ConfirmDeps, name: string | null): Promise<Waiting> {
  const seen = deps.config.current();
  const isMeant = (each: string) => name === null || each === name;
  const changes = deps.bindings.changes().filter((change) => isMeant(change.name));
  const held = (await deps.programs.held()).filter(({ account }) => isMeant(account));
  const accounts = changes.flatMap((change) => {
    const account = change.what === 'account' ? seen.accounts.get(change.name) : undefined;
    return account ? [account] : [];
  });
  const content = deps.vault.read();
  const left = new Map(
    changes
      .filter(({ what, change }) => what === 'account' && change === 'new')
      .map((change) => [change.name, leftoversOf(content, change.name)]),
  );
  return { seen, name, changes, held, left, found: await inspectPlugins(deps.look, accounts) };
}

/** All of config.yaml: what a vault that is made now takes for confirmed (rule: confirmed-binding). */
export async function whatWouldCount({
  config,
  look,
}: Pick<ConfirmDeps, 'config' | 'look'>): Promise<Waiting> {
  const seen = config.current();
  const changes = pendingChanges(seen, unapproved);
  return {
    seen,
    name: null,
    changes,
    held: [],
    left: new Map(),
    found: await inspectPlugins(look, [...seen.accounts.values()]),
  };
}

/** For the words that say what holds until then. */
export function pendingOf({ changes, held }: Waiting): Pending[] {
  return [...changes, ...held.map(() => ({ what: 'program', served: false }))];
}

/** What deserves a second look comes first; the rest in the order of config.yaml. */
export function waitingTexts({ changes, held, found, left, seen }: Omit<Waiting, 'name'>): WaitingText[] {
  const texts = [
    ...held.map((each): WaitingText => {
      const [title = '', ...lines] = changedProgramLines(each);
      return { title, risks: ['Runs a program that changed'], lines: lines.map((line) => line.slice(2)) };
    }),
    ...changes.map((change) => changeText(change, { found, left, seen })),
  ];
  return [
    ...texts.filter(({ risks }) => risks.length > 0),
    ...texts.filter(({ risks }) => risks.length === 0),
  ];
}

/** How much there is, of which sort, in one sentence. */
export function summaryOf(waiting: Waiting): string {
  const { changes, held } = waiting;
  const count = (number: number, one: string, many = `${one}s`) =>
    number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  const of = (what: PendingChange['what'], change: PendingChange['change']) =>
    changes.filter((each) => each.what === what && each.change === change).length;
  const parts = [
    ...kindNames().flatMap((kind) => count(of(kind, 'new'), `new ${kind}`)),
    ...kindNames().flatMap((kind) => count(of(kind, 'changed'), `changed ${kind}`)),
    ...count(of('setting', 'changed'), 'changed setting'),
    ...count(held.length, 'changed program'),
  ];
  const risky = waitingTexts(waiting).filter(({ risks }) => risks.length > 0).length;
  const total = changes.length + held.length;
  const first = `${total === 1 ? '1 change' : `${total} changes`}: ${parts.join(', ')}.`;
  return risky === 0 || total === 1
    ? first
    : `${first} ${risky} ${risky === 1 ? 'needs' : 'need'} a closer look, shown first.`;
}

/**
 * Whether config.yaml says what it said. Profiles don’t count: they change as a hub says, and who can write one must not
 * be able to keep the user from approving anything. What is approved of them is what was shown.
 */
export function isStillSeen(seen: LoadedConfig, now: LoadedConfig): boolean {
  const own = (config: LoadedConfig) =>
    kindNames().flatMap((kind) =>
      [...entriesOf(config, kind).values()].filter(({ origin }) => origin === undefined),
    );
  const [was, is] = [own(seen), own(now)];
  return (
    seen.settings === now.settings &&
    was.length === is.length &&
    was.every((entry, index) => entry === is[index])
  );
}

/** Without the changes of profiles. */
export function ownChanges(waiting: Waiting): Waiting {
  const { seen, changes } = waiting;
  const isOwn = ({ what, name }: PendingChange) =>
    what !== 'cluster' || seen.clusters.get(name)?.origin === undefined;
  return { ...waiting, changes: changes.filter(isOwn) };
}

/**
 * Approves what was shown, and nothing else: throws `confirm.changed` where config.yaml has changed since. Programs
 * are bound to what was shown: one that has changed since is pending again.
 */
export async function takeWaiting(deps: ConfirmDeps, waiting: Waiting): Promise<void> {
  const { seen, name, changes, held, found } = waiting;
  if (!isStillSeen(seen, deps.config.current())) {
    throw new BrokerError('confirm.changed', 'config.yaml has changed once more meanwhile', {
      reason: 'denied',
      hint: 'review it again: lanyard confirm',
    });
  }
  const programs: SeenPrograms = Object.fromEntries(
    [...found].map(([account, facts]) => [account, bindingOf(facts)]),
  );
  await deps.bindings.approve({ changes, programs, changedPrograms: held }, { forgetGone: name === null });
  for (const each of [...changes.map(({ name }) => name), ...held.map(({ account }) => account)]) {
    deps.recorder.record({ kind: 'change', what: 'binding.confirm', name: each });
  }
}

function changeText(
  change: PendingChange,
  { found, left, seen }: Pick<Waiting, 'found' | 'left' | 'seen'>,
): WaitingText {
  const cluster = change.what === 'cluster' ? seen.clusters.get(change.name) : undefined;
  const { login = false, secrets = [] } = (change.what === 'account' && left.get(change.name)) || {};
  const facts = change.what === 'account' ? found.get(change.name) : undefined;
  const [first, ...more] = facts ? programLines(facts) : [];
  return {
    title: `${change.what} ${change.name} (${change.change})`,
    risks: [
      ...(login ? ['Uses a login that the vault has under its name already'] : []),
      ...(cluster && isUnexpectedServer(cluster, seen)
        ? ['Its server is not among those of its inventory']
        : []),
      ...risksOf(change),
    ],
    lines: [
      ...change.lines,
      ...(first === undefined ? [] : [`program: ${first}`, ...more.map((line) => `  ${line}`)]),
      // No risk in itself: an import stores the secrets of an account before that is approved.
      ...(secrets.length === 0
        ? []
        : [
            `uses what the vault has under its name already: ${secrets.map((part) => visibleText(part)).join(', ')}`,
          ]),
    ],
  };
}

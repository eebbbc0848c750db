import type { Bindings } from '../access/bindings.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { kindNames } from '../contract/config/config.ts';
import type { Pending } from '../contract/pending-words.ts';
import { type AccountLeftovers, leftoversOf } from '../domain/approval/account-leftovers.ts';
import { type PendingChange, pendingChanges, unapproved } from '../domain/approval/binding.ts';
import { approvalOf } from '../domain/approval/removed-approval.ts';
import { entriesOf, type LoadedConfig } from '../domain/loaded-config.ts';
import { type ProgramFacts, programWords } from '../domain/program/program.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';
import { bindingOf, type ChangedProgram } from '../domain/program/program-check.ts';
import { type InspectPlugin, inspectPlugins } from '../platform/programs/inspect-plugin.ts';
import type { Recorder } from '../ports/history.ts';
import type { Vault } from '../ports/vault.ts';

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
  /** Nothing else is pending. */
  isAll: boolean;
  changes: readonly PendingChange[];
  held: readonly ChangedProgram[];
  /** By account, the programs that the commands of pending accounts resolve to. */
  found: ReadonlyMap<string, ProgramFacts>;
  /** By new account, what the vault has under its name already, which it would use. */
  left: ReadonlyMap<string, AccountLeftovers>;
}

/** `names`: all that has one of these; null: all. */
export async function whatWaits(deps: ConfirmDeps, names: readonly string[] | null): Promise<Waiting> {
  const seen = deps.config.current();
  const meant = names && new Set(names);
  const isMeant = (each: string) => meant?.has(each) ?? true;
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
  return {
    seen,
    isAll: names === null,
    changes,
    held,
    left,
    found: await inspectPlugins(deps.look, accounts),
  };
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
    isAll: true,
    changes,
    held: [],
    left: new Map(),
    found: await inspectPlugins(look, [...seen.accounts.values()]),
  };
}

export function countOf({ changes, held }: Pick<Waiting, 'changes' | 'held'>): number {
  return changes.length + held.length;
}

/** For the words that say what holds until then. */
export function pendingOf({ changes, held }: Waiting): Pending[] {
  return [...changes, ...held.map(({ now }) => ({ what: programWords(now).noun, served: false }))];
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
  return { ...waiting, changes: waiting.changes.filter((change) => isOwn(change, waiting)) };
}

function isOwn({ what, name }: PendingChange, { seen }: Waiting): boolean {
  return what !== 'cluster' || seen.clusters.get(name)?.origin === undefined;
}

/**
 * Approves what was shown, and nothing else: throws `confirm.changed` where config.yaml has changed since. Programs
 * are bound to what was shown: one that has changed since is pending again. A profile of which something else is
 * approved by now, or nothing, stays pending: its hub made it again, say. Returns what was approved.
 */
export async function takeWaiting(deps: ConfirmDeps, waiting: Waiting): Promise<Waiting> {
  const { seen, held, found } = waiting;
  if (!isStillSeen(seen, deps.config.current())) {
    throw changed('config.yaml has changed once more meanwhile');
  }
  const { confirmed } = deps.vault.read();
  const shapeOf = (name: string) => approvalOf(confirmed, { what: 'cluster', name })?.shape ?? null;
  const changes = waiting.changes.filter(
    (change) => isOwn(change, waiting) || shapeOf(change.name) === change.before,
  );
  const isAll = waiting.isAll && changes.length === waiting.changes.length;
  if (changes.length === 0 && held.length === 0 && waiting.changes.length > 0) {
    throw changed('what was approved before has changed meanwhile');
  }
  const programs: SeenPrograms = Object.fromEntries(
    [...found].map(([account, facts]) => [account, bindingOf(facts)]),
  );
  await deps.bindings.approve({ changes, programs, changedPrograms: held }, { forgetGone: isAll });
  for (const each of [...changes.map(({ name }) => name), ...held.map(({ account }) => account)]) {
    deps.recorder.record({ kind: 'change', what: 'binding.confirm', name: each });
  }
  return { ...waiting, isAll, changes };
}

function changed(message: string): BrokerError {
  return new BrokerError('confirm.changed', message, {
    reason: 'denied',
    hint: 'review it again: lanyard confirm',
  });
}

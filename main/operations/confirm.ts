import type { SeenPrograms } from '../bindings.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { type HeldChange, heldChanges, unapproved } from '../domain/binding.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import { type ProgramFacts, programLines } from '../domain/program.ts';
import { bindingOf, type HeldProgram, heldProgramLines } from '../domain/program-standing.ts';
import type { Recorder } from '../ports/history.ts';
import { lookAtPlugins, type PluginLook } from '../programs/plugin-look.ts';

export interface ConfirmDeps {
  config: { current(): LoadedConfig };
  recorder: Recorder;
  bindings: {
    changes(): readonly HeldChange[];
    confirmAll(seen: LoadedConfig, programs: SeenPrograms): Promise<boolean>;
    confirmMany(entries: readonly Pick<HeldChange, 'what' | 'name'>[], programs: SeenPrograms): Promise<void>;
  };
  programs: { held(): Promise<readonly HeldProgram[]> };
  look: PluginLook;
}

/** What waits for a person's word (rule 8), as it was when they were shown it. */
export interface Waiting {
  seen: LoadedConfig;
  /** All that has this name; null: all. */
  name: string | null;
  changes: readonly HeldChange[];
  held: readonly HeldProgram[];
  /** By account, what the commands of held accounts lead to. */
  found: ReadonlyMap<string, ProgramFacts>;
}

/** One change as a person is shown it: `cluster prod (changed)`, and the lines of its difference. */
export interface WaitingText {
  title: string;
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
  return { seen, name, changes, held, found: await lookAtPlugins(deps.look, accounts) };
}

/** All of config.yaml: what a vault that is made now takes for confirmed (rule 8). */
export async function whatWouldCount({
  config,
  look,
}: Pick<ConfirmDeps, 'config' | 'look'>): Promise<Waiting> {
  const seen = config.current();
  const changes = heldChanges(seen, unapproved);
  return {
    seen,
    name: null,
    changes,
    held: [],
    found: await lookAtPlugins(look, [...seen.accounts.values()]),
  };
}

export function waitingTexts({ changes, held, found }: Waiting): WaitingText[] {
  return [
    ...changes.map((change) => changeText(change, found)),
    ...held.map((each) => {
      const [title = '', ...lines] = heldProgramLines(each);
      return { title, lines: lines.map((line) => line.slice(2)) };
    }),
  ];
}

/**
 * Takes what was shown, and nothing else: throws `confirm.changed` where config.yaml has changed since. Programs are bound
 * to what was shown: where another is there by now, it is held again.
 */
export async function takeWaiting(deps: ConfirmDeps, waiting: Waiting): Promise<void> {
  const { seen, changes, held } = waiting;
  if (deps.config.current() !== seen || !(await take(deps, waiting))) {
    throw new BrokerError('confirm.changed', 'config.yaml has changed once more meanwhile', {
      reason: 'denied',
      hint: 'look again: lanyard confirm',
    });
  }
  for (const each of [...changes.map(({ name }) => name), ...held.map(({ account }) => account)]) {
    deps.recorder.record({ kind: 'change', what: 'binding.confirm', name: each });
  }
}

async function take(
  { bindings }: ConfirmDeps,
  { seen, name, changes, held, found }: Waiting,
): Promise<boolean> {
  const programs: SeenPrograms = {
    ...Object.fromEntries([...found].map(([account, facts]) => [account, bindingOf(facts)])),
    ...Object.fromEntries(held.map(({ account, now }) => [account, bindingOf(now)])),
  };
  if (name === null) {
    return bindings.confirmAll(seen, programs);
  }
  await bindings.confirmMany(changes, programs);
  return true;
}

function changeText(change: HeldChange, found: Waiting['found']): WaitingText {
  const facts = change.what === 'account' ? found.get(change.name) : undefined;
  const [first, ...more] = facts ? programLines(facts) : [];
  return {
    title: `${change.what} ${change.name} (${change.change})`,
    lines: [
      ...change.lines,
      ...(first === undefined ? [] : [`program: ${first}`, ...more.map((line) => `  ${line}`)]),
    ],
  };
}

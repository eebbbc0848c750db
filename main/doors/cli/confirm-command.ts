import type { SeenPrograms } from '../../bindings.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { HeldChange } from '../../domain/binding.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import { type ProgramFacts, programLines } from '../../domain/program.ts';
import {
  bindingOf,
  type HeldProgram,
  heldProgramJson,
  heldProgramLines,
} from '../../domain/program-standing.ts';
import { unknownName } from '../../domain/unknown-name.ts';
import type { Recorder } from '../../ports/history.ts';
import { lookAtPlugins, type PluginLook } from '../../programs/plugin-look.ts';
import { askYes, type Command, done, json, parseWords } from './command.ts';

export interface ConfirmCommandDeps {
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

/** What waits for a person, as it is shown to them. */
interface Waiting {
  changes: readonly HeldChange[];
  held: readonly HeldProgram[];
  /** By account, what the commands of held accounts lead to. */
  found: ReadonlyMap<string, ProgramFacts>;
}

/**
 * `lanyard confirm [ACCOUNT] [--json]`: shows what came into config.yaml from outside, and programs of plugins that have
 * changed, and takes them if a person says so (rule 8).
 */
export function confirmCommand(deps: ConfirmCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('confirm', call.args, ['[ACCOUNT]'], {
      json: { type: 'boolean' },
    });
    const name = positionals[0] ?? null;
    const seen = deps.config.current();
    const waiting = await whatWaits(deps, seen, name);
    const { changes, held, found } = waiting;
    if (values.json) {
      return done(json(waitingJson(waiting)));
    }
    const count = changes.length + held.length;
    if (name !== null && count === 0 && !isKnown(seen, name)) {
      throw unknownName('account', name, seen.accounts.keys());
    }
    if (count === 0) {
      return done(
        undefined,
        name === null ? 'Nothing waits to be confirmed.' : `Nothing of ${name} waits to be confirmed.`,
      );
    }
    call.terminal.print(
      `${[...changes.map((each) => changeText(each, found)), ...held.map(programText)].join('\n')}\n`,
    );
    if (!call.terminal.canPrompt) {
      throw new BrokerError('confirm.noTerminal', 'a change is confirmed by a person at a terminal', {
        reason: 'notPermitted',
      });
    }
    call.terminal.extend(900);
    if (!(await askYes(call, 'Take this into force?'))) {
      throw new BrokerError('confirm.denied', 'nothing was taken', { reason: 'denied' });
    }
    // A person was thinking meanwhile: only what was shown may be taken.
    if (deps.config.current() !== seen || !(await take(deps, seen, name, waiting))) {
      throw new BrokerError('confirm.changed', 'config.yaml has changed once more meanwhile', {
        reason: 'denied',
        hint: 'look again: lanyard confirm',
      });
    }
    for (const each of [...changes.map((change) => change.name), ...held.map(({ account }) => account)]) {
      deps.recorder.record({ kind: 'change', what: 'binding.confirm', name: each });
    }
    return done(undefined, `Confirmed ${count === 1 ? 'one change' : `${count} changes`}.`);
  };
}

function isKnown({ accounts, clusters, settings }: LoadedConfig, name: string): boolean {
  return accounts.has(name) || clusters.has(name) || Object.hasOwn(settings, name);
}

async function whatWaits(
  deps: ConfirmCommandDeps,
  seen: LoadedConfig,
  name: string | null,
): Promise<Waiting> {
  const isMeant = (each: string) => name === null || each === name;
  const changes = deps.bindings.changes().filter((change) => isMeant(change.name));
  const held = (await deps.programs.held()).filter(({ account }) => isMeant(account));
  const accounts = changes.flatMap((change) => {
    const account = change.what === 'account' ? seen.accounts.get(change.name) : undefined;
    return account ? [account] : [];
  });
  return { changes, held, found: await lookAtPlugins(deps.look, accounts) };
}

/** Programs are bound to what was shown: where another is there by now, it is held again. */
async function take(
  { bindings }: ConfirmCommandDeps,
  seen: LoadedConfig,
  name: string | null,
  { changes, held, found }: Waiting,
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

function changeText(change: HeldChange, found: Waiting['found']): string {
  const facts = change.what === 'account' ? found.get(change.name) : undefined;
  const [first, ...more] = facts ? programLines(facts) : [];
  return [
    `${change.what} ${change.name} (${change.change})`,
    ...change.lines.map((line) => `  ${line}`),
    ...(first === undefined ? [] : [`  program: ${first}`, ...more.map((line) => `    ${line}`)]),
  ].join('\n');
}

function programText(held: HeldProgram): string {
  return heldProgramLines(held).join('\n');
}

function waitingJson({ changes, held, found }: Waiting): object[] {
  return [
    ...changes.map((change) => ({
      ...change,
      ...(change.what === 'account' && found.has(change.name) && { program: found.get(change.name) }),
    })),
    ...held.map(heldProgramJson),
  ];
}

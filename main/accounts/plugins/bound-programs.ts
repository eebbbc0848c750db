import { delimiter } from 'node:path';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { type Program, type ProgramFacts, programWords } from '../../domain/program/program.ts';
import {
  type BoundProgram,
  bindingOf,
  type ChangedProgram,
  changedProgram,
  lookAtWriters,
  type ProgramCheck,
  programFault,
  unpinnableHint,
  unpinnableText,
  unsafeText,
} from '../../domain/program/program-check.ts';
import { type AccountProgram, programOf } from '../../domain/program/program-of.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { cachedInspector } from '../../platform/programs/cached-inspector.ts';
import { standsAt } from '../../platform/programs/find-program.ts';
import { type InspectPlugin, inspectPlugins } from '../../platform/programs/inspect-plugin.ts';
import { writersOf } from '../../platform/programs/program-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore, LoadedAccount } from '../../ports/config-store.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { Vault, VaultContent } from '../../ports/vault.ts';

export interface BoundProgramsDeps {
  vault: Pick<Vault, 'read' | 'update'>;
  look: InspectPlugin;
  config: Pick<ConfigStore, 'current'>;
  clock: Pick<Clock, 'boottime'>;
  /** The account has an approved form; else its program is approved with it. */
  isServed(account: string): boolean;
}

export interface BoundPrograms extends PluginPrograms {
  /**
   * The state of the programs of these accounts, or of all; without other kinds of account, and those that are
   * pending themselves. Throws BrokerError (reason locked) while the vault isn't open.
   */
  checkAll(names?: readonly string[]): Promise<ReadonlyMap<string, ProgramCheck>>;
  /** Of those, what waits for `lanyard confirm`. */
  held(): Promise<readonly ChangedProgram[]>;
}

/**
 * The approved programs of wrapped plugins (rule: confirmed-binding), from the vault, compared with the files on disk.
 */
export function createBoundPrograms({
  vault,
  look,
  config,
  clock,
  isServed,
}: BoundProgramsDeps): BoundPrograms {
  const inspectCached = cachedInspector(look, clock);
  const checkOf = (account: LoadedAccount, facts: ProgramFacts): ProgramCheck => {
    const bound = boundIn(vault.read(), account.name);
    const { pin } = pluginOf(account);
    return { facts, bound, fault: facts.kind === 'program' ? programFault(facts, bound, pin) : null };
  };
  const find = async (account: LoadedAccount): ReturnType<PluginPrograms['find']> => {
    const plugin = pluginOf(account);
    // Without a pin no digests are compared: a run then reads nothing of the program.
    const needed = plugin.pin || boundIn(vault.read(), account.name) === null;
    const facts = await look(plugin, { digest: needed ? 'wanted' : null });
    if (facts.kind !== 'program') {
      return { ...facts, ok: 'missing' };
    }
    const { bound, fault } = checkOf(account, facts);
    if (fault !== null) {
      return faultRefusal(account.name, facts, bound, fault);
    }
    if (bound === null) {
      await bindFirst(vault, account.name, facts);
    }
    return { ok: true, path: facts.path, target: facts.target, sha256: facts.sha256 };
  };
  const checkAll = async (names?: readonly string[]) => {
    const { accounts } = config.current();
    const meant = (names ?? [...accounts.keys()]).flatMap((name) => {
      const account = accounts.get(name);
      return account && isServed(name) ? [account] : [];
    });
    const found = await inspectPlugins(inspectCached, meant);
    return new Map(
      meant.flatMap((account) => {
        const facts = found.get(account.name);
        return facts ? [[account.name, checkOf(account, facts)] as const] : [];
      }),
    );
  };
  return {
    checkAll,
    find: (account) => find(account).catch(toRefusal),
    check: async (account) => checkOf(account, await inspectCached(pluginOf(account))),
    async openFolders(account) {
      const folders = pluginSearchPath(pluginOf(account)).split(delimiter);
      const open = await Promise.all(
        folders.map(async (folder) => ((await standsAt(folder)) === 'folder' ? writersOf(folder) : null)),
      );
      return open.flatMap((writers) => writers?.slice(0, 1) ?? []);
    },
    async held() {
      const all = [...(await checkAll())].map(([name, check]) => changedProgram(name, check));
      return all.filter((each) => each !== null);
    },
  };
}

function pluginOf({ name, config }: LoadedAccount): AccountProgram {
  const plugin = programOf(config);
  if (plugin === null) {
    throw new BrokerError('execPlugin.kind', `${name} runs no plugin`);
  }
  return plugin;
}

function boundIn({ confirmed }: Pick<VaultContent, 'confirmed'>, name: string): BoundProgram | null {
  return Object.hasOwn(confirmed.programs, name) ? (confirmed.programs[name] ?? null) : null;
}

/** The account was confirmed before anything was known of its program: what runs first is what is meant. */
async function bindFirst(vault: BoundProgramsDeps['vault'], name: string, program: Program): Promise<void> {
  const binding = bindingOf(program);
  await vault.update((content) => {
    const { confirmed } = content;
    const isGone = !Object.hasOwn(confirmed.accounts, name);
    return binding === null || isGone || boundIn(content, name) !== null
      ? content
      : { ...content, confirmed: { ...confirmed, programs: { ...confirmed.programs, [name]: binding } } };
  });
}

function faultRefusal(
  name: string,
  program: Program,
  bound: BoundProgram | null,
  fault: NonNullable<ProgramCheck['fault']>,
): Refusal {
  const path = visibleText(program.path);
  const { noun } = programWords(program);
  const confirm = `check it, then approve it: lanyard confirm ${name}`;
  switch (fault) {
    case 'unsafe':
      return refuse('notPermitted', 'execPlugin.unsafe', unsafeText(program), lookAtWriters(program));
    case 'moved': {
      const before = visibleText(bound?.path ?? '');
      const message = `the ${noun} of ${name} would be ${path} now; confirmed is ${before}`;
      return refuse('notPermitted', 'execPlugin.moved', message, confirm);
    }
    case 'changed':
      return program.sha256 === null
        ? refuse('notPermitted', 'execPlugin.changed', unpinnableText(program), unpinnableHint(program))
        : refuse(
            'notPermitted',
            'execPlugin.changed',
            `the ${noun} of ${name}, ${path}, has changed since it was confirmed`,
            confirm,
          );
  }
}

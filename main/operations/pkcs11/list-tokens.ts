import { type ListModule, longestListSeconds } from '../../accounts/pkcs11/list-module.ts';
import {
  type ModuleOrder,
  type PrepareModuleDeps,
  prepareModule,
} from '../../accounts/pkcs11/prepare-module.ts';
import { platformRefusal, shown } from '../../accounts/pkcs11/token-words.ts';
import { baseEnvironment } from '../../accounts/plugins/rules/base-environment.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import type { Pkcs11Config } from '../../contract/config/accounts/pkcs11.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { noProgramText, type Program } from '../../domain/program/program.ts';
import { lookAtWriters, unpinnableHint, unsafeText } from '../../domain/program/program-check.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { InspectPlugin } from '../../platform/programs/inspect-plugin.ts';
import type { Directory, Gate } from '../../ports/broker-core.ts';
import { type SelectingAccount, type SlotReport, slotReports } from './token-report.ts';

/** The longest that one module’s list takes. */
export const listSeconds = longestListSeconds;

export interface ListTokensDeps extends Omit<PrepareModuleDeps, 'account'> {
  gate: Gate;
  directory: Pick<Directory, 'account'>;
  look: InspectPlugin;
  list: ListModule;
}

/** A module and what is in its slots. */
export interface ModuleReport {
  /** Its file; absolute. */
  module: string;
  /** The accounts whose module it is. */
  accounts: string[];
  /** Its own name and version; null: it wasn’t loaded. */
  library: string | null;
  slots: SlotReport[];
}

export type ListedTokens =
  | { ok: true; report: ModuleReport }
  | (Refusal & { module: string; accounts: string[] });

/** An account of kind pkcs11. */
export type TokenAccount = LoadedAccount & { config: { pkcs11: Pkcs11Config } };

export function isTokenAccount(account: LoadedAccount): account is TokenAccount {
  return 'pkcs11' in account.config;
}

/**
 * What is to be seen of the tokens of these accounts, a report for each approved module and its variables. Nothing is loaded
 * for an account that isn’t approved, or whose vault is locked.
 */
export async function listTokens(
  deps: ListTokensDeps,
  accounts: readonly TokenAccount[],
  signal: AbortSignal,
): Promise<ListedTokens[]> {
  const orders = new Map<string, { order: ModuleOrder; accounts: SelectingAccount[] }>();
  const refused: ListedTokens[] = [];
  for (const account of accounts) {
    const { name, config } = account;
    const prepared = await prepare(deps, account);
    if (!prepared.ok) {
      refused.push({ ...prepared, module: config.pkcs11.module, accounts: [name] });
      continue;
    }
    const { ok: _, ...order } = prepared;
    const key = JSON.stringify(order);
    const known = orders.get(key) ?? { order, accounts: [] };
    known.accounts.push({ ...config.pkcs11, name });
    orders.set(key, known);
  }
  const listed: ListedTokens[] = [];
  // One after the other: two may be of one reader.
  for (const { order, accounts: selecting } of orders.values()) {
    listed.push(await listOrder(deps, order, selecting, signal));
  }
  return [...listed, ...refused];
}

/**
 * The same for a file that no account has to name: the user does, so it is loaded as it is now. Refused (notPermitted) where
 * others can write it. `selecting`: what to look for. `mayLoad`: whether the user, or root by its owner, wants that very file.
 */
export async function listModuleFile(
  deps: Pick<ListTokensDeps, 'environment' | 'list' | 'look' | 'platform'>,
  { module, env }: Pick<Pkcs11Config, 'module' | 'env'>,
  selecting: readonly SelectingAccount[],
  signal: AbortSignal,
  mayLoad: (program: Program) => Promise<boolean>,
): Promise<ListedTokens> {
  const refused = (refusal: Refusal) => ({ ...refusal, module, accounts: [] });
  const elsewhere = platformRefusal(deps.platform ?? process.platform);
  if (elsewhere) {
    return refused(elsewhere);
  }
  const facts = await deps.look({ command: module, isLibrary: true });
  if (facts.kind !== 'program') {
    const path = facts.path === null ? `${visibleText(module)}: ` : '';
    return refused(refuse('notFound', 'pkcs11.moduleMissing', `${path}${noProgramText(facts)}`));
  }
  if (facts.writers === null || facts.writers.length > 0) {
    return refused(refuse('notPermitted', 'pkcs11.moduleUnsafe', unsafeText(facts), lookAtWriters(facts)));
  }
  if (facts.sha256 === null) {
    const text = `${visibleText(facts.path)} can’t be read`;
    return refused(refuse('notFound', 'pkcs11.moduleMissing', text, unpinnableHint(facts)));
  }
  if (!(await mayLoad(facts))) {
    return refused(
      refuse(
        'denied',
        'pkcs11.notLoaded',
        `${visibleText(facts.path)} was not loaded`,
        'a module that doesn’t belong to root is loaded where you say so at a terminal',
      ),
    );
  }
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const environment = { ...baseEnvironment(deps.environment, pluginSearchPath({}), false), ...own };
  return listOrder(deps, { module: facts.path, sha256: facts.sha256, environment }, selecting, signal);
}

async function prepare(deps: ListTokensDeps, account: TokenAccount) {
  const shut = deps.gate();
  if (shut) {
    return shut;
  }
  const usable = deps.directory.account(account.name);
  return usable.ok ? prepareModule({ ...deps, account }, account.config.pkcs11).catch(toRefusal) : usable;
}

async function listOrder(
  { list }: Pick<ListTokensDeps, 'list'>,
  order: ModuleOrder,
  selecting: readonly SelectingAccount[],
  signal: AbortSignal,
): Promise<ListedTokens> {
  const { module } = order;
  const accounts = selecting.map(({ name }) => name);
  const listed = await list(order, signal);
  if (!listed.ok) {
    return { ...listed, module, accounts };
  }
  const { description, manufacturer, version } = listed.library;
  const named = [manufacturer, description].filter((text) => text !== '').join(', ');
  const library = shown(`${named} ${version}`);
  return { ok: true, report: { module, accounts, library, slots: slotReports(listed.slots, selecting) } };
}

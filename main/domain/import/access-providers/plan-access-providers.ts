import { isDeepStrictEqual } from 'node:util';
import { Secret } from '../../../base/secret.ts';
import { type ExecPluginConfig, execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import { type AccessProviderConfig, accessProvider } from '../../../contract/config/inventory.ts';
import { isOwnProgram } from '../../../contract/program-names.ts';
import { hasLeftovers, type StoredByAccount } from '../../approval/account-leftovers.ts';
import type { FileProvider } from '../../inventory/file-provider.ts';
import type { LoadedEntries } from '../../loaded-config.ts';
import { type ProgramFacts, writersText } from '../../program/program.ts';
import { visibleText } from '../../text/visible-text.ts';
import { cleanName, FreeNames } from '../clean-name.ts';
import { entryFault, hasSameSecrets, pluginEntry } from '../providers/plugin-entry.ts';

/** A provider of a controller’s configuration, with what its command leads to; null where it has a fault. */
export interface StatedProvider {
  provider: FileProvider;
  /** As an account has it: a relative path is absolute. */
  command: string;
  /** For a bare name. */
  searchPath: string | undefined;
  program: ProgramFacts | null;
}

/** The account and the entry among an inventory’s providers that a provider becomes. */
export interface ImportedAccessProvider {
  account: string;
  /** The same account is in config.yaml already. */
  accountExists: boolean;
  accountValue: { execPlugin: Partial<ExecPluginConfig> };
  entry: Partial<AccessProviderConfig> & Pick<AccessProviderConfig, 'name' | 'account'>;
  /** For the vault, by part: env.NAME. */
  secrets: Readonly<Record<string, Secret>>;
  /** The vault has other values for them, or none. */
  secretsChange: boolean;
  program: ProgramFacts;
}

/** What becomes of one provider. `left`: why it is not imported. */
export interface PlannedAccessProvider {
  provider: string;
  becomes: ImportedAccessProvider | { left: string };
  /** Sentences that the user should read. */
  notes: readonly string[];
}

export interface KnownForProviders {
  config: Pick<LoadedEntries, 'accounts'>;
  /** The vault’s, by account, then by part. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  /** The vault’s logins, by account. */
  sessions: StoredByAccount['sessions'];
}

/**
 * What becomes of the providers of a provider file and of KEP-5339’s flag: an account that runs the plugin and never
 * asks the user (the library sets interactiveMode Never), and an entry of the inventory. `named`: providers that have
 * an account already.
 */
export function planAccessProviders(
  stated: readonly StatedProvider[],
  named: readonly string[],
  known: KnownForProviders,
): PlannedAccessProvider[] {
  const { accounts } = known.config;
  const isLeft = (name: string) => !accounts.has(name) && hasLeftovers(known, name);
  const names = new FreeNames((name) => accounts.has(name) || isLeft(name));
  const taken = new Set(named);
  return stated.map(({ provider, command, searchPath, program }): PlannedAccessProvider => {
    const { name } = provider;
    const left = (why: string) => ({ provider: name, becomes: { left: why }, notes: [] });
    if (!provider.ok) {
      return left(provider.fault);
    }
    if (taken.has(name)) {
      return left('is named before; the first counts');
    }
    const fault = program === null ? 'was not looked for' : programFaultText(program);
    if (program === null || fault !== null) {
      return left(fault ?? '');
    }
    const made = pluginEntry(provider.plugin, 'where it was stated', (text) => new Secret(text));
    if (!made.ok) {
      return left(made.left);
    }
    const { apiVersion, provideClusterInfo, installHint } = provider.plugin;
    const execPlugin: Partial<ExecPluginConfig> = {
      apiVersion,
      command,
      ...(made.value as Partial<ExecPluginConfig>),
      interactiveMode: 'Never',
      ...(provideClusterInfo && { provideClusterInfo }),
      ...(installHint !== null && { installHint }),
      ...(searchPath !== undefined && { searchPath }),
    };
    const parsed = execPluginAccount.safeParse(execPlugin);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return left(issue ? entryFault(issue, execPlugin.env) : 'can’t be an account');
    }
    const { profileSourcedCLIArgsPolicy: args, profileSourcedEnvVarsPolicy: variables } = provider;
    const policies = {
      ...(args !== 'Ignore' && { profileSourcedCLIArgsPolicy: args }),
      ...(variables !== 'Ignore' && { profileSourcedEnvVarsPolicy: variables }),
    };
    const [wrong] = accessProvider.safeParse({ name, account: 'any' }).error?.issues ?? [];
    if (wrong) {
      return left(entryFault(wrong));
    }
    const base = cleanName(name, 'provider');
    const there = sameAccount(base, parsed.data, accounts);
    const hasJust = (account: string) =>
      isLeft(account) &&
      !Object.hasOwn(known.sessions, account) &&
      hasSameSecrets(made.secrets, known.secrets[account] ?? {});
    const account = there ?? names.take(base, hasJust);
    taken.add(name);
    return {
      provider: name,
      becomes: {
        account,
        accountExists: there !== null,
        accountValue: { execPlugin },
        entry: { name, account, ...policies },
        secrets: made.secrets,
        secretsChange: !hasSameSecrets(made.secrets, known.secrets[account] ?? {}),
        program,
      },
      notes: [
        ...made.notes,
        ...(args === 'Ignore' ? [] : ['a profile may add arguments to the plugin’s']),
        ...(variables === 'Ignore'
          ? []
          : ['no variable of a profile is set until allowedEnvVars of the provider names it']),
      ],
    };
  });
}

/** Those of a plan that are imported. */
export function importedProviders(plan: readonly PlannedAccessProvider[]): ImportedAccessProvider[] {
  return plan.flatMap(({ becomes }) => ('left' in becomes ? [] : [becomes]));
}

/** Why a program may not be run at all. One that isn’t there now may come. */
function programFaultText(program: ProgramFacts): string | null {
  if (program.kind !== 'program') {
    return null;
  }
  const writers = writersText(program);
  const isOwn = isOwnProgram(program.target.split(/[/\\]/).at(-1) ?? '');
  return isOwn
    ? 'its plugin is Lanyard’s own helper: it would ask itself'
    : writers === null
      ? null
      : `${visibleText(writers)}, and so put another program in place of its plugin: take that right away, then add it again`;
}

/** The account that is the same already: of its usual name where there are several; null: none. */
function sameAccount(
  usual: string,
  wanted: ExecPluginConfig,
  accounts: LoadedEntries['accounts'],
): string | null {
  const same = [...accounts.values()]
    .filter(({ config }) => 'execPlugin' in config && isDeepStrictEqual(config.execPlugin, wanted))
    .map(({ name }) => name);
  return same.includes(usual) ? usual : (same[0] ?? null);
}

import { isAbsolute, resolve } from 'node:path';
import { BrokerError } from '../../contract/broker-error.ts';
import {
  importedProviders,
  type PlannedAccessProvider,
  planAccessProviders,
  type StatedProvider,
} from '../../domain/import/access-providers/plan-access-providers.ts';
import type { FileProvider } from '../../domain/inventory/file-provider.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { bindingOf } from '../../domain/program/program-check.ts';
import type { ApplicableImport } from '../../kubeconfig/import/apply.ts';
import type { InspectPlugin } from '../../platform/programs/inspect-plugin.ts';
import type { ConfigStore, SetEdit } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';

/** An inventory as the user states it. */
export interface InventoryRequest {
  name: string;
  /** Its entry of config.yaml, without providers. */
  value: Readonly<Record<string, unknown>>;
  /** Providers with an account that is there: they come first. */
  named: readonly { name: string; account: string }[];
  /** Providers whose plugin becomes an account. */
  stated: readonly FileProvider[];
  /** The user’s folder: a relative command counts from it. Absolute. */
  cwd: string;
  /** The user’s PATH; undefined: unknown. */
  path: string | undefined;
}

/** All that adding the inventory would do, worked out; nothing is done yet. */
export interface PreparedInventory extends ApplicableImport {
  plan: readonly PlannedAccessProvider[];
  /** The inventory’s entry of config.yaml. */
  value: Readonly<Record<string, unknown>> & { providers: readonly { name: string; account: string }[] };
}

export interface PrepareInventoryDeps {
  config: Pick<ConfigStore, 'current' | 'check'>;
  /** Throws `vault.locked` while it isn’t open: without it, existing secrets are unknown. */
  vault: Pick<Vault, 'read'>;
  look: InspectPlugin;
}

/** Looks at the programs, and plans the accounts. Throws `vault.locked`, and `config.invalid` (reason usage). */
export async function prepareInventory(
  request: InventoryRequest,
  { config, vault, look }: PrepareInventoryDeps,
): Promise<PreparedInventory> {
  vault.read();
  const stated = await Promise.all(request.stated.map((provider) => locate(provider, request, look)));
  const seen = config.current();
  const { secrets, sessions } = vault.read();
  const plan = planAccessProviders(
    stated,
    request.named.map(({ name }) => name),
    { config: seen, secrets, sessions },
  );
  const imported = importedProviders(plan);
  const value = {
    ...request.value,
    providers: [...request.named, ...imported.map(({ entry }) => entry)],
  };
  const fresh = imported.filter(({ accountExists }) => !accountExists);
  const edits: SetEdit[] = [
    ...fresh.map(
      ({ account, accountValue }): SetEdit => ({
        kind: 'set',
        what: 'account',
        name: account,
        value: accountValue,
      }),
    ),
    { kind: 'set', what: 'inventory', name: request.name, value },
  ];
  if (value.providers.length > 0) {
    await mustBeValid(edits, config);
  }
  return {
    plan,
    value,
    seen,
    edits,
    secrets: Object.fromEntries(
      imported
        .filter(({ secretsChange }) => secretsChange)
        .map(({ account, secrets: own }) => [account, own]),
    ),
    programs: Object.fromEntries(fresh.map(({ account, program }) => [account, bindingOf(program)])),
    authorities: [],
    files: [],
  };
}

/** Found before the user is asked, and before a secret is in the vault for an account that can’t be written. */
async function mustBeValid(edits: readonly SetEdit[], config: PrepareInventoryDeps['config']): Promise<void> {
  const problems = await config.check(edits);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new BrokerError(
      'config.invalid',
      'the inventory would not be valid in config.yaml; nothing was added',
      {
        reason: 'usage',
        hint: errors
          .slice(0, 5)
          .map(({ message }) => message)
          .join('\n'),
      },
    );
  }
}

/** The program of a provider as `lanyard account add` finds one: a bare name by the user’s PATH. */
async function locate(
  provider: FileProvider,
  { cwd, path }: InventoryRequest,
  look: InspectPlugin,
): Promise<StatedProvider> {
  if (!provider.ok) {
    return { provider, command: '', searchPath: undefined, program: null };
  }
  const { command: stated } = provider.plugin;
  const command = /[/\\]/.test(stated) && !isAbsolute(stated) ? resolve(cwd, stated) : stated;
  const searchPath = path === undefined ? undefined : pluginSearchPath({ searchPath: path });
  return { provider, command, searchPath, program: await look({ command, searchPath }) };
}

import type { AccessProviderConfig } from '../../contract/config/inventory.ts';
import type { LoadedInventory } from '../loaded-config.ts';
import { canonical, type ShapeValue } from './cluster-shape.ts';

/**
 * All of an inventory that decides which profiles are believed, whose credential they get and what a profile may
 * change, as JSON with sorted keys (rule: confirmed-binding). `providers` and `serverRewrites` stay in their order: the
 * first that matches counts. Not `contexts`: it is a limit on names in a kubeconfig.
 */
export function inventoryShape({ config }: LoadedInventory): string {
  const { cluster, namespaces, labelSelector, files, providers, servers, serverRewrites, select } = config;
  return canonical({
    cluster,
    namespaces: namespaces && sorted(namespaces),
    labelSelector,
    files,
    providers: providers.map(({ name }) => name),
    ...Object.assign({}, ...providers.map(providerShape)),
    servers: unlessEmpty(sorted(servers)),
    serverRewrites: unlessEmpty(serverRewrites.map(({ from, to }) => `${from} -> ${to}`)),
    contextName: config.contextName === '{name}' ? undefined : config.contextName,
    select,
    trusted: config.trusted || undefined,
  });
}

/** A key for each of its settings, so that a difference shows what changed. Defaults are left out. */
function providerShape(provider: AccessProviderConfig): Record<string, ShapeValue | undefined> {
  const { profileSourcedCLIArgsPolicy: args, profileSourcedEnvVarsPolicy: variables } = provider;
  const values = {
    account: provider.account,
    profileSourcedCLIArgsPolicy: args === 'Ignore' ? undefined : args,
    profileSourcedEnvVarsPolicy: variables === 'Ignore' ? undefined : variables,
    allowedEnvVars: unlessEmpty(sorted(provider.allowedEnvVars)),
    audience: provider.audience,
    servers: provider.servers && sorted(provider.servers),
  };
  const prefix = `providers.${plainKey(provider.name)}`;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]));
}

/** Keys are shown as they are, and a name may have any characters: others than plain ones by their code. */
function plainKey(name: string): string {
  return name.replace(
    /[^\x21-\x24\x26-\x7e]/g,
    (each) => `%${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function unlessEmpty(texts: string[]): string[] | undefined {
  return texts.length === 0 ? undefined : texts;
}

import { resolve } from 'node:path';
import { credentialProviderAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type CommandCall, usageError } from '../command.ts';
import { addedAnswer, type EditDeps, editConfig, given, registryAddLine } from '../edit-config.ts';
import { confirmProgram, refuseSecrets, variable } from './exec-plugin-options.ts';

/** The options of `lanyard account add` that make an account of a provider plugin. */
export interface ProviderOptions {
  'credential-provider'?: string | undefined;
  arg?: string[] | undefined;
  env?: string[] | undefined;
  'api-version'?: string | undefined;
  'default-cache'?: string | undefined;
  pin?: boolean | undefined;
}

const group = 'credentialprovider.kubelet.k8s.io/';

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  apiVersion: '--api-version',
  command: '--credential-provider',
  args: '--arg',
  env: '--env',
  searchPath: 'PATH',
  defaultCacheDuration: '--default-cache',
};

/** `lanyard account add NAME --credential-provider COMMAND …` */
export async function addCredentialProvider(
  call: CommandCall,
  name: string,
  values: ProviderOptions,
  deps: EditDeps & { look: InspectPlugin },
): Promise<DoorAnswer> {
  const said = values['credential-provider'] ?? '';
  const command = /[/\\]/.test(said) ? resolve(call.cwd, said) : said;
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const searchPath = PATH === undefined ? undefined : pluginSearchPath({ searchPath: PATH });
  const version = values['api-version'] ?? 'v1';
  const credentialProvider = given({
    apiVersion: version.includes('/') ? version : `${group}${version}`,
    command,
    args: values.arg,
    env: values.env?.map(variable),
    searchPath,
    defaultCacheDuration: values['default-cache'],
    pin: values.pin,
  });
  const [issue] = credentialProviderAccount.safeParse(credentialProvider).error?.issues ?? [];
  if (issue) {
    const [field = ''] = issue.path;
    throw usageError('account add', `${optionOf[String(field)] ?? String(field)}: ${issue.message}`);
  }
  refuseSecrets(name, credentialProvider);
  const programs = await confirmProgram(call, name, { command, searchPath }, deps.look);
  const value = { credentialProvider };
  const saved = await editConfig(call, { kind: 'set', what: 'account', name, value }, deps, programs);
  const unset = credentialProvider.env?.find((each) => each.value === undefined);
  const next = unset ? `lanyard secret set ${name}/env.${unset.name}` : registryAddLine(name);
  return addedAnswer(`account ${name}`, next, saved);
}

import { resolve } from 'node:path';
import { requestSignerAccount } from '../../../contract/config/accounts/request-signer.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type CommandCall, usageError } from '../command.ts';
import { addedAnswer, type EditDeps, editConfig, given } from '../edit-config.ts';
import { confirmProgram, refuseSecrets, seconds, variable } from './exec-plugin-options.ts';

/** The options of `lanyard account add` that make an account of a program that signs requests. */
export interface SignerOptions {
  'request-signer'?: string | undefined;
  arg?: string[] | undefined;
  env?: string[] | undefined;
  timeout?: string | undefined;
  pin?: boolean | undefined;
}

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  command: '--request-signer',
  args: '--arg',
  env: '--env',
  searchPath: 'PATH',
  timeoutSeconds: '--timeout',
};

/** `lanyard account add NAME --request-signer COMMAND …` */
export async function addRequestSigner(
  call: CommandCall,
  name: string,
  values: SignerOptions,
  deps: EditDeps & { look: InspectPlugin },
): Promise<DoorAnswer> {
  const said = values['request-signer'] ?? '';
  const command = /[/\\]/.test(said) ? resolve(call.cwd, said) : said;
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const searchPath = PATH === undefined ? undefined : pluginSearchPath({ searchPath: PATH });
  const requestSigner = given({
    command,
    args: values.arg,
    env: values.env?.map(variable),
    searchPath,
    timeoutSeconds: seconds('timeout', values.timeout),
    pin: values.pin,
  });
  const [issue] = requestSignerAccount.safeParse(requestSigner).error?.issues ?? [];
  if (issue) {
    const [field = ''] = issue.path;
    throw usageError('account add', `${optionOf[String(field)] ?? String(field)}: ${issue.message}`);
  }
  refuseSecrets(name, requestSigner);
  const programs = await confirmProgram(call, name, { command, searchPath }, deps.look);
  const value = { requestSigner };
  const saved = await editConfig(call, { kind: 'set', what: 'account', name, value }, deps, programs);
  const unset = requestSigner.env?.find((each) => each.value === undefined);
  const next = unset
    ? `lanyard secret set ${name}/env.${unset.name}`
    : `in config.yaml, a step of a cluster’s proxy.chain: sign: ${name}`;
  return addedAnswer(`account ${name}`, next, saved);
}

import { basename } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { credentialHelperAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { isOwnProgram } from '../../../contract/program-names.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import { helperProgram } from '../../../domain/program/program-of.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type CommandCall, usageError } from '../command.ts';
import { addedAnswer, type EditDeps, editConfig, given } from '../edit-config.ts';
import { confirmProgram, refuseSecrets, variable } from './exec-plugin-options.ts';

/** What makes an account of another credential helper of docker’s. */
export interface HelperOptions {
  /** NAME of docker-credential-NAME. */
  helper: string;
  fallback?: boolean | undefined;
  env?: string[] | undefined;
  pin?: boolean | undefined;
}

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  helper: '--credential-helper',
  env: '--env',
  searchPath: 'PATH',
};

/** `lanyard account add NAME --credential-helper HELPER …` */
export async function addCredentialHelper(
  call: CommandCall,
  name: string,
  options: HelperOptions,
  deps: EditDeps & { look: InspectPlugin },
): Promise<DoorAnswer> {
  const saved = await saveCredentialHelper(call, name, options, deps);
  const unset = options.env?.map(variable).find(({ value }) => value === undefined);
  const next = unset
    ? `lanyard secret set ${name}/env.${unset.name}`
    : options.fallback
      ? 'lanyard docker install'
      : `lanyard registry add NAME --match-image PATTERN --account ${name}`;
  return addedAnswer(`account ${name}`, next, saved);
}

/** Shows the helper’s program, asks, and writes the account. Throws BrokerError where nothing was added. */
export async function saveCredentialHelper(
  call: CommandCall,
  name: string,
  options: HelperOptions,
  deps: EditDeps & { look: InspectPlugin },
): Promise<{ held: boolean }> {
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const { helper } = options;
  const others = given({
    env: options.env?.map(variable),
    searchPath: PATH === undefined ? undefined : pluginSearchPath({ searchPath: PATH }),
    pin: options.pin,
    fallback: options.fallback,
  });
  const credentialHelper = { helper, ...others };
  const [issue] = credentialHelperAccount.safeParse(credentialHelper).error?.issues ?? [];
  if (issue) {
    const [field = ''] = issue.path;
    throw usageError('account add', `${optionOf[String(field)] ?? String(field)}: ${issue.message}`);
  }
  refuseSecrets(name, credentialHelper);
  const program = helperProgram(credentialHelper);
  await mustBeForeign(program, deps.look);
  const programs = await confirmProgram(call, name, program, deps.look);
  return editConfig(
    call,
    { kind: 'set', what: 'account', name, value: { credentialHelper } },
    deps,
    programs,
  );
}

/** A link of another name may lead to Lanyard’s helper. */
async function mustBeForeign(program: Parameters<InspectPlugin>[0], look: InspectPlugin): Promise<void> {
  const facts = await look(program);
  if (facts.kind === 'program' && isOwnProgram(basename(facts.target))) {
    throw new BrokerError(
      'credentialHelper.own',
      `${visibleText(facts.path)} is Lanyard’s own helper: it would ask itself`,
      { reason: 'notPermitted', hint: 'nothing was added; name another helper' },
    );
  }
}

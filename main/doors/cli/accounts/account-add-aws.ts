import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { type AccountKind, accountKinds } from '../../../contract/config/accounts/account.ts';
import { exportArguments } from '../../../domain/aws/process-line.ts';
import type { AwsProfile } from '../../../domain/aws/profile.ts';
import { splitCommand } from '../../../domain/aws/split-command.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { type CommandCall, usageError } from '../command.ts';
import { addedAnswer, clusterAddLine, type EditDeps, editConfig, given, pathOption } from '../edit-config.ts';
import { confirmProgram, refuseSecrets, seconds, variable } from './exec-plugin-options.ts';

/** The options of `lanyard account add` for accounts with AWS keys, and for EKS tokens. */
export const awsOptions = {
  'aws-profile': { type: 'string' },
  'aws-credentials-file': { type: 'string' },
  'aws-access-key-id': { type: 'string' },
  'aws-web-identity-token-file': { type: 'string' },
  'aws-process': { type: 'string' },
  'aws-eks': { type: 'string' },
  'aws-account': { type: 'string' },
  'aws-role': { type: 'string' },
  'aws-session-name': { type: 'string' },
  'aws-sts-endpoint': { type: 'string' },
  region: { type: 'string' },
} as const;

export type AwsOptions = { [Name in keyof typeof awsOptions]?: string | undefined } & {
  arg?: string[] | undefined;
  env?: string[] | undefined;
  timeout?: string | undefined;
  pin?: boolean | undefined;
};

/** Those that say which kind of account it is. */
export const awsKindOptions = [
  'aws-profile',
  'aws-access-key-id',
  'aws-web-identity-token-file',
  'aws-process',
  'aws-eks',
] as const;

/** The options beside the kind, and the kinds that take them. */
const takers: Partial<Record<keyof typeof awsOptions, readonly (typeof awsKindOptions)[number][]>> = {
  'aws-credentials-file': ['aws-profile'],
  'aws-account': ['aws-eks'],
  'aws-role': ['aws-eks', 'aws-web-identity-token-file'],
  'aws-session-name': ['aws-eks', 'aws-web-identity-token-file'],
  'aws-sts-endpoint': ['aws-eks', 'aws-web-identity-token-file'],
  region: ['aws-eks', 'aws-web-identity-token-file'],
};

export interface AwsAddDeps extends EditDeps {
  look: InspectPlugin;
  /** A profile as its files have it now. */
  awsProfile(
    profile: string,
    credentialsFile: string | undefined,
  ): Promise<{ ok: true; found: AwsProfile; looked: string } | { ok: false; fault: string }>;
}

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  accessKeyId: '--aws-access-key-id',
  profile: '--aws-profile',
  credentialsFile: '--aws-credentials-file',
  tokenFile: '--aws-web-identity-token-file',
  account: '--aws-account',
  cluster: '--aws-eks',
  role: '--aws-role',
  sessionName: '--aws-session-name',
  stsEndpoint: '--aws-sts-endpoint',
  region: '--region',
  command: '--aws-process',
  args: '--arg',
  env: '--env',
  searchPath: 'PATH',
  timeoutSeconds: '--timeout',
};

/** `lanyard account add NAME --aws-…`; null: another kind of account is meant. */
export async function addAwsAccount(
  call: CommandCall,
  name: string,
  options: AwsOptions,
  deps: AwsAddDeps,
): Promise<DoorAnswer | null> {
  const {
    'aws-profile': profile,
    'aws-access-key-id': accessKeyId,
    'aws-web-identity-token-file': tokenFile,
    'aws-process': command,
    'aws-eks': cluster,
  } = options;
  refuseUnused(options);
  if (profile !== undefined) {
    return addProfile(call, name, profile, options, deps);
  }
  if (accessKeyId !== undefined) {
    const next = `lanyard secret set ${name}/secretAccessKey`;
    return save(call, name, { aws: { accessKeyId } }, next, deps);
  }
  const role = given({
    role: options['aws-role'],
    region: options.region,
    sessionName: options['aws-session-name'],
    stsEndpoint: options['aws-sts-endpoint'],
  });
  if (tokenFile !== undefined) {
    needs(options, 'aws-role', 'the ARN of the role');
    needs(options, 'region', 'whose STS is asked');
    const webIdentity = { tokenFile: pathOption(call, tokenFile), ...role };
    return save(call, name, { aws: { webIdentity } }, eksLine(name), deps);
  }
  if (command !== undefined) {
    const path = /[/\\]/.test(command) ? resolve(call.cwd, command) : command;
    return addProcess(call, name, { command: path, args: options.arg, env: options.env }, options, deps);
  }
  if (cluster !== undefined) {
    needs(options, 'region', 'the cluster’s region');
    needs(options, 'aws-account', 'the account with the AWS keys');
    const awsEks = { account: options['aws-account'], cluster, ...role };
    return save(call, name, { awsEks }, clusterAddLine(name), deps);
  }
  return null;
}

/** Static keys are read from the profile’s file; what else a profile has its keys by, a program does. */
async function addProfile(
  call: CommandCall,
  name: string,
  profile: string,
  options: AwsOptions,
  deps: AwsAddDeps,
): Promise<DoorAnswer> {
  const credentialsFile = pathOption(call, options['aws-credentials-file']);
  const read = await deps.awsProfile(profile, credentialsFile);
  const shown = visibleText(profile, 100);
  const refused = (message: string) =>
    new BrokerError('aws.profile', message, { reason: 'usage', hint: 'nothing was added' });
  if (!read.ok) {
    throw refused(read.fault);
  }
  const { found, looked } = read;
  switch (found.kind) {
    case 'static':
      return save(call, name, { aws: given({ profile, credentialsFile }) }, eksLine(name), deps);
    case 'process': {
      const [command, ...args] = splitCommand(found.line) ?? [];
      if (command === undefined) {
        throw refused(`the credential_process of the profile ${shown} is no command line`);
      }
      return addProcess(call, name, { command, args, env: undefined }, options, deps);
    }
    case 'other': {
      const env =
        credentialsFile === undefined ? undefined : [`AWS_SHARED_CREDENTIALS_FILE=${credentialsFile}`];
      return addProcess(call, name, { command: 'aws', args: exportArguments(profile), env }, options, deps);
    }
    case 'missing':
      throw refused(`there is no profile ${shown} in ${looked}`);
    case 'half':
      throw refused(`the profile ${shown} in ${looked} has no ${found.missing}`);
    case 'keyless':
      throw refused(`the profile ${shown} in ${looked} has no keys`);
  }
}

/** Shows the program, asks, and writes the account. */
async function addProcess(
  call: CommandCall,
  name: string,
  program: { command: string; args: string[] | undefined; env: string[] | undefined },
  options: AwsOptions,
  deps: AwsAddDeps,
): Promise<DoorAnswer> {
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const awsProcess = given({
    command: program.command,
    args: program.args?.length ? program.args : undefined,
    env: program.env?.map(variable),
    searchPath: PATH === undefined ? undefined : pluginSearchPath({ searchPath: PATH }),
    timeoutSeconds: seconds('timeout', options.timeout),
    pin: options.pin,
  });
  mustSuit('awsProcess', awsProcess);
  refuseSecrets(name, awsProcess);
  const words = [program.command, ...(program.args ?? [])].map(shellWord).join(' ');
  call.terminal.print(`command of ${name}: ${visibleText(words)}\n`);
  const { command } = program;
  const { searchPath } = awsProcess;
  const programs = await confirmProgram(call, name, { command, searchPath }, deps.look);
  const change = { kind: 'set', what: 'account', name, value: { awsProcess } } as const;
  const saved = await editConfig(call, change, deps, programs);
  const unset = awsProcess.env?.find(({ value }) => value === undefined);
  return addedAnswer(
    `account ${name}`,
    unset ? `lanyard secret set ${name}/env.${unset.name}` : eksLine(name),
    saved,
  );
}

async function save(
  call: CommandCall,
  name: string,
  value: Readonly<Record<string, object>>,
  next: string,
  deps: AwsAddDeps,
): Promise<DoorAnswer> {
  for (const [kind, entry] of Object.entries(value)) {
    mustSuit(kind as AccountKind, entry);
  }
  const saved = await editConfig(call, { kind: 'set', what: 'account', name, value }, deps);
  return addedAnswer(`account ${name}`, next, saved);
}

function mustSuit(kind: AccountKind, value: object): void {
  const [issue] = accountKinds[kind].safeParse(value).error?.issues ?? [];
  if (issue) {
    const field = String(issue.path.findLast((step) => Object.hasOwn(optionOf, step)) ?? issue.path[0]);
    throw usageError('account add', `${optionOf[field] ?? field}: ${issue.message}`);
  }
}

function needs(options: AwsOptions, option: keyof typeof awsOptions, what: string): void {
  if (options[option] === undefined) {
    throw usageError('account add', `it needs --${option}: ${what}`);
  }
}

/** An option that does nothing here would be missed later: a role, for one, decides whose keys they are. */
function refuseUnused(options: AwsOptions): void {
  const kind = awsKindOptions.find((each) => options[each] !== undefined);
  for (const [option, kinds = []] of Object.entries(takers)) {
    if (kind && options[option as keyof typeof awsOptions] !== undefined && !kinds.includes(kind)) {
      const fitting = kinds.map((each) => `--${each}`).join(' and ');
      throw usageError('account add', `--${option} goes with ${fitting}, not with --${kind}`);
    }
  }
}

/** What AWS keys are for, beside the steps of proxied clusters. */
function eksLine(name: string): string {
  return `lanyard account add NAME --aws-eks CLUSTER --region REGION --aws-account ${name}`;
}

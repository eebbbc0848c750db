import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import { isSecretInVariable, secretsInArguments } from '../../../domain/import/exec-secrets.ts';
import { pluginSearchPath } from '../../../domain/program/plugin-search-path.ts';
import { programLines, programWords } from '../../../domain/program/program.ts';
import type { SeenPrograms } from '../../../domain/program/program-check.ts';
import { bindingOf, unsafeText } from '../../../domain/program/program-check.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import { callerEnvironment } from '../caller-environment.ts';
import { askYes, type CommandCall, usageError } from '../command.ts';
import { given } from '../edit-config.ts';

/** The options of `lanyard account add` that make an account of an exec plugin. */
export interface ExecPluginOptions {
  'exec-plugin'?: string | undefined;
  arg?: string[] | undefined;
  env?: string[] | undefined;
  'api-version'?: string | undefined;
  'interactive-mode'?: string | undefined;
  'provide-cluster-info'?: boolean | undefined;
  environment?: string[] | undefined;
  timeout?: string | undefined;
  cache?: string | undefined;
  pin?: boolean | undefined;
  'no-share'?: boolean | undefined;
  'install-hint'?: string | undefined;
}

const group = 'client.authentication.k8s.io/';

/** Where what config.yaml would not take was given. */
const optionOf: Readonly<Record<string, string>> = {
  apiVersion: '--api-version',
  command: '--exec-plugin',
  args: '--arg',
  env: '--env',
  installHint: '--install-hint',
  interactiveMode: '--interactive-mode',
  searchPath: 'PATH',
  environment: '--environment',
  timeoutSeconds: '--timeout',
  cacheSeconds: '--cache',
};

/**
 * The account's value for config.yaml: found by the caller's own PATH, a relative command from the caller's own folder.
 * Throws BrokerError (reason usage) before anybody is asked, for secrets among arguments and variables as well:
 * config.yaml holds none.
 */
export async function execPluginValue(call: CommandCall, name: string, values: ExecPluginOptions) {
  const command = values['exec-plugin'] ?? '';
  const { PATH } = await callerEnvironment(call, ['PATH']);
  const version = values['api-version'] ?? 'v1';
  const value = {
    execPlugin: given({
      apiVersion: version.includes('/') ? version : `${group}${version}`,
      command: /[/\\]/.test(command) ? resolve(call.cwd, command) : command,
      args: values.arg,
      env: values.env?.map(variable),
      installHint: values['install-hint'],
      provideClusterInfo: values['provide-cluster-info'],
      // v1 demands it, in a kubeconfig as well; this is what v1beta1 means by saying nothing.
      interactiveMode: values['interactive-mode'] ?? 'IfAvailable',
      searchPath: PATH === undefined ? undefined : pluginSearchPath({ searchPath: PATH }),
      environment: values.environment,
      timeoutSeconds: seconds('timeout', values.timeout),
      cacheSeconds: seconds('cache', values.cache),
      share: values['no-share'] ? false : undefined,
      pin: values.pin,
    }),
  };
  const [issue] = execPluginAccount.safeParse(value.execPlugin).error?.issues ?? [];
  if (issue) {
    const [field = ''] = issue.path;
    throw usageError('account add', `${optionOf[String(field)] ?? String(field)}: ${issue.message}`);
  }
  refuseSecrets(name, value.execPlugin);
  return value;
}

/** Throws BrokerError (reason usage) where arguments or variables hold a secret: config.yaml holds none. */
export function refuseSecrets(
  name: string,
  { args = [], env = [] }: { args?: string[] | undefined; env?: ReturnType<typeof variable>[] | undefined },
): void {
  const [inArguments] = secretsInArguments(args);
  if (inArguments !== undefined) {
    throw new BrokerError(
      'account.secretGiven',
      `its arguments hold ${inArguments}: who looks at running programs sees them`,
      {
        reason: 'usage',
        hint: 'where the plugin takes it from a variable: --env NAME, and it is in the vault',
      },
    );
  }
  const inVariable = env.find(
    (each) => each.value !== undefined && isSecretInVariable(each.name, each.value),
  );
  if (inVariable) {
    const variableName = visibleText(inVariable.name, 200);
    throw new BrokerError(
      'account.secretGiven',
      `${variableName} holds a secret, and config.yaml holds none`,
      {
        reason: 'usage',
        hint: `say --env ${variableName} without a value, then: lanyard secret set ${name}/env.${variableName}`,
      },
    );
  }
}

/**
 * Shows the program or module that the command resolves to, and asks the user to approve it. Without a terminal it doesn’t ask,
 * and binds nothing. Throws BrokerError where others can write to it (notPermitted), and where the user says no
 * (denied).
 */
export async function confirmProgram(
  call: CommandCall,
  name: string,
  plugin: Parameters<InspectPlugin>[0],
  look: InspectPlugin,
): Promise<SeenPrograms> {
  const facts = await look(plugin);
  const searched = facts.kind === 'missing' ? `${visibleText(plugin.command, 200)}: ` : '';
  const { noun } = programWords(plugin);
  call.terminal.print(`${noun} of ${name}: ${searched}${programLines(facts).join('\n  ')}\n`);
  if (facts.kind === 'program' && (facts.writers?.length ?? 0) > 0) {
    throw new BrokerError('execPlugin.unsafe', unsafeText(facts), {
      reason: 'notPermitted',
      hint: 'nothing was added; make sure that only you and root can write it',
    });
  }
  if (call.terminal.canPrompt && !(await askYes(call, `Add ${name} with this ${noun}?`))) {
    throw new BrokerError('account.notAdded', 'nothing was added', { reason: 'denied' });
  }
  return { [name]: bindingOf(facts) };
}

/** `NAME=VALUE`, or `NAME`: its value is in the vault. */
export function variable(text: string): { name: string; value?: string } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

/** Throws where it is no number of seconds. */
export function seconds(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,6}$/.test(text)) {
    throw usageError('account add', `--${option} takes seconds, such as 60`);
  }
  return text === undefined ? undefined : Number(text);
}

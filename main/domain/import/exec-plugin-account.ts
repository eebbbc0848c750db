import type { Secret } from '../../base/secret.ts';
import { execPluginAccount as schema } from '../../contract/config/accounts/exec-plugin.ts';
import { mayReachPlugin } from '../../contract/loader-variables.ts';
import { noProgramText, type ProgramFacts, writersText } from '../program/program.ts';
import { shellWord } from '../text/shell-line.ts';
import { visibleLine, visibleText } from '../text/visible-text.ts';
import { eksNote } from './eks-plugin.ts';
import { isSecretInVariable, secretsInArguments } from './exec-secrets.ts';
import type { KubeExec } from './kubeconfig.ts';
import { type AccountSources, left, type MadeAccount } from './made-account.ts';

/** Limit of a hint, a few lines; longer text is no hint. */
const longestHint = 4096;

/** A plan shows it in full. */
const longestCommandLine = 16 * 1024;

/** A plugin that is neither Lanyard's nor an OpenID one: the account that runs it as kubectl would. */
export function execPluginAccount(
  exec: KubeExec,
  { searchPath, programOf }: Pick<AccountSources, 'searchPath' | 'programOf'>,
): MadeAccount {
  const { command } = exec;
  if (isBare(command) && searchPath === null) {
    return left(
      `its plugin ${visibleText(command, 80)} is looked for in PATH, and the PATH of this call isn’t known here`,
    );
  }
  if (!isBare(command) && !/^(\/|[A-Za-z]:[\\/]|\\\\)/.test(command)) {
    return left(`its plugin’s command ${visibleText(command, 200)} is neither a name nor a whole path`);
  }
  const [secret] = secretsInArguments(exec.args.map((arg) => arg.reveal()));
  if (secret !== undefined) {
    return left(
      `its arguments hold ${secret}: who looks at running programs sees them. Put it into env, where the plugin takes it from there; then import again`,
    );
  }
  const variables = variablesOf(exec.env);
  if (!variables.ok) {
    return left(variables.left);
  }
  const facts = programOf(command, searchPath);
  const unfit = facts === null ? null : unfitOnWindows(facts, exec);
  if (unfit !== null) {
    return left(unfit);
  }
  const writers = facts?.kind === 'program' ? writersText(facts) : null;
  if (writers !== null) {
    return left(
      `${writers}, and so put another program in place of its plugin: take that right away, then import again`,
    );
  }
  const value = {
    apiVersion: exec.apiVersion,
    command,
    ...(exec.args.length > 0 && { args: exec.args.map((arg) => arg.reveal()) }),
    ...(variables.env.length > 0 && { env: variables.env }),
    ...(exec.installHint !== null && { installHint: exec.installHint.slice(0, longestHint) }),
    ...(exec.provideClusterInfo && { provideClusterInfo: true }),
    ...(exec.interactiveMode !== null && { interactiveMode: exec.interactiveMode }),
    ...(searchPath !== null && { searchPath }),
  };
  const fault = faultOf(value);
  if (fault !== null) {
    return left(fault);
  }
  const line = [command, ...exec.args.map((arg) => arg.reveal())].map(shellWord).join(' ');
  if (line.length > longestCommandLine) {
    return left(`its command line has ${line.length} characters: more than can be reviewed before it is run`);
  }
  return {
    ok: true,
    value: { execPlugin: value },
    secrets: variables.secrets,
    authorityPem: null,
    needsLogin: false,
    notes: [
      ...programNotes(facts, exec),
      ...variableNotes(variables.secrets),
      ...versionNotes(exec),
      ...[eksNote(exec)].filter((note) => note !== null),
    ],
  };
}

/** Why Windows, or Lanyard on Windows, doesn't run it whatever is done to its file; null: nothing of that. */
function unfitOnWindows(facts: ProgramFacts, { args }: KubeExec): string | null {
  if (facts.kind === 'otherKind') {
    return `its plugin ${visibleText(noProgramText(facts))}: make its interpreter the command, with the file as an argument (powershell.exe -File …), then import again`;
  }
  if (facts.kind === 'elsewhere') {
    return `its plugin ${visibleText(noProgramText(facts))}, where others decide what it does: copy it to this one, then import again`;
  }
  const isUnsafe = args.some((arg) => /[\r\n%]/.test(arg.reveal()));
  return facts.kind === 'program' && facts.isBatch === true && isUnsafe
    ? 'its plugin is a batch file, and one of its arguments has a “%” or more than one line: cmd.exe would take that for something else'
    : null;
}

/** A name to look up in PATH. */
function isBare(command: string): boolean {
  return !/[/\\]/.test(command);
}

type Variables =
  | { ok: true; env: { name: string; value?: string }[]; secrets: Record<string, Secret> }
  | { ok: false; left: string };

/** The plugin's variables; secret ones without their values. */
function variablesOf(given: KubeExec['env']): Variables {
  // Of a repeated name the last value applies, as in exec.
  const last = new Map(given.map(({ name, value }) => [name, value]));
  const env: { name: string; value?: string }[] = [];
  const secrets: Record<string, Secret> = {};
  for (const [name, value] of last) {
    if (!mayReachPlugin(name)) {
      const why = `its variable ${visibleText(name, 80)} makes programs load or run something else, and never reaches a plugin of Lanyard’s`;
      return { ok: false, left: `${why}: take it out where the plugin works without it, then import again` };
    }
    if (isSecretInVariable(name, value.reveal())) {
      env.push({ name });
      secrets[`env.${name}`] = value;
    } else {
      env.push({ name, value: value.reveal() });
    }
  }
  return { ok: true, env, secrets };
}

/** What of it config.yaml would reject. Values may be secrets, so none is shown. */
function faultOf(value: object): string | null {
  const checked = schema.safeParse(value);
  const [issue] = checked.error?.issues ?? [];
  if (checked.success || !issue) {
    return null;
  }
  const [key, index, part] = issue.path;
  const env = 'env' in value ? (value.env as { name: string }[]) : [];
  const name = key === 'env' && typeof index === 'number' ? env[index]?.name : undefined;
  return name !== undefined && part === 'name'
    ? `its variable ${visibleText(name, 80)} has a name that Lanyard can’t give to a program`
    : `its plugin’s ${String(key ?? 'entry')}${name === undefined ? '' : ` ${visibleText(name, 80)}`}: ${issue.message}`;
}

const absences: Readonly<
  Record<Exclude<ProgramFacts['kind'], 'program' | 'otherKind' | 'elsewhere'>, string>
> = {
  missing: 'is not there',
  notExecutable: 'is there, and can’t be run: it lacks the permission',
  folder: 'is a folder',
  notAFile: 'is no file',
};

function programNotes(facts: ProgramFacts | null, { command, installHint }: KubeExec): string[] {
  if (
    facts === null ||
    facts.kind === 'program' ||
    facts.kind === 'otherKind' ||
    facts.kind === 'elsewhere'
  ) {
    return [];
  }
  const hint = installHint === null ? '' : `; its entry says: ${visibleLine(installHint, 500)}`;
  const path = facts.path ?? command;
  return [
    `its plugin ${visibleText(path, 300)} ${absences[facts.kind]}, so there is no credential until it is${hint}`,
  ];
}

function variableNotes(secrets: Readonly<Record<string, Secret>>): string[] {
  const names = Object.keys(secrets).map((part) => visibleText(part.replace(/^env\./, ''), 80));
  return names.length === 0
    ? []
    : [
        `into the vault ${names.length === 1 ? 'goes' : 'go'} its ${names.join(', ')}; the plugin gets it from there`,
      ];
}

function versionNotes({ apiVersion, provideClusterInfo }: KubeExec): string[] {
  return apiVersion === 'client.authentication.k8s.io/v1alpha1'
    ? [
        `its plugin speaks v1alpha1, which kubectl takes no more since 1.24; Lanyard does${provideClusterInfo ? ', but that version tells it no cluster' : ''}`,
      ]
    : [];
}

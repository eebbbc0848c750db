import { shellWord } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';
import type { KubeExec } from './kubeconfig.ts';

/** The flags of both programs, and what each names. */
const flags: Readonly<Record<string, 'cluster' | 'role' | 'region' | 'profile' | null>> = {
  '--cluster-name': 'cluster',
  '--cluster-id': 'cluster',
  '-i': 'cluster',
  '--role-arn': 'role',
  '--role': 'role',
  '-r': 'role',
  '--region': 'region',
  '--profile': 'profile',
  // They change nothing of the token.
  '--output': null,
  '-o': null,
  '--cache-dir': null,
};

/**
 * That Lanyard itself can make the tokens of `aws eks get-token` and `aws-iam-authenticator token`, and by which commands; null: it is
 * another plugin, or one with flags that those commands don’t have.
 */
export function eksNote({ command, args, env }: Pick<KubeExec, 'command' | 'args' | 'env'>): string | null {
  const said = saidBy(
    (command.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, ''),
    args.map((arg) => arg.reveal()),
  );
  if (said?.cluster === undefined) {
    return null;
  }
  const variableOf = (...names: string[]) =>
    names.map((name) => env.find((each) => each.name === name)?.value.reveal()).find(Boolean);
  const word = (text: string) => visibleText(shellWord(text), 200);
  const profile = said.profile ?? variableOf('AWS_PROFILE') ?? 'default';
  const region = said.region ?? variableOf('AWS_REGION', 'AWS_DEFAULT_REGION');
  const role = said.role === undefined ? '' : ` --aws-role ${word(said.role)}`;
  return [
    'Lanyard can make its tokens without a program:',
    `lanyard account add KEYS --aws-profile ${word(profile)}`,
    `and then lanyard account add NAME --aws-eks ${word(said.cluster)} --region ${region ? word(region) : 'REGION'} --aws-account KEYS${role}`,
  ].join(' ');
}

type Said = Partial<Record<'cluster' | 'role' | 'region' | 'profile', string>>;

function saidBy(program: string, args: readonly string[]): Said | null {
  const verbs =
    program === 'aws' ? ['eks', 'get-token'] : program === 'aws-iam-authenticator' ? ['token'] : null;
  if (verbs === null) {
    return null;
  }
  const said: Said = {};
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', inline] = (args[at] ?? '').split(/=(.*)/s);
    if (!flag.startsWith('-')) {
      words.push(flag);
      continue;
    }
    const what = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    const value = inline ?? args[++at];
    if (what === undefined || value === undefined) {
      return null;
    }
    if (what !== null) {
      said[what] = value;
    }
  }
  return words.join(' ') === verbs.join(' ') ? said : null;
}

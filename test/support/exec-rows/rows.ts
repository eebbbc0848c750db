import { cases } from '../exec-answers/cases.ts';
import { v1, v1beta1 } from '../exec-answers/seeds.ts';

/** A plugin and its configuration, tried by kubectl alone and through Lanyard. */
export interface ExecRow {
  name: string;
  /** Over `apiVersion: v1`, `interactiveMode: Never` and the plugin's own path. `@` is the row's folder. */
  exec?: Readonly<Record<string, unknown>>;
  /** A line for a POSIX shell; `answer` prints a good answer with the token `abc`. */
  script?: string;
  /** In place of a script: what the plugin prints. */
  stdout?: Buffer;
  /** In place of a script with a good first line: the file's whole text, and its mode. */
  file?: { text: string; mode?: number };
}

const status = (fields: object) =>
  `printf '%s' '${JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status: fields })}'`;

const behaviours: Readonly<Record<string, string>> = {
  'a good answer': 'answer',
  'words on stderr': 'echo "opening a browser" >&2; answer',
  'words on stderr without an end of line': 'printf wait >&2; answer',
  'its answer in pieces': 'printf \'{"apiVersion":\'; sleep 0.1; answer | tail -c +15',
  'its answer after a moment': 'sleep 0.3; answer',
  'its answer, then a failure': 'answer; exit 3',
  'an answer of a process that it leaves': '(sleep 0.2; answer) & wait',
  'a process that it leaves running': 'sleep 5 >/dev/null 2>&1 & answer',
  'no words, and a failure': 'exit 1',
  'words, and a failure': 'echo "please log in" >&2; exit 1',
  ...Object.fromEntries(
    [2, 3, 42, 125, 126, 127, 128, 130, 137, 255].map((code) => [`exit ${code}`, `exit ${code}`]),
  ),
  ...Object.fromEntries(
    ['KILL', 'TERM', 'INT', 'HUP', 'QUIT', 'SEGV', 'ABRT', 'PIPE', 'USR1'].map((signal) => [
      `signal ${signal}`,
      `kill -${signal} $$`,
    ]),
  ),
  'two answers': 'answer; answer',
  'an expired answer': status({ token: 'abc', expirationTimestamp: '2020-01-01T00:00:00Z' }),
  'an answer for long': status({ token: 'abc', expirationTimestamp: '2099-01-01T00:00:00Z' }),
  'an unknown token': status({ token: 'nobody-knows-it' }),
  'more than a mebibyte': 'answer; head -c 1100000 /dev/zero | tr "\\0" " "',
  'half a mebibyte': 'answer; head -c 500000 /dev/zero | tr "\\0" " "',
  'what stdin is': 'if [ -t 0 ]; then exit 5; fi; read -r line && exit 6; answer',
  'its number of arguments': '[ $# = 0 ] || exit 7; answer',
  'the variable that tells':
    'case $KUBERNETES_EXEC_INFO in *\'"interactive":false\'*) answer ;; *) exit 8 ;; esac',
};

const args: Readonly<Record<string, { args: string[]; test: string }>> = {
  'an argument': { args: ['get-token'], test: '[ "$*" = get-token ]' },
  'arguments with spaces': { args: ['a b', ' c '], test: '[ "$1" = "a b" ] && [ "$2" = " c " ]' },
  'an empty argument': { args: ['', 'x'], test: '[ $# = 2 ] && [ -z "$1" ]' },
  'arguments like a shell’s': {
    args: ['$HOME', '`id`', '*', '"'],
    test: '[ "$1" = \'$HOME\' ] && [ "$3" = "*" ]',
  },
  'arguments beyond ASCII': { args: ['häß', '鍵'], test: '[ "$1" = häß ] && [ "$2" = 鍵 ]' },
  'many arguments': { args: Array.from({ length: 200 }, (_, i) => `a${i}`), test: '[ $# = 200 ]' },
};

const env: Readonly<Record<string, { env: { name: string; value: string }[]; test: string }>> = {
  'a variable': { env: [{ name: 'REGION', value: 'eu' }], test: '[ "$REGION" = eu ]' },
  'an empty variable': {
    env: [{ name: 'REGION', value: '' }],
    test: 'printenv REGION >/dev/null && [ -z "$REGION" ]',
  },
  'a variable twice': {
    env: [
      { name: 'REGION', value: 'a' },
      { name: 'REGION', value: 'b' },
    ],
    test: '[ "$REGION" = b ]',
  },
  'a variable over the caller’s': { env: [{ name: 'LANG', value: 'xx' }], test: '[ "$LANG" = xx ]' },
  'a secret variable': { env: [{ name: 'API_TOKEN', value: 'hunter2' }], test: '[ "$API_TOKEN" = hunter2 ]' },
  'a variable over what tells': {
    env: [{ name: 'KUBERNETES_EXEC_INFO', value: 'mine' }],
    test: '[ "$KUBERNETES_EXEC_INFO" != mine ]',
  },
};

const configurations: readonly ExecRow[] = [
  { name: 'v1beta1', exec: { apiVersion: v1beta1 }, script: `answer | sed s,/v1,/v1beta1,` },
  {
    name: 'v1beta1 without a mode',
    exec: { apiVersion: v1beta1, interactiveMode: undefined },
    script: 'answer | sed s,/v1,/v1beta1,',
  },
  { name: 'v1beta1, v1 answered', exec: { apiVersion: v1beta1 }, script: 'answer' },
  { name: 'v1, v1beta1 answered', script: 'answer | sed s,/v1,/v1beta1,' },
  { name: 'v1 without a mode', exec: { interactiveMode: undefined }, script: 'answer' },
  { name: 'no version', exec: { apiVersion: undefined }, script: 'answer' },
  { name: 'a version that isn’t', exec: { apiVersion: 'client.authentication.k8s.io/v2' }, script: 'answer' },
  {
    name: 'v1alpha1 configured',
    exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
    script: 'answer | sed s,/v1,/v1alpha1,',
  },
  { name: 'IfAvailable without a terminal', exec: { interactiveMode: 'IfAvailable' }, script: 'answer' },
  { name: 'Always without a terminal', exec: { interactiveMode: 'Always' }, script: 'answer' },
  { name: 'a mode that isn’t', exec: { interactiveMode: 'Sometimes' }, script: 'answer' },
  { name: 'a mode in small letters', exec: { interactiveMode: 'never' }, script: 'answer' },
  {
    name: 'told the cluster',
    exec: { provideClusterInfo: true },
    script: 'case $KUBERNETES_EXEC_INFO in *\'"server":"https\'*) answer ;; *) exit 9 ;; esac',
  },
  {
    name: 'not told the cluster',
    script: 'case $KUBERNETES_EXEC_INFO in *server*) exit 9 ;; *) answer ;; esac',
  },
  { name: 'no command', exec: { command: '' } },
  { name: 'a path with two slashes', exec: { command: '@//plugin' }, script: 'answer' },
  { name: 'a path with dots', exec: { command: '@/../@NAME/./plugin' }, script: 'answer' },
  { name: 'a slash behind its name', exec: { command: '@/plugin/' }, script: 'answer' },
  { name: 'a path from the kubeconfig', exec: { command: './@NAME/plugin' }, script: 'answer' },
  { name: 'a path without a dot from the kubeconfig', exec: { command: '@NAME/plugin' }, script: 'answer' },
  {
    name: 'a path from above the kubeconfig',
    exec: { command: '../@PARENT/@NAME/plugin' },
    script: 'answer',
  },
  { name: 'a link', exec: { command: '@/link' }, script: 'answer' },
  { name: 'a link that leads nowhere', exec: { command: '@/broken' }, script: 'answer' },
  { name: 'a name in PATH', exec: { command: 'row-plugin' }, script: 'answer' },
  { name: 'a name that isn’t in PATH', exec: { command: 'row-plugin-that-is-nowhere' } },
  { name: 'a name in PATH that can’t be run', exec: { command: 'row-plugin-unrunnable' } },
  {
    name: 'one that isn’t there, with a hint',
    exec: { command: 'row-nowhere', installHint: 'brew install it' },
  },
  { name: 'a path that isn’t there', exec: { command: '@/none' } },
  { name: 'a path through a file', exec: { command: '@/plugin/none' }, script: 'answer' },
  { name: 'a folder', exec: { command: '@' } },
  { name: 'without the permission', file: { text: '#!/bin/sh\n', mode: 0o644 } },
  { name: 'without a first line', file: { text: 'echo hello\n' } },
  { name: 'an empty file', file: { text: '' } },
  { name: 'an interpreter that isn’t there', file: { text: '#!/no/such/shell\n' } },
  { name: 'lines as on Windows', file: { text: '#!/bin/sh\r\nexit 0\r\n' } },
  { name: 'spaces in its name', exec: { command: '@/my plugin' }, script: 'answer' },
];

/** What plugins print: of each kind some, of which most end up in the same place. */
function printed(): ExecRow[] {
  return cases()
    .filter(({ apiVersion }) => apiVersion === v1)
    .map(({ name, stdout }) => ({ name: `prints: ${name}`, stdout }));
}

export function execRows(): ExecRow[] {
  return [
    ...Object.entries(behaviours).map(([name, script]) => ({ name, script })),
    ...Object.entries(args).map(([name, { args: all, test }]) => ({
      name,
      exec: { args: all },
      script: `${test} && answer`,
    })),
    ...Object.entries(env).map(([name, { env: all, test }]) => ({
      name,
      exec: { env: all },
      script: `${test} && answer`,
    })),
    ...configurations,
    ...printed(),
  ];
}

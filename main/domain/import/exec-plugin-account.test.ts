import { describe, expect, test } from 'vitest';
import type { ProgramFacts } from '../program/program.ts';
import { someProgram } from '../testing/some-program.ts';
import { execPluginAccount } from './exec-plugin-account.ts';
import type { KubeExec } from './kubeconfig.ts';
import { kubeExec } from './testing/kube.ts';

const program = someProgram('/usr/bin/aws');

function make(
  exec: KubeExec,
  facts: ProgramFacts | null = program,
  searchPath: string | null = '/usr/bin:/bin',
) {
  return execPluginAccount(exec, { searchPath, programOf: () => facts });
}

const reasonOf = (made: ReturnType<typeof make>) => (made.ok ? null : made.left);
const bare = kubeExec('aws', ['eks', 'get-token']);
const alone = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'aws',
  args: ['eks', 'get-token'],
  interactiveMode: 'IfAvailable',
  searchPath: '/usr/bin:/bin',
};

describe('KEP-541/configuration: an exec plugin as config.yaml takes it', () => {
  const v1beta1 = { apiVersion: 'client.authentication.k8s.io/v1beta1' };
  const said = { installHint: 'brew install\nplugin', provideClusterInfo: true, interactiveMode: 'Always' };
  const whole = { ...kubeExec('/opt/plugin', ['a b', ''], { AWS_PROFILE: 'prod', EMPTY: '' }), ...said };
  const wholeEnv = [
    { name: 'AWS_PROFILE', value: 'prod' },
    { name: 'EMPTY', value: '' },
  ];
  const twice = [...kubeExec('x', [], { A: '1' }).env, ...kubeExec('x', [], { A: '2' }).env];
  test.each<[string, KubeExec, object]>([
    ['what is said is kept, nothing else is written', bare, alone],
    ['all of it', whole, { ...alone, command: '/opt/plugin', args: ['a b', ''], env: wholeEnv, ...said }],
    [
      'KEP-541/interactive-mode: an older version without a mode says none',
      { ...bare, ...v1beta1, interactiveMode: null },
      { ...alone, ...v1beta1, interactiveMode: undefined },
    ],
    [
      'of a variable that stands twice the last counts',
      { ...bare, env: twice },
      { ...alone, env: [{ name: 'A', value: '2' }] },
    ],
  ])('%s', (_, exec, expected) => {
    const made = make(exec);
    expect(made).toMatchObject({ ok: true, secrets: {}, notes: [], needsLogin: false });
    expect(made.ok && made.value).toEqual({ execPlugin: expected });
  });

  test('what is too long for the user to read stays where it is', () => {
    const script = (words: number) => make(kubeExec('sh', ['-c', 'word '.repeat(words)]));
    expect(reasonOf(script(4_000))).toMatch(/^its command line has \d+ characters/);
    expect(script(3_000)).toMatchObject({ ok: true });
  });

  test('a whole path needs no PATH, a name does', () => {
    expect(make(kubeExec('/opt/plugin'), program, null)).toMatchObject({ ok: true });
    expect(reasonOf(make(bare, program, null))).toBe(
      'its plugin aws is looked for in PATH, and the PATH of this call isn’t known here',
    );
  });

  test('secrets among its variables go into the vault, by their names', () => {
    const made = make({ ...bare, env: kubeExec('x', [], { AWS_SECRET_ACCESS_KEY: 'canary', B: 'b' }).env });
    expect(made).toMatchObject({
      value: { execPlugin: { env: [{ name: 'AWS_SECRET_ACCESS_KEY' }, { name: 'B', value: 'b' }] } },
      notes: ['into the vault goes its AWS_SECRET_ACCESS_KEY; the plugin gets it from there'],
    });
    expect(made.ok && made.secrets['env.AWS_SECRET_ACCESS_KEY']?.reveal()).toBe('canary');
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  test('v1alpha1 is taken, and said', () => {
    const old = { ...bare, apiVersion: 'client.authentication.k8s.io/v1alpha1', interactiveMode: null };
    expect(make(old)).toMatchObject({
      notes: ['its plugin speaks v1alpha1, which kubectl takes no more since 1.24; Lanyard does'],
    });
    expect(make({ ...old, provideClusterInfo: true })).toMatchObject({
      notes: [expect.stringContaining('but that version tells it no cluster')],
    });
  });

  test.each<[ProgramFacts, string]>([
    [{ kind: 'missing', path: null }, 'aws is not there'],
    [
      { kind: 'notExecutable', path: '/usr/bin/aws' },
      '/usr/bin/aws is there, and can’t be run: it lacks the permission',
    ],
  ])(
    'KEP-541/install-hint: one that can’t be run (%o) is taken with a warning and its hint',
    (facts, fault) => {
      const hint = 'so there is no credential until it is; its entry says: brew install aws\\u{1b}[2J';
      const made = make({ ...bare, installHint: 'brew install aws\u001b[2J' }, facts);
      expect(made).toMatchObject({ ok: true, notes: [`its plugin ${fault}, ${hint}`] });
    },
  );
});

describe('an exec plugin stays where', () => {
  const long = 'x'.repeat(64 * 1024 + 1);
  const withVariable = (name: string, value = 'canary') => kubeExec('x', [], { [name]: value });
  test.each<[string, KubeExec, RegExp]>([
    ['its arguments hold a secret', kubeExec('x', ['--token', 'canary']), /^its arguments hold --token: /],
    [
      'a variable would make it load something else',
      withVariable('LD_PRELOAD', '/canary'),
      /^its variable LD_PRELOAD makes programs load or run something else/,
    ],
    [
      'a variable is the protocol’s',
      withVariable('KUBERNETES_EXEC_INFO'),
      /^its variable KUBERNETES_EXEC_INFO /,
    ],
    [
      'a variable’s name is none',
      withVariable('a.b'),
      /^its variable a\.b has a name that Lanyard can’t give to a program$/,
    ],
    ['a value is too long', withVariable('A', long), /^its plugin’s env A: /],
    ['a value holds a NUL', withVariable('A', 'canary\0'), /^its plugin’s env A: can’t hold a NUL$/],
    ['an argument is too long', kubeExec('x', [long]), /^its plugin’s args: /],
    ['there are too many arguments', kubeExec('x', Array(257).fill('a')), /^its plugin’s args: /],
    ['its command is no name and no path', kubeExec('a\\b'), /^its plugin’s command a\\b is neither /],
    ['its command is of two lines', kubeExec('/a\n/b'), /^its plugin’s command: expected one line$/],
  ])('%s', (_, exec, reason) => {
    const made = make(exec);
    expect(reasonOf(made)).toMatch(reason);
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  test.each<[string, KubeExec, ProgramFacts, RegExp]>([
    [
      'Windows doesn’t run it directly',
      kubeExec('C:\\t\\x.ps1'),
      { kind: 'otherKind', path: 'C:\\t\\x.ps1' },
      /^its plugin C:\\t\\x\.ps1 is none of .* make its interpreter the command/,
    ],
    [
      'it is on another machine',
      kubeExec('\\\\host\\x.exe'),
      { kind: 'elsewhere', path: '\\\\host\\x.exe' },
      /^its plugin \\\\host\\x\.exe is on another machine, where others decide/,
    ],
    [
      'cmd.exe would lose a line of an argument',
      kubeExec('aws', ['a\nb']),
      { ...program, isBatch: true },
      /^its plugin is a batch file/,
    ],
  ])('%s', (_, exec, facts, reason) => {
    expect(reasonOf(make(exec, facts))).toMatch(reason);
  });

  test('others can put another program in its place', () => {
    const writers = [{ path: '/opt', who: 'everybody' }];
    expect(reasonOf(make(bare, { ...program, writers }))).toBe(
      'everybody can write /opt, and so put another program in place of its plugin: take that right away, then import again',
    );
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { asOn } from '../../../test/support/as-on-windows.ts';
import { onWindows } from '../../../test/support/system.ts';
import { kubeconfigList } from '../../kubeconfig/rules/kubeconfig-list.ts';
import { callersShell, lineWithVariable, setVariableLines, shellByName, wordFor } from './shell-line.ts';

const plain = '/home/a/.local/share/lanyard/kubeconfig:/home/a/.kube/config';
const values = [
  plain,
  '/with a space/k',
  "/it's/k",
  '/"double"/k',
  '/$HOME/$(id)/`id`/k',
  '/back\\slash\\/k\\',
  '/ümläut/ключ/鍵',
  '/a;b|c&d<e>f/*?[a]{b,c}~!#/%PATH%',
  '/line\nbreak',
  '/‘typographic’',
];

/** Shells of this machine, each with the words that print the variable; wine has /bin, too, but can’t start what is there. */
const real = [
  ['sh', '/bin/sh'],
  ['bash', '/bin/bash'],
  ['zsh', '/usr/bin/zsh'],
  ['fish', '/usr/bin/fish'],
].filter(([, path]) => existsSync(path ?? '')) as [string, string][];

const home = mkdtempSync(join(tmpdir(), 'ly-shells-'));
afterAll(() => rmSync(home, { recursive: true }));

describe.skipIf(onWindows).each(real)('%s takes its line', (name, path) => {
  test.each(values)('%j', (value) => {
    const shell = shellByName(name);
    const lines = setVariableLines(shell ?? 'posix', 'KUBECONFIG', value);
    // As a profile has it: evaluated from a variable, and seen by what the shell starts.
    const script =
      name === 'fish'
        ? 'printf "%s" $LINES_GIVEN | source; printenv KUBECONFIG'
        : 'eval "$LINES_GIVEN"; printenv KUBECONFIG';
    const ran = spawnSync(path, ['-c', script], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: home, LINES_GIVEN: lines },
    });
    expect([ran.stderr, ran.stdout]).toEqual(['', `${value}\n`]);
  });
});

test.each([
  ['powershell', "C:\\it's ‘so’ $x", "$env:KUBECONFIG = 'C:\\it''s ‘‘so’’ $x'"],
  ['cmd', 'C:\\a & b;D:\\c', 'set "KUBECONFIG=C:\\a & b;D:\\c"'],
  ['nu', '/a "b" \\ $c', '$env.KUBECONFIG = "/a \\"b\\" \\\\ $c"'],
])('%s has its own quotes', (name, value, line) => {
  const lines = setVariableLines(shellByName(name) ?? 'posix', 'KUBECONFIG', value).split('\n');
  expect(lines[0]).toBe(line);
  expect(lines[1]).toMatch(/^(#|rem) .*lanyard env/);
});

test.each([
  ['linux', "/it's", "DOCKER_CONFIG='/it'\\''s' lanyard status"],
  ['win32', 'C:\\$a', "$env:DOCKER_CONFIG = 'C:\\$a'; lanyard status"],
] as const)('a command with a variable of its own, on %s', (platform, value, line) => {
  asOn(platform);
  expect(lineWithVariable('DOCKER_CONFIG', value, 'lanyard status')).toBe(line);
});

test.each<[Record<string, string>, string, string | null]>([
  [{ SHELL: '/usr/bin/fish' }, 'linux', 'fish'],
  [{ SHELL: '/bin/bash' }, 'darwin', 'posix'],
  [{}, 'linux', 'posix'],
  [{ SHELL: '' }, 'linux', 'posix'],
  [{ SHELL: '/bin/tcsh' }, 'linux', null],
  [{ SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe' }, 'win32', 'posix'],
  [
    { PSModulePath: 'C:\\Users\\a\\Documents\\PowerShell\\Modules;C:\\Program Files\\x' },
    'win32',
    'powershell',
  ],
  [{ PSModulePath: 'C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules' }, 'win32', 'cmd'],
  [{}, 'win32', 'cmd'],
])('by %j on %s the shell is %s', (environment, platform, shell) => {
  expect(callersShell(environment, platform)).toBe(shell);
});

test.each([['constructor'], ['__proto__'], ['']])('%j is no shell', (name) => {
  expect(shellByName(name)).toBeNull();
});

describe('the list', () => {
  test.each([
    [['/home/a/.kube/config'], 'linux', '/h/kubeconfig:/home/a/.kube/config'],
    [[], 'linux', '/h/kubeconfig'],
    [['/b', '/h/kubeconfig', '/a', '/b'], 'linux', '/h/kubeconfig:/b:/a'],
    [['D:\\k'], 'win32', '/h/kubeconfig;D:\\k'],
  ])('has the managed file first and each once: %j on %s', (others, platform, list) => {
    expect(kubeconfigList('/h/kubeconfig', others, platform)).toBe(list);
  });

  test('refuses a path that the list would take apart', () => {
    expect(() => kubeconfigList('/h:1/kubeconfig', [], 'linux')).toThrow(/separates/);
    expect(kubeconfigList('C:\\h\\kubeconfig', [], 'win32')).toBe('C:\\h\\kubeconfig');
  });
});

test('a path of Windows is a word of PowerShell and of cmd, and runs nothing in either', () => {
  const words = ['C:\\Users\\a\\.kube\\config', 'C:\\its here\\x & y', '', 'C:\\$(calc)`x', 'a\u201dcalc'];
  expect(words.map((path) => wordFor(path, 'win32'))).toEqual([
    'C:\\Users\\a\\.kube\\config',
    '"C:\\its here\\x & y"',
    '""',
    "'C:\\$(calc)`x'",
    "'a\u201dcalc'",
  ]);
  expect(wordFor('C:\\x', 'linux')).toBe("'C:\\x'");
});

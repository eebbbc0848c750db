import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { findKubectls } from '../support/kubectl.ts';
import { run } from '../support/processes.ts';
import { quoteForShell, startOnTerminal } from '../support/pty.ts';
import { unless } from '../support/unless.ts';

/** Names with what shells cut words at. */
const accounts = ['anna@corp', 'eu:prod', 'eu:test', 'eu/x'];
const clusters = ['kind:one', 'kind:two'];
const contexts = ['my $own ctx', 'größe', 'eu:a b'];

let home: TestHome;
let agent: TestAgent;
/** On PATH: shows what words it is called with, and completes as the real one. */
let programs: string;
beforeAll(async () => {
  home = makeHome();
  home.writeConfig({
    version: 1,
    accounts: Object.fromEntries(accounts.map((name) => [name, { staticToken: {} }])),
    clusters: Object.fromEntries(
      clusters.map((name, index) => [name, { server: `https://c${index}.example:6443`, account: 'eu:prod' }]),
    ),
  });
  programs = join(home.outside, 'bin');
  mkdirSync(programs);
  home.write(
    'bin/lanyard',
    `#!/bin/sh
case "$1" in compl*) exec ${quoteForShell(builtHelper)} "$@";; esac
printf CALLED; printf '<%s>' "$@"; echo
`,
    0o755,
  );
  for (const name of ['kubectl-lanyard', 'kubectl_complete-lanyard']) {
    symlinkSync(builtHelper, join(programs, name));
  }
  home.write('a file', '');
  const kubeconfig = { contexts: contexts.map((name) => ({ name, context: { cluster: 'c', user: 'u' } })) };
  home.write('kubeconfig', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...kubeconfig }));
  mkdirSync(join(home.outside, 'a folder'));
  agent = await startAgent({ home, passphrase: 'correct horse battery staple' });
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

/** KUBECONFIG is relative, as the caller's folder has it. */
const withPrograms = () => ({ ...home.env, PATH: `${programs}:/usr/bin:/bin`, KUBECONFIG: 'kubeconfig' });

async function words(...given: string[]): Promise<string[]> {
  const done = await home.lanyard(['complete-words', '--', ...given]);
  expect([done.code, done.stderr]).toEqual([0, '']);
  return done.stdout.trimEnd().split('\n');
}

// A broker that takes long means no names: each is tried until it has had time.

describe('complete-words', () => {
  test.each([
    ['an account to log in to', ['login', ''], accounts.map((name) => `${name}\tstaticToken`)],
    ['a cluster to log in to', ['login', ''], ['kind:one\thttps://c0.example:6443']],
    [
      'a cluster behind =',
      ['audit', '--cluster=k'],
      ['--cluster=kind:one\thttps://c0.example:6443', '--cluster=kind:two\thttps://c1.example:6443'],
    ],
    [
      'alternatives but a placeholder',
      ['cluster', 'add', 'x', '--approval', 'p'],
      ['never', 'always', 'perTerminal'],
    ],
    ['a secret’s parts', ['secret', 'set', 'eu:prod/'], ['eu:prod/token']],
  ])('%s', async (_, given, expected) => {
    await expect.poll(() => words(...given)).toEqual(expect.arrayContaining([...expected, ':4']));
  });

  test('what only the person knows is not offered, nor an option again that was given', async () => {
    expect(await words('account', 'add', '')).toEqual([':4']);
    const given = ['account', 'add', 'x', '--client-id', 'c', '--scope', 's', '-'];
    const names = (await words(...given)).map((line) => line.split('\t')[0]);
    expect(names).toContain('--scope');
    expect(names).toContain('--oidc-issuer');
    expect(names).not.toContain('--client-id');
  });

  test('files behind an option are the shell’s own', async () => {
    expect(await words('unlock', '--passphrase-file', '')).toEqual([':0']);
    expect(await words('unlock', '--passphrase-file=/t')).toEqual([':0']);
  });
});

/** Types into an interactive shell; the first line waits for its prompt. Gives what the last line called. */
async function typed(shell: string[], setUp: string[], line: string): Promise<string> {
  const [program = '', ...args] = shell;
  const terminal = startOnTerminal(program, args, {
    cwd: home.outside,
    env: { ...withPrograms(), TERM: 'xterm', INPUTRC: '/dev/null', ZDOTDIR: home.outside },
  });
  try {
    for (const each of [...setUp, 'echo READY$((1+1))']) {
      terminal.send(`${each}\r`);
    }
    await terminal.waitForText('READY2');
    terminal.send(line);
    const shown = await terminal.waitForText(/CALLED(<.*>)\r?\n/);
    return /CALLED(<.*>)\r?\n/.exec(shown)?.[1] ?? '';
  } finally {
    await terminal.dispose();
  }
}

const bash = (line: string) =>
  typed(['bash', '--norc', '--noprofile', '-i'], ['PS1="$ "', 'source <(lanyard completion bash)'], line);

const lines = [
  ['a command', 'lanyard sta\t\r', '<status>'],
  ['an account with a colon', 'lanyard login eu:p\t\r', '<login><eu:prod>'],
  ['an account with an at sign', 'lanyard login ann\t\r', '<login><anna@corp>'],
  ['an account behind an at sign', 'lanyard login anna@c\t\r', '<login><anna@corp>'],
  ['what clusters have in common', 'lanyard history k\to\t\r', '<history><kind:one>'],
  ['a value behind =', 'lanyard audit --cluster=kind:o\t\r', '<audit><--cluster=kind:one>'],
  ['in quotes', 'lanyard login "eu:p\t\r', '<login><eu:prod>'],
  ['a context with spaces', 'lanyard context my\t\r', '<context><my $own ctx>'],
  ['one begun in quotes', "lanyard context 'my $o\t\r", '<context><my $own ctx>'],
  ['one begun in double quotes', 'lanyard context "my\t\r', '<context><my $own ctx>'],
  ['one behind a colon', 'lanyard context eu:\t\r', '<context><eu:a b>'],
  ['one with an umlaut', 'lanyard context g\t\r', '<context><größe>'],
  ['a file', 'lanyard vault export a\\ fi\t\r', '<vault><export><a file>'],
] as const;

const zsh = (line: string) =>
  typed(
    ['zsh', '-f', '-i'],
    ['PS1="$ "', 'autoload -Uz compinit && compinit -u -D', 'source <(lanyard completion zsh)'],
    line,
  );

const missing = (program: string) => (existsSync(join('/usr/bin', program)) ? null : `missing: ${program}`);

describe('bash', () => {
  test.each(lines)('%s', async (_, line, called) => {
    await expect.poll(() => bash(line)).toBe(called);
  });
});

describe('zsh', unless(missing('zsh')), () => {
  test.each(lines)('%s', async (_, line, called) => {
    await expect.poll(() => zsh(line)).toBe(called);
  });
});

describe('fish', unless(missing('fish')), () => {
  const completed = async (line: string) => {
    const script = `source (lanyard completion fish | psub); complete -C ${quoteForShell(line)}`;
    const done = await run('fish', ['--no-config', '-c', script], { env: withPrograms(), cwd: home.outside });
    expect(done.stderr).toBe('');
    return done.stdout.trimEnd().split('\n');
  };

  test.each([
    ['a command', 'lanyard sta', 'status\tShow what needs attention, and how many of each there are'],
    ['an account', 'lanyard login ', 'eu:prod\tstaticToken'],
    ['an account with a colon', 'lanyard login eu:p', 'eu:prod\tstaticToken'],
    ['in quotes', 'lanyard login "eu:p', 'eu:prod\tstaticToken'],
    ['a value behind =', 'lanyard audit --cluster=ki', '--cluster=kind:one\thttps://c0.example:6443'],
    ['a context', 'lanyard context ', 'my $own ctx\tc'],
    ['an option', 'lanyard status --', '--json\tAs JSON'],
    ['a file', 'lanyard vault export a', 'a file'],
    ['a file behind =', 'lanyard unlock --passphrase-file=a', '--passphrase-file=a file'],
  ])('%s', async (_, line, expected) => {
    await expect.poll(() => completed(line)).toContain(expected);
  });

  test('no files where none are wanted', async () => {
    await expect.poll(() => completed('lanyard logout ')).toHaveLength(accounts.length);
  });
});

describe('kubectl', () => {
  const kubectl = findKubectls().newest;
  const plugin = (...args: string[]) =>
    run(kubectl.path, args, {
      env: { ...withPrograms(), KUBECONFIG: '/dev/null', XDG_CACHE_HOME: home.outside },
    });

  test('runs lanyard as its plugin', async () => {
    const done = await plugin('lanyard', 'account', 'list', '--json');
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout).map((each: { name: string }) => each.name)).toEqual(accounts);
    expect((await plugin('lanyard', 'status', '--help')).stdout).toContain('Usage: kubectl lanyard status');
  });

  // kubectl has asked plugins for their completion since 1.26.
  test.skipIf(Number(kubectl.version.split('.')[1]) < 26)('completes its words', async () => {
    const expected = `${accounts.map((name) => `${name}\tstaticToken`).join('\n')}\n:4\n`;
    await expect
      .poll(async () => (await plugin('__complete', 'lanyard', 'logout', 'eu')).stdout)
      .toBe(expected);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { TerminalSession } from '../../ports/terminal-windows.ts';
import { macScript, terminalCommands, terminalEnvironment } from './terminal-commands.ts';

const folder = temporaryFolder();

/** Texts that would be a command, an option or an expansion, wherever they were part of what a shell reads. */
const hostile = `-n $(touch hacked) \`id\` '"; exit 1; %s`;

function session(): TerminalSession {
  const kubeconfig = join(folder(), "it's $HOME.yaml");
  writeFileSync(kubeconfig, 'kind: Config\n');
  return { heading: `here ${hostile}`, otherwise: `elsewhere ${hostile}`, kubeconfig };
}

/** The user's shell: its startup file comes first, then it runs what it is told, or says what it sees. */
function shell(startup = ''): string {
  const file = join(folder(), 'my shell');
  const says = 'echo "KUBECONFIG=$KUBECONFIG"\n[ -e "$KUBECONFIG" ] && echo there\nexit 3';
  const told = 'if [ "$1" = -i ]; then echo noise of the startup; eval "$3"; exit; fi';
  writeFileSync(file, `#!/bin/sh\n${startup}\n${told}\n${says}\n`, { mode: 0o700 });
  return file;
}

type Way = (of: TerminalSession) => [string, readonly string[]];
const byArguments: Way = (of) => {
  const [found] = terminalCommands(of, { program: ['kitty', '--hold'], script: null });
  expect([found?.command, found?.args[0]]).toEqual(['kitty', '--hold']);
  return [found?.args[1] ?? '', found?.args.slice(2) ?? []];
};
const fromFile: Way = (of) => {
  const file = join(folder(), 'run.command');
  writeFileSync(file, macScript(of), { mode: 0o700 });
  return [file, []];
};

// What runs in the terminal is a script of sh.
describe.runIf(process.platform !== 'win32')('what runs in the terminal', () => {
  const env = (file: string) => ({ SHELL: file, PATH: '/usr/bin:/bin' });

  test.each<[string, Way]>([
    ['by its arguments (Linux)', byArguments],
    ['from a file (macOS)', fromFile],
  ])('says where kubectl goes, then is the user’s shell; its kubeconfig goes with it: %s', (_, way) => {
    const of = session();
    const [command, args] = way(of);
    const out = run(command, args, env(shell()));
    expect(out).toBe(`${of.heading}\nKUBECONFIG=${of.kubeconfig}\nthere\n`);
    expect(existsSync(of.kubeconfig)).toBe(false);
    expect(existsSync(join(folder(), 'hacked'))).toBe(false);
    expect(existsSync(join(folder(), 'run.command'))).toBe(false);
  });

  test('says so where the shell’s startup file sets another KUBECONFIG', () => {
    const of = session();
    const [command, args] = byArguments(of);
    const out = run(command, args, env(shell('KUBECONFIG=/mine')));
    expect(out).toBe(`${of.otherwise}\nKUBECONFIG=/mine\n`);
  });

  test('the kubeconfig goes, too, where the terminal is closed', async () => {
    const of = session();
    const [command, args] = byArguments(of);
    // The shell says that it waits.
    const file = shell();
    writeFileSync(file, '#!/bin/sh\n[ "$1" = -i ] && exit\necho waits\nread -r line\n', { mode: 0o700 });
    const running = spawn(command, [...args], {
      env: env(file),
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const ended = once(running, 'exit');
    while (!String(running.stdout.read() ?? '').includes('waits')) {
      await once(running.stdout, 'readable');
    }
    // As the kernel does: to all that run in it.
    process.kill(-(running.pid ?? 0), 'SIGHUP');
    await ended;
    expect(existsSync(of.kubeconfig)).toBe(false);
  });
});

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  try {
    return execFileSync(command, args, { cwd: folder(), env }).toString();
  } catch (error) {
    // It ends as the shell did.
    return String((error as { stdout?: Buffer }).stdout);
  }
}

const plain = { heading: 'h', otherwise: 'o', kubeconfig: '/k' };

test('a chosen terminal is the only one that is tried', () => {
  for (const script of [null, '/k.command']) {
    const found = terminalCommands(plain, { program: ['wezterm', 'start', '--'], script });
    expect(found.map(({ command, args }) => [command, ...args.slice(0, 2)])).toEqual([
      ['wezterm', 'start', '--'],
    ]);
  }
});

test('without one: the desktop’s, Debian’s, then those that are known; Terminal on macOS', () => {
  const found = terminalCommands(plain, { script: null });
  expect(found.map(({ command, args }) => [command, args[0]])).toEqual([
    ['xdg-terminal-exec', '/bin/sh'],
    ['x-terminal-emulator', '-e'],
    ['gnome-terminal', '--'],
    ['konsole', '-e'],
    ['xfce4-terminal', '-x'],
    ['xterm', '-e'],
  ]);
  expect(terminalCommands(plain, { script: '/k.command' })).toEqual([
    { command: '/usr/bin/open', args: ['-a', 'Terminal', '/k.command'] },
  ]);
});

test('it gets what a shell needs, and no secret that the broker was given', () => {
  const env = {
    PATH: '/bin',
    SHELL: '/bin/zsh',
    AWS_SECRET_ACCESS_KEY: 's',
    LANYARD_HOME: '/h',
    KUBECONFIG: '/m',
  };
  expect(terminalEnvironment('linux', env)).toEqual({ PATH: '/bin', SHELL: '/bin/zsh', LANYARD_HOME: '/h' });
});

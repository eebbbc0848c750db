import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { macScript, terminalCommands, terminalEnvironment } from './terminal-commands.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-terminal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A name that would be a command, an option or an expansion, wherever it were part of a text that a shell reads. */
const heading = `-n $(touch ${'hacked'}) \`id\` '"; exit 1; %s`;

/** A shell of the user’s that says what it sees. */
function session() {
  const kubeconfig = join(folder, "it's $HOME.yaml");
  writeFileSync(kubeconfig, 'kind: Config\n');
  const shell = join(folder, 'my shell');
  writeFileSync(
    shell,
    '#!/bin/sh\necho "KUBECONFIG=$KUBECONFIG"\n[ -e "$KUBECONFIG" ] && echo there\nexit 3\n',
    {
      mode: 0o700,
    },
  );
  return { kubeconfig, shell };
}

// What runs in the terminal is a script of sh.
describe.runIf(process.platform !== 'win32')('what runs in the terminal', () => {
  const ways: [string, (kubeconfig: string) => [string, readonly string[]]][] = [
    [
      'by its arguments (Linux)',
      (kubeconfig) => {
        const [found] = terminalCommands(
          'linux',
          {},
          { heading, kubeconfig },
          {
            program: ['kitty', '--hold'],
            script: null,
          },
        );
        expect([found?.command, found?.args[0]]).toEqual(['kitty', '--hold']);
        return [found?.args[1] ?? '', found?.args.slice(2) ?? []];
      },
    ],
    [
      'from a file (macOS)',
      (kubeconfig) => {
        const file = join(folder, 'run.command');
        writeFileSync(file, macScript({ heading, kubeconfig }), { mode: 0o700 });
        return [file, []];
      },
    ],
  ];
  test.each(ways)(
    'says where kubectl goes, then is the user’s shell; its kubeconfig goes with it: %s',
    (_, way) => {
      const { kubeconfig, shell } = session();
      const [command, args] = way(kubeconfig);
      const out = execFileSync(command, args, { cwd: folder, env: { SHELL: shell, PATH: '/usr/bin:/bin' } });
      expect(out.toString()).toBe(`${heading}\nKUBECONFIG=${kubeconfig}\nthere\n`);
      expect(existsSync(kubeconfig)).toBe(false);
      expect(existsSync(join(folder, 'hacked'))).toBe(false);
      expect(existsSync(join(folder, 'run.command'))).toBe(false);
    },
  );
});

const plain = { heading: 'h', kubeconfig: '/k' };

test('a chosen terminal is the only one that is tried', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const options = { program: ['wezterm', 'start', '--'] as const, script: '/k.command' };
    const found = terminalCommands(platform, {}, plain, { ...options, program: [...options.program] });
    expect(found.map(({ command, args }) => [command, ...args.slice(0, 2)])).toEqual([
      ['wezterm', 'start', '--'],
    ]);
  }
});

test('without one: the desktop’s, Debian’s, then those that are known; Terminal on macOS; a console on Windows', () => {
  const all = (platform: NodeJS.Platform) =>
    terminalCommands(platform, { SystemRoot: 'C:\\Windows' }, plain, { script: '/k.command' });
  expect(all('linux').map(({ command, args }) => [command, args[0]])).toEqual([
    ['xdg-terminal-exec', '/bin/sh'],
    ['x-terminal-emulator', '-e'],
    ['gnome-terminal', '--'],
    ['konsole', '-e'],
    ['xfce4-terminal', '-x'],
    ['xterm', '-e'],
  ]);
  expect(all('darwin')).toEqual([{ command: '/usr/bin/open', args: ['-a', 'Terminal', '/k.command'] }]);
  expect(all('win32').map(({ command }) => command)).toEqual(['C:\\Windows\\System32\\conhost.exe']);
  // A name is never part of what PowerShell reads.
  expect(
    JSON.stringify(terminalCommands('win32', {}, { ...plain, heading }, { script: null })),
  ).not.toContain('hacked');
});

test('it gets what a shell needs, and no secret that the broker was given', () => {
  const env = {
    PATH: '/bin',
    SHELL: '/bin/zsh',
    AWS_SECRET_ACCESS_KEY: 's',
    LANYARD_HOME: '/h',
    KUBECONFIG: '/mine',
  };
  expect(terminalEnvironment('linux', env, plain)).toEqual({
    PATH: '/bin',
    SHELL: '/bin/zsh',
    LANYARD_HOME: '/h',
  });
  expect(terminalEnvironment('win32', env, plain)).toMatchObject({ KUBECONFIG: '/k', LANYARD_HEADING: 'h' });
});

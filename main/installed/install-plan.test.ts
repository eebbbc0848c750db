import { expect, test } from 'vitest';
import { wordFor } from '../domain/text/shell-line.ts';
import {
  binFolders,
  type InstallEnvironment,
  installPlaces,
  ownShell,
  pathLine,
  windowsPathLine,
} from './install-plan.ts';

const me = { HOME: '/home/me' };

test('places follow the XDG variables, where they hold absolute paths', () => {
  const plain = installPlaces(me, 'linux', '/home/me/.local/bin');
  expect([plain.bin, plain.manPage, plain.completion('bash')]).toEqual([
    '/home/me/.local/bin',
    '/home/me/.local/share/man/man1/lanyard.1',
    '/home/me/.local/share/bash-completion/completions/lanyard',
  ]);
  const xdg = { ...me, XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' };
  const moved = installPlaces(xdg, 'linux', '/into');
  expect([moved.bin, moved.completion('zsh'), moved.completion('fish')]).toEqual([
    '/into',
    '/data/zsh/site-functions/_lanyard',
    '/config/fish/completions/lanyard.fish',
  ]);
  expect(installPlaces({ ...me, XDG_DATA_HOME: 'data' }, 'linux', '/into').manPage).toBe(plain.manPage);
});

const windows = { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' };
const windowsApps = 'C:\\Users\\me\\AppData\\Local\\Microsoft\\WindowsApps';

test.each<[string, InstallEnvironment, string[]]>([
  ['linux', me, ['/home/me/.local/bin', '/home/me/bin']],
  ['darwin', me, ['/usr/local/bin', '/home/me/.local/bin']],
  ['win32', windows, [windowsApps]],
])('the folders of programs on %s', (platform, environment, folders) => {
  expect(binFolders(environment, platform)).toEqual(folders);
});

test.each([undefined, '', 'home/me'])('HOME must be absolute (%j)', (home) => {
  expect(() => binFolders({ HOME: home }, 'linux')).toThrow(/HOME/);
  expect(() => installPlaces({ HOME: home }, 'linux', '/into')).toThrow(/HOME/);
  expect(() => binFolders({ LOCALAPPDATA: home }, 'win32')).toThrow(/LOCALAPPDATA/);
});

test.each<[string, string, string, boolean]>([
  ['linux', '/home/me/.local/bin', '/home/me/.local/bin', true],
  ['linux', '/home/me/.local/bin', '/usr/bin:/home/me/.local/bin/', true],
  ['linux', '/home/me/.local/bin', '/home/me/.local/bin2:/usr/bin', false],
  ['linux', '/home/me/.local/bin', '.local/bin', false],
  ['linux', '/home/me/.local/bin', '', false],
  ['linux', '/usr/local/bin', '/usr/bin', false],
  // What an app gets that macOS starts: less than any terminal.
  ['darwin', '/usr/local/bin', '/usr/bin:/bin:/usr/sbin:/sbin', true],
  ['darwin', '/home/me/.local/bin', '/usr/bin:/bin:/usr/sbin:/sbin', false],
  ['win32', windowsApps, `C:\\Windows;${windowsApps.toUpperCase()}\\`, true],
  ['win32', windowsApps, 'C:\\Windows;', false],
])('on %s, whether %s is on PATH %j: %j', (platform, bin, PATH, is) => {
  expect(installPlaces({ ...me, ...windows, PATH }, platform, bin).isOnPath).toBe(is);
});

test('the caller’s shell by SHELL, and the line for its start file', () => {
  expect([ownShell({ SHELL: '/usr/bin/zsh' }), ownShell({ SHELL: '/bin/tcsh' }), ownShell({})]).toEqual([
    'zsh',
    null,
    null,
  ]);
  expect(pathLine('/a', 'bash')).toBe('export PATH=/a:"$PATH"');
  expect(pathLine('/it’s', null)).toBe(`export PATH='/it’s':"$PATH"`);
  expect(pathLine("/it's \\", 'fish')).toBe("fish_add_path '/it\\'s \\\\'");
  expect(wordFor("/it's $x", 'linux')).toBe(`'/it'\\''s $x'`);
});

test('on Windows the line is one of PowerShell, whatever the folder’s name', () => {
  expect(windowsPathLine("C:\\it's\\bin")).toBe(
    "[Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';C:\\it''s\\bin', 'User')",
  );
});

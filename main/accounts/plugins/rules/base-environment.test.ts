import { expect, it } from 'vitest';
import { baseEnvironment, systemEnvironment } from './base-environment.ts';
import { pluginFolder } from './plugin-folder.ts';

const windows = {
  SystemRoot: 'D:\\Win',
  Path: 'C:\\mine',
  PATHEXT: '.EVIL',
  ComSpec: 'C:\\evil.exe',
  UserProfile: 'C:\\Users\\me',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
  HTTPS_PROXY: 'http://proxy',
  AWS_PROFILE: 'prod',
  NODE_OPTIONS: '--inspect',
};

it('on Windows names count in any case, and the shell is the system’s (rule: cleared-environment)', () => {
  expect(baseEnvironment(windows, 'C:\\bin', false, 'win32')).toEqual({
    SystemRoot: 'D:\\Win',
    UserProfile: 'C:\\Users\\me',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    HTTPS_PROXY: 'http://proxy',
    ComSpec: 'D:\\Win\\System32\\cmd.exe',
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    PATH: 'C:\\bin',
    TERM: 'dumb',
  });
});

it('on Windows a caller’s variables lead to no other system and no other shell', () => {
  expect(systemEnvironment(windows, 'win32')).toEqual({
    SystemRoot: 'D:\\Win',
    windir: 'D:\\Win',
    ComSpec: 'D:\\Win\\System32\\cmd.exe',
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    NoDefaultCurrentDirectoryInExePath: '1',
  });
  expect(systemEnvironment({ SystemRoot: '/x' }, 'linux')).toEqual({});
});

it('elsewhere Windows’ names are no others', () => {
  expect(baseEnvironment({ ...windows, HOME: '/home/me' }, '/bin', true, 'linux')).toEqual({
    HOME: '/home/me',
    HTTPS_PROXY: 'http://proxy',
    PATH: '/bin',
  });
});

it.each([
  ['linux', { HOME: '/home/me' }, '/home/me'],
  ['linux', {}, '/'],
  ['win32', windows, 'C:\\Users\\me'],
  ['win32', { SystemRoot: 'D:\\Win' }, 'D:\\'],
  ['win32', {}, 'C:\\'],
] as const)('on %s with %j a plugin runs in %s', (platform, environment, folder) => {
  expect(pluginFolder(environment, platform)).toBe(folder);
});

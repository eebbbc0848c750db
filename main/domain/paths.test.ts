import { describe, expect, test } from 'vitest';
import windowsHomes from '../../test/wire/tables/windows-homes.json' with { type: 'json' };
import { homeVariables, resolvePaths } from './paths.ts';

describe('where a home lies', () => {
  const usual = ['/home/a/.local/share/lanyard', '/home/a/.config/lanyard/config.yaml'] as const;
  const onMac = (user: string) => {
    const home = `${user}/Library/Application Support/Lanyard`;
    return [home, `${home}/config.yaml`] as const;
  };
  const xdg = { HOME: '/home/a', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c' };
  const oddXdg = { HOME: '/home/a', XDG_DATA_HOME: 'relative', XDG_CONFIG_HOME: '' };
  const ofWindows = 'C:\\Users\\a\\AppData';
  test.each<[string, string, Record<string, string>, string, string]>([
    ['Linux', 'linux', { HOME: '/home/a' }, ...usual],
    ['Linux with XDG', 'linux', xdg, '/d/lanyard', '/c/lanyard/config.yaml'],
    ['Linux with XDG variables that don’t count', 'linux', oddXdg, ...usual],
    ['another Unix', 'freebsd', { HOME: '/h' }, '/h/.local/share/lanyard', '/h/.config/lanyard/config.yaml'],
    ['macOS', 'darwin', { HOME: '/Users/a', XDG_DATA_HOME: '/d' }, ...onMac('/Users/a')],
    [
      'Windows',
      'win32',
      { LOCALAPPDATA: `${ofWindows}\\Local`, APPDATA: `${ofWindows}\\Roaming` },
      `${ofWindows}\\Local\\Lanyard`,
      `${ofWindows}\\Roaming\\Lanyard\\config.yaml`,
    ],
    ['LANYARD_HOME', 'linux', { HOME: '/home/a', LANYARD_HOME: '/tmp/x/' }, '/tmp/x', '/tmp/x/config.yaml'],
    ['LANYARD_HOME without any other', 'linux', { LANYARD_HOME: '/tmp/x' }, '/tmp/x', '/tmp/x/config.yaml'],
    ['an empty LANYARD_HOME', 'darwin', { HOME: '/u', LANYARD_HOME: '' }, ...onMac('/u')],
  ])('%s', (_name, platform, env, home, config) => {
    expect(resolvePaths(env, platform)).toMatchObject({ home, config });
  });
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['linux', { HOME: '/h', LANYARD_HOME: '/x/', XDG_DATA_HOME: '/d' }, { LANYARD_HOME: '/x' }],
  ['linux', { HOME: '/h' }, { HOME: '/h' }],
  ['linux', { HOME: '/h', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '' }, { XDG_DATA_HOME: '/d', HOME: '/h' }],
  ['darwin', { HOME: '/h', XDG_DATA_HOME: '/d' }, { HOME: '/h' }],
  ['win32', { LOCALAPPDATA: 'C:\\l', APPDATA: 'C:\\r' }, { LOCALAPPDATA: 'C:\\l', APPDATA: 'C:\\r' }],
])('on %s, the home of %j is found by %j', (platform, env, found) => {
  const variables = Object.fromEntries(homeVariables(env, platform));
  expect(variables).toEqual(found);
  expect(resolvePaths(variables, platform)).toEqual({
    ...resolvePaths(env, platform),
    homeVariable: found['LANYARD_HOME'] ?? null,
  });
});

test('everything but config.yaml lies in the home', () => {
  const paths = resolvePaths({ HOME: '/h', XDG_DATA_HOME: '/d' }, 'linux');
  const { config, configHome, home, homeVariable, ...inside } = paths;
  expect(homeVariable).toBeNull();
  for (const file of Object.values(inside)) {
    expect(file).toMatch(/^\/d\/lanyard\//);
  }
  expect(paths.helper).toBe('/d/lanyard/bin/lanyard');
  expect(resolvePaths({ LANYARD_HOME: '/x' }, 'linux').homeVariable).toBe('/x');
});

describe('a home on Windows has one spelling: the pipe’s name is made of it', () => {
  const at = (home: string) => resolvePaths({ LANYARD_HOME: home }, 'win32').home;
  // The helper reads the same file.
  test.each(windowsHomes as [string, string | null][])('%s is %s', (given, home) => {
    if (home !== null) {
      expect(at(given)).toBe(home);
    } else if (given !== '') {
      expect(() => at(given)).toThrow('must be an absolute path');
    }
  });

  test('config.yaml lies there, too, and the folders of the profile are read in the same way', () => {
    expect(resolvePaths({ LANYARD_HOME: '\\\\?\\C:\\x' }, 'win32').config).toBe('C:\\x\\config.yaml');
    expect(resolvePaths({ LOCALAPPDATA: '\\\\?\\C:\\l\\', APPDATA: 'C:/r' }, 'win32')).toMatchObject({
      home: 'C:\\l\\Lanyard',
      configHome: 'C:\\r\\Lanyard',
    });
  });
});

test('the helper has an extension on Windows: Go’s exec starts no file without one of PATHEXT', () => {
  expect(resolvePaths({ LANYARD_HOME: 'C:\\x' }, 'win32').helper).toBe('C:\\x\\bin\\lanyard.exe');
});

describe('no home is an error that says what to set', () => {
  test.each<[string, string, Record<string, string>, RegExp]>([
    [
      'a relative LANYARD_HOME',
      'linux',
      { HOME: '/h', LANYARD_HOME: 'x' },
      /LANYARD_HOME must be an absolute path/,
    ],
    ['no HOME', 'linux', {}, /none of XDG_DATA_HOME, HOME holds an absolute path/],
    ['a relative HOME', 'darwin', { HOME: '.' }, /none of HOME/],
    ['no config folder', 'linux', { XDG_DATA_HOME: '/d' }, /none of XDG_CONFIG_HOME, HOME/],
    ['a Windows path without a drive', 'win32', { LANYARD_HOME: '\\x' }, /LANYARD_HOME must be/],
    ['a server without a share', 'win32', { LANYARD_HOME: '\\\\server' }, /LANYARD_HOME must be/],
    ['a device', 'win32', { LANYARD_HOME: '\\\\.\\pipe\\x' }, /LANYARD_HOME must be/],
    ['a volume by its id', 'win32', { LANYARD_HOME: '\\\\?\\Volume{1}\\x' }, /LANYARD_HOME must be/],
  ])('%s', (_name, platform, env, message) => {
    expect(() => resolvePaths(env, platform)).toThrow(
      expect.objectContaining({
        code: 'paths.home',
        reason: 'usage',
        message: expect.stringMatching(message),
        hint: expect.stringContaining('LANYARD_HOME'),
      }),
    );
  });
});

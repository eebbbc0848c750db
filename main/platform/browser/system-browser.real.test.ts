import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withoutScripts } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { browserCommands, browserEnvironment, hasDisplay } from './browser-commands.ts';
import { createSystemBrowser } from './system-browser.ts';

const folder = temporaryFolder();

/** A stand-in for an opener: says how it was called, and ends with `code`. */
function standIn(name: string, code: number): void {
  const said = join(folder(), `${name}.said`);
  const script = `#!/bin/sh\nexport -p > '${said}.env'\nprintf '%s\\n' "$@" > '${said}.next'\nmv '${said}.next' '${said}'\nexit ${code}\n`;
  writeFileSync(join(folder(), name), script);
  chmodSync(join(folder(), name), 0o755);
}

const said = (name: string) => {
  const file = join(folder(), `${name}.said`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : null;
};

const onLinux = (env: Record<string, string> = {}) =>
  createSystemBrowser({
    platform: 'linux',
    env: { DISPLAY: ':9', PATH: `${folder()}:/usr/bin:/bin`, ...env },
  });
const open = (url: string, env?: Record<string, string>) => onLinux(env).open(url);

const url = 'https://id.example/auth?a=1&b=$(touch%20x)';

// The rule for Windows’ own opener is a table, below.
describe.skipIf(withoutScripts)('on Linux', () => {
  test('xdg-open gets the address as one word, without a shell, and little of the environment', async () => {
    standIn('xdg-open', 0);
    const kept = { HOME: '/h', XDG_RUNTIME_DIR: '/r' };
    const dropped = { SECRET_TOKEN: 'canary', SSH_AUTH_SOCK: '/s', LD_PRELOAD: 'x', BROWSER: 'canary' };
    expect(await open(url, { ...kept, ...dropped })).toBe(true);
    expect(said('xdg-open')).toEqual([url]);
    const passed = readFileSync(join(folder(), 'xdg-open.said.env'), 'utf8');
    expect(passed).toMatch(/DISPLAY='?:9/);
    expect(passed).toMatch(/XDG_RUNTIME_DIR='?\/r/);
    expect(passed).not.toMatch(/canary|SSH_AUTH_SOCK|LD_PRELOAD/);
  });

  test('gio where xdg-open fails; false where neither can', async () => {
    standIn('xdg-open', 3);
    standIn('gio', 0);
    expect(await open(url)).toBe(true);
    expect(said('gio')).toEqual(['open', url]);
    standIn('gio', 1);
    expect(await open(url)).toBe(false);
    expect(await open(url, { PATH: '/nowhere' })).toBe(false);
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://id.example/auth',
    'https://id.example@evil.example/',
    'ssh://x',
    '--help',
    '',
  ])('%j is not opened (rule: safe-addresses)', async (bad) => {
    standIn('xdg-open', 0);
    expect(await open(bad)).toBe(false);
    expect(said('xdg-open')).toBeNull();
  });

  test.each<[string, boolean]>([
    ['/home/a b/redirect.html', true],
    ['redirect.html', false],
    ['--help.html', false],
    ['/bin/sh', false],
    ['file:///redirect.html', false],
    ['', false],
  ])('a file %j is opened: %s', async (path, opens) => {
    standIn('xdg-open', 0);
    expect(await onLinux().openFile(path)).toBe(opens);
    expect(said('xdg-open')).toEqual(opens ? [path] : null);
  });

  test('a program that was chosen, with its arguments before the address, and no other in its place', async () => {
    for (const name of ['xdg-open', 'gio', 'firefox']) {
      standIn(name, 0);
    }
    const browser = onLinux();
    expect(await browser.open(url, ['firefox', '-P', 'a b; $(touch x)'])).toBe(true);
    expect(said('firefox')).toEqual(['-P', 'a b; $(touch x)', url]);
    expect(await browser.open(url, ['no-such-browser'])).toBe(false);
    standIn('firefox', 3);
    expect(await browser.open(url, [join(folder(), 'firefox')])).toBe(false);
    expect([said('xdg-open'), said('gio')]).toEqual([null, null]);
    expect(await browser.open('file:///etc/passwd', ['firefox'])).toBe(false);
    const programs = ['firefox', join(folder(), 'gio'), 'no-such', '/no/such'];
    const found = await Promise.all(programs.map((program) => browser.finds([program])));
    expect(found).toEqual([true, true, false, false]);
  });

  test('nothing is run without a display', async () => {
    standIn('xdg-open', 0);
    expect(await open(url, { DISPLAY: '' })).toBe(false);
    expect(said('xdg-open')).toBeNull();
  });
});

test.each<[NodeJS.Platform, Record<string, string>, boolean]>([
  ['linux', {}, false],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
])('a display on %s with %j: %s', (platform, env, there) => {
  expect(hasDisplay(platform, env)).toBe(there);
});

test('other systems: their own opener, by its whole path', () => {
  expect(browserCommands('darwin', {})).toEqual([{ command: '/usr/bin/open', args: [] }]);
  expect(browserCommands('win32', { SystemRoot: 'D:\\Win' })).toEqual([
    { command: 'D:\\Win\\System32\\rundll32.exe', args: ['url.dll,FileProtocolHandler'] },
  ]);
  expect(browserEnvironment('win32', { Path: 'p', SYSTEMROOT: 's', TOKEN: 't' })).toEqual({
    Path: 'p',
    SYSTEMROOT: 's',
  });
});

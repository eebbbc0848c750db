import { expect, test } from 'vitest';
import { shellWord } from '../domain/shell-line.ts';
import { installPlaces, ownShell, pathLine } from './install-plan.ts';

test('places follow the XDG variables, where they hold absolute paths', () => {
  const plain = installPlaces({ HOME: '/home/me' }, undefined);
  expect([plain.bin, plain.manPage, plain.completion('bash')]).toEqual([
    '/home/me/.local/bin',
    '/home/me/.local/share/man/man1/lanyard.1',
    '/home/me/.local/share/bash-completion/completions/lanyard',
  ]);
  const xdg = { HOME: '/home/me', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' };
  const moved = installPlaces(xdg, '/into');
  expect([moved.bin, moved.completion('zsh'), moved.completion('fish')]).toEqual([
    '/into',
    '/data/zsh/site-functions/_lanyard',
    '/config/fish/completions/lanyard.fish',
  ]);
  expect(installPlaces({ HOME: '/home/me', XDG_DATA_HOME: 'data' }, undefined).manPage).toBe(plain.manPage);
});

test.each([undefined, '', 'home/me'])('HOME must be absolute (%j)', (home) => {
  expect(() => installPlaces({ HOME: home }, undefined)).toThrow(/HOME/);
});

test.each([
  ['/home/me/.local/bin', true],
  ['/usr/bin:/home/me/.local/bin/', true],
  ['/home/me/.local/bin2:/usr/bin', false],
  ['.local/bin', false],
  ['', false],
])('whether the folder is on PATH %j: %j', (path, is) => {
  expect(installPlaces({ HOME: '/home/me', PATH: path }, undefined).isOnPath).toBe(is);
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
  expect(shellWord("/it's $x")).toBe(`'/it'\\''s $x'`);
});

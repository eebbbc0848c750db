import { expect, it } from 'vitest';
import { podmanAuthFiles } from './podman-auth-files.ts';

const linux = { platform: 'linux', uid: 1000 };

/** By containers-auth.json(5). */
it.each([
  [{ HOME: '/h' }, linux, ['/run/containers/1000/auth.json', '/h/.config/containers/auth.json']],
  [
    { HOME: '/h', XDG_RUNTIME_DIR: '/run/user/1000' },
    linux,
    ['/run/user/1000/containers/auth.json', '/h/.config/containers/auth.json'],
  ],
  [{ HOME: '/h', XDG_RUNTIME_DIR: 'r', XDG_CONFIG_HOME: '/c' }, linux, ['/c/containers/auth.json']],
  [{ HOME: '/h' }, { platform: 'darwin', uid: 501 }, ['/h/.config/containers/auth.json']],
  [{ HOME: '/h', REGISTRY_AUTH_FILE: 'my.json', XDG_RUNTIME_DIR: '/r' }, linux, ['/cwd/my.json']],
  [{}, { platform: 'win32', uid: null }, []],
  [{ HOME: 'C:\\u' }, { platform: 'win32', uid: null }, ['C:\\u\\.config\\containers\\auth.json']],
])('%j on %j: %j', (environment, system, files) => {
  expect(podmanAuthFiles(environment, '/cwd', system)).toEqual(files);
});

import { expect, test } from 'vitest';
import { helmConfigFile } from './helm-config-file.ts';

test.each<[Record<string, string>, NodeJS.Platform, string | null]>([
  [{ HOME: '/home/u' }, 'linux', '/home/u/.config/helm/registry/config.json'],
  [{ HOME: '/home/u' }, 'darwin', '/home/u/Library/Preferences/helm/registry/config.json'],
  [{ HOME: '/home/u', XDG_CONFIG_HOME: '/x' }, 'linux', '/x/helm/registry/config.json'],
  [{ HOME: '/home/u', XDG_CONFIG_HOME: '/x', HELM_CONFIG_HOME: '/h' }, 'linux', '/h/registry/config.json'],
  [{ HOME: '/home/u', HELM_REGISTRY_CONFIG: 'r.json' }, 'linux', '/here/r.json'],
  [{}, 'linux', null],
  [{ APPDATA: 'C:\\u\\Roaming' }, 'win32', 'C:\\u\\Roaming\\helm\\registry\\config.json'],
  [{ APPDATA: 'C:\\u', HELM_REGISTRY_CONFIG: 'r.json' }, 'win32', 'D:\\here\\r.json'],
  [{ HOME: '/home/u' }, 'win32', null],
])('%o on %s: %s', (environment, platform, expected) => {
  expect(helmConfigFile(environment, platform === 'win32' ? 'D:\\here' : '/here', platform)).toBe(expected);
});

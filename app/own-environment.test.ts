import { expect, test } from 'vitest';
import { appEnvironment, clearOwnEnvironment } from './own-environment.ts';

test('what bends the runtime goes, in place and in a copy; proxies, certificates and the desktop’s stay', () => {
  const stays = {
    HOME: '/home/me',
    DISPLAY: ':0',
    HTTPS_PROXY: 'http://p',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    APPIMAGE: '/l.AppImage',
  };
  const env: NodeJS.ProcessEnv = {
    ...stays,
    NODE_OPTIONS: '--require=/evil.js',
    node_options: '--inspect',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    ELECTRON_RUN_AS_NODE: '1',
    ELECTRON_ENABLE_LOGGING: '1',
    ELECTRON_NO_ASAR: '1',
    CHROME_DEVEL_SANDBOX: '/evil',
  };
  expect(appEnvironment(env)).toEqual(stays);
  clearOwnEnvironment(env);
  expect(env).toEqual(stays);
});

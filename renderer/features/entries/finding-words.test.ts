import { expect, test } from 'vitest';
import { hintInForm } from './finding-words.ts';

test.each([
  [
    'set certificateAuthority of the account to the PEM file of the provider’s own CA',
    'certificateAuthority',
    'set “Label” to the PEM file of the provider’s own CA',
  ],
  [
    'install it, or add its folder to searchPath of the account t1 in config.yaml',
    'searchPath',
    'install it, or add its folder to “Label”',
  ],
  [
    'install it, or change the module of the account card in config.yaml',
    'module',
    'install it, or change “Label”',
  ],
  [
    'check the network or VPN, and server of the cluster in config.yaml',
    'server',
    'check the network or VPN, and “Label”',
  ],
  ['check the network, and the account’s issuer', 'issuer', 'check the network, and “Label”'],
  ['add offline_access to the scopes (some)', 'scopes', 'add offline_access to “Label” (some)'],
  [
    'some providers leave scopes out of their list',
    'scopes',
    'some providers leave scopes out of their list',
  ],
])('%s', (hint, key, words) => {
  expect(hintInForm(hint, { key, label: 'Label' })).toBe(words);
});

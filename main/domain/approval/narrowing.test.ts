import { describe, expect, it } from 'vitest';
import { account } from '../../contract/config/accounts/account.ts';
import { cluster } from '../../contract/config/cluster.ts';
import { type BoundSettings, defaultSettings } from '../../contract/config/settings.ts';
import type { LoadedAccount, LoadedCluster } from '../loaded-config.ts';
import { narrowedAccount, narrowedCluster, narrowedSettings } from './narrowing.ts';

const aCluster = (fields: object): LoadedCluster => ({
  name: 'prod',
  config: cluster.parse({ server: 'https://prod', account: 'corp', ...fields }),
  certificateAuthorityPem: null,
});
const oidc = (fields: object): LoadedAccount => ({
  name: 'corp',
  config: account.parse({ oidc: { issuer: 'https://id', clientId: 'k8s', ...fields } }),
  certificateAuthorityPem: null,
});

describe('of a pending change of a cluster applies', () => {
  it.each<[string, object, object, object]>([
    ['an approval where there was none', { approval: 'never' }, { approval: '8h' }, { approval: '8h' }],
    ['an approval each time', { approval: 'perTerminal' }, { approval: 'always' }, { approval: 'always' }],
    ['a shorter time', { approval: '8h' }, { approval: '15m' }, { approval: '15m' }],
    ['no longer time', { approval: '15m' }, { approval: '8h' }, { approval: '15m' }],
    ['no less approval', { approval: 'always' }, { approval: 'perTerminal' }, { approval: 'always' }],
    ['no approval that is gone', { approval: 'always' }, {}, { approval: 'always' }],
    ['nothing that can’t be compared', { approval: '15m' }, { approval: 'perTerminal' }, { approval: '15m' }],
    ['nor the reverse', { approval: 'perTerminal' }, { approval: '15m' }, { approval: 'perTerminal' }],
    ['that cluster info is needed', { withoutInfo: 'allow' }, {}, { withoutInfo: 'refuse' }],
    ['not that it isn’t', {}, { withoutInfo: 'allow' }, { withoutInfo: 'refuse' }],
    ['that nothing is printed', {}, { execCredential: 'refuse' }, { execCredential: 'refuse' }],
    ['that printing is asked for', { execCredential: 'allow' }, {}, { execCredential: 'ask' }],
    ['not that it isn’t', { execCredential: 'refuse' }, {}, { execCredential: 'refuse' }],
    ['no cookies', { proxy: { cookies: 'pass' } }, { proxy: {} }, { proxy: { chain: [], cookies: 'strip' } }],
    ['not cookies', { proxy: {} }, { proxy: { cookies: 'pass' } }, { proxy: { chain: [] } }],
    [
      'a stricter policy beside another server, at the approved one',
      {},
      { server: 'https://evil', approval: 'always' },
      { server: 'https://prod', approval: 'always' },
    ],
    ['no other account', {}, { account: 'other' }, { account: 'corp' }],
    ['no audience', { audience: 'a' }, { audience: 'b' }, { audience: 'a' }],
    ['no audience that is gone', { audience: 'a' }, {}, { audience: 'a' }],
    ['no check that is off', {}, { insecureSkipTlsVerify: true }, { insecureSkipTlsVerify: false }],
    ['no proxy', {}, { proxyUrl: 'http://evil:1' }, {}],
  ])('%s', (_, approved, pending, expected) => {
    const narrowed = narrowedCluster(aCluster(approved), aCluster(pending));
    expect(narrowed.config).toEqual(aCluster({ ...approved, ...expected }).config);
  });
});

describe('of a pending change of an account applies', () => {
  /** Without a person. */
  const client = (...scopes: string[]) => ({ flow: 'clientCredentials', scopes });
  it.each<[string, object, object, object]>([
    ['fewer scopes', { scopes: ['openid', 'groups'] }, { scopes: ['openid'] }, { scopes: ['openid'] }],
    ['no more scopes', { scopes: ['openid'] }, { scopes: ['openid', 'admin'] }, {}],
    ['not that none is named: the provider chooses then', { scopes: ['openid', 'a'] }, { scopes: [] }, {}],
    ['nor that none of the client’s is named', client('openid', 'read'), client('openid'), {}],
    ['fewer of the client’s', client('read', 'write'), client('read'), { scopes: ['read'] }],
    ['no scope in the place of another', { scopes: ['openid', 'a'] }, { scopes: ['openid', 'b'] }, {}],
    [
      'nothing of the scopes of another provider',
      { scopes: ['openid', 'groups'] },
      { issuer: 'https://evil', scopes: ['openid'] },
      {},
    ],
    ['no login page without a terminal', { loginWithoutTerminal: true }, {}, { loginWithoutTerminal: false }],
    ['not one with it', {}, { loginWithoutTerminal: true }, {}],
    ['no other client, parameter or header', {}, { clientId: 'x', extraParams: { a: 'b' } }, {}],
  ])('%s', (_, approved, pending, expected) => {
    const narrowed = narrowedAccount(oidc(approved), oidc(pending));
    expect(JSON.stringify(narrowed)).toBe(JSON.stringify(oidc({ ...approved, ...expected })));
  });

  it('nothing of another kind', () => {
    const bot: LoadedAccount = { ...oidc({}), config: { staticToken: {} } };
    expect(narrowedAccount(oidc({}), bot)).toEqual(oidc({}));
    expect(narrowedAccount(bot, oidc({}))).toEqual(bot);
  });
});

describe('of pending settings applies', () => {
  const lockAfter = (afterIdle: string) => ({ lock: { afterIdle } });
  const settings = (fields: Partial<BoundSettings>): BoundSettings => ({ ...defaultSettings, ...fields });
  it.each<[string, Partial<BoundSettings>, Partial<BoundSettings>, Partial<BoundSettings>]>([
    ['a lock', {}, lockAfter('15m'), lockAfter('15m')],
    ['a sooner lock', lockAfter('8h'), lockAfter('15m'), lockAfter('15m')],
    ['no later lock', lockAfter('15m'), lockAfter('8h'), lockAfter('15m')],
    ['no lock that is gone', { lock: { withScreen: true } }, {}, { lock: { withScreen: true } }],
    ['more fingers', {}, { lock: { biometrics: 'always' } }, { lock: { biometrics: 'always' } }],
    ['no fewer', {}, { lock: { biometrics: 'never' } }, {}],
    ['no more metrics', { metrics: { listen: '127.0.0.1:1' } }, {}, { metrics: {} }],
    ['no metrics', {}, { metrics: { listen: '127.0.0.1:1' } }, {}],
    ['nothing that deletes what is on record', {}, { history: { keep: '1d' } }, {}],
  ])('%s', (_, approved, pending, expected) => {
    expect(narrowedSettings(settings(approved), settings(pending))).toEqual(
      settings({ ...approved, ...expected }),
    );
  });
});

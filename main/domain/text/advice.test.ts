import { describe, expect, it } from 'vitest';
import { commandFault } from '../../../test/support/command-grammar.ts';
import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import { type AdvisedAccount, accountAdvice, adviceText, secretAdvice } from './advice.ts';

const configs = {
  oidc: { oidc: { flow: 'auto' } },
  client: { oidc: { flow: 'clientCredentials' } },
  token: { staticToken: {} },
  tokenFile: { staticToken: { file: '/run/token' } },
  pair: { clientCertificate: {} },
  pairFiles: { clientCertificate: { certificateFile: '/c.pem', keyFile: '/k.pem' } },
  plugin: { execPlugin: { env: [{ name: 'A', value: '1' }, { name: 'B' }, { name: 'C' }] } },
  helper: { credentialHelper: { helper: 'pass', env: [] } },
  card: { pkcs11: { module: '/lib/p11.so', env: [] } },
  cardFile: { pkcs11: { module: '/lib/p11.so', certificate: '/me.pem', env: [] } },
  reader: { secretReader: { cluster: 'hub', namespace: 'fleet', key: 'token' } },
} as unknown as Record<string, AccountConfig>;

const states = [
  ...[
    'ready',
    'failing',
    'loginNeeded',
    'secretMissing',
    'expired',
    'interrupted',
    'locked',
    'invalid',
    'held',
  ],
];

function said(kind: string, state: string, more: Partial<AdvisedAccount> = {}): string | null {
  const config = configs[kind] as AccountConfig;
  const advice = accountAdvice({ name: 'it', state, problem: null, ...more }, config);
  return advice && adviceText(advice);
}

describe('what the user is advised to do', () => {
  it.each<[string, string, string | null, Partial<AdvisedAccount>?]>([
    ['oidc', 'loginNeeded', 'lanyard login it'],
    ['oidc', 'interrupted', 'lanyard login it'],
    ['oidc', 'ready', null],
    ['oidc', 'ready', 'lanyard login it', { byHand: true }],
    // The key of its client, on a token, doesn't sign.
    ['oidc', 'failing', 'lanyard doctor'],
    ['client', 'secretMissing', 'lanyard secret set it/clientSecret'],
    // Nothing is logged in to there.
    ['pair', 'expired', 'lanyard secret set it < FILE'],
    ['pair', 'secretMissing', 'lanyard secret set it < FILE'],
    ['pair', 'invalid', 'lanyard secret set it < FILE'],
    ['pairFiles', 'expired', 'replace /c.pem and /k.pem; Lanyard reads them again'],
    ['token', 'expired', 'lanyard secret set it/token'],
    ['token', 'secretMissing', 'lanyard secret set it/token'],
    ['tokenFile', 'expired', 'replace /run/token; Lanyard reads it again'],
    ['plugin', 'failing', 'lanyard plugin show it'],
    // `plugin show` knows no helper.
    ['helper', 'failing', 'lanyard doctor'],
    ['card', 'failing', null, { tokenIsOut: true }],
    ['reader', 'failing', 'lanyard doctor'],
    ['reader', 'invalid', 'lanyard doctor'],
    ['plugin', 'invalid', 'lanyard doctor'],
    ['card', 'loginNeeded', 'lanyard login it'],
    // `plugin show` knows no module, and nothing is set for it.
    ['card', 'failing', 'lanyard doctor'],
    ['card', 'expired', 'lanyard doctor'],
    ['card', 'invalid', 'lanyard doctor'],
    ['cardFile', 'expired', 'replace /me.pem; Lanyard reads it again'],
    ['plugin', 'secretMissing', 'lanyard secret set it/env.C', { missing: 'env.C' }],
    ['plugin', 'held', 'lanyard confirm it'],
    ['token', 'locked', 'lanyard unlock'],
  ])('%s, %s: %s', (kind, state, advice, more) => {
    expect(said(kind, state, more)).toBe(advice);
  });

  it('is a whole command line for each kind in each state', () => {
    for (const kind of Object.keys(configs)) {
      for (const state of states) {
        const text = said(kind, state);
        if (text?.startsWith('lanyard ')) {
          expect(commandFault(text.replace(' < FILE', '').split(' ').slice(1))).toBeNull();
        }
      }
    }
  });

  it('a JWK or PEM comes from a file', () => {
    const advice = secretAdvice('it', configs['client'] as AccountConfig, 'clientKey');
    expect(adviceText(advice)).toBe('lanyard secret set it/clientKey < FILE');
  });
});

import { describe, expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import type { ChainStepConfig } from '../contract/config/proxy.ts';
import { chainSteps } from '../domain/proxy/chain.ts';
import type { Credential } from '../ports/account.ts';
import { workOut } from './worked-out-chain.ts';

const base: Credential = { token: null, certificate: null, issuedAt: null, expiresAt: null };
const token = (text: string): Credential => ({ ...base, token: new Secret(text) });
const login: Credential = { ...base, password: { userName: 'ann', password: new Secret('pass:wörd') } };
const card: Credential = { ...base, certificate: { chainPem: 'PEM', keyPem: new Secret('KEY') } };

const accounts: Readonly<Record<string, Credential>> = { iap: token('iap-token'), basic: login, card };

function steps(own: Credential, ...chain: Partial<ChainStepConfig>[]) {
  const done = workOut(own, chainSteps({ chain: chain as ChainStepConfig[] }), (step) =>
    'from' in step && 'account' in step.from ? (accounts[step.from.account] ?? null) : null,
  );
  return done.ok ? done.steps : done.message;
}
const set = (name: string, value: string, secret = true) => ({ step: 'set', name, value, secret });

describe('the cluster’s own credential', () => {
  test('is a bearer token (RFC 6750), or basic authentication (RFC 7617)', () => {
    expect(steps(token('t'))).toEqual([set('Authorization', 'Bearer t')]);
    const pair = Buffer.from('ann:pass:wörd').toString('base64');
    expect(steps(login)).toEqual([set('Authorization', `Basic ${pair}`)]);
  });

  test('that is a certificate is no header', () => expect(steps(card)).toEqual([]));
});

describe('a step', () => {
  test('has a fixed value, or an account’s with its scheme, which is secret, in the order of the chain', () => {
    expect(
      steps(
        token('t'),
        { set: 'X-Pair', value: 'a b' },
        { set: 'Proxy-Authorization', account: 'iap' },
        { add: 'X-Token', account: 'iap' },
        { set: 'X-Other', account: 'iap', scheme: 'GoogleLogin' },
        { set: 'Authorization', account: 'iap', scheme: 'none' },
        { remove: 'X-Gone' },
      ),
    ).toEqual([
      set('Authorization', 'Bearer t'),
      set('X-Pair', 'a b', false),
      set('Proxy-Authorization', 'Bearer iap-token'),
      { step: 'add', name: 'X-Token', value: 'iap-token', secret: true },
      set('X-Other', 'GoogleLogin iap-token'),
      set('Authorization', 'iap-token'),
      { step: 'remove', name: 'X-Gone' },
    ]);
  });

  test('of an account with a user name is basic authentication, whatever scheme', () => {
    const pair = Buffer.from('ann:pass:wörd').toString('base64');
    expect(steps(card, { set: 'Proxy-Authorization', account: 'basic' })).toEqual([
      set('Proxy-Authorization', `Basic ${pair}`),
    ]);
  });

  test('is refused where its account has nothing for a header', () => {
    expect(steps(token('t'), { set: 'X', account: 'card' })).toMatch(
      /^card has nothing .* header X can carry/,
    );
    expect(steps(token('t'), { set: 'X', account: 'gone' })).toMatch(/^gone has nothing/);
  });

  test('impersonates as client-go does, and nobody else than it says', () => {
    const impersonate = {
      user: 'ann',
      uid: '7',
      groups: ['dev', 'ops'],
      extra: { 'example.com/scope%s': ['a', 'b'] },
    };
    const add = (name: string, value: string) => ({ step: 'add', name, value, secret: false });
    expect(steps(card, { impersonate })).toEqual([
      { step: 'removePrefix', prefix: 'Impersonate-' },
      add('Impersonate-User', 'ann'),
      add('Impersonate-Uid', '7'),
      add('Impersonate-Group', 'dev'),
      add('Impersonate-Group', 'ops'),
      add('Impersonate-Extra-example.com%2Fscope%25s', 'a'),
      add('Impersonate-Extra-example.com%2Fscope%25s', 'b'),
    ]);
  });
});

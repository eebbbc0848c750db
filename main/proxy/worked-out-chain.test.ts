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

const keys: Credential = {
  ...base,
  awsKeys: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: new Secret('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
    sessionToken: new Secret('session'),
  },
};
const now = Date.UTC(2015, 7, 30, 12, 36);
const pair = Buffer.from('ann:pass:wörd').toString('base64');

const accounts: Readonly<Record<string, Credential>> = { iap: token('iap-token'), basic: login, card, keys };

function steps(own: Credential | null, ...chain: Partial<ChainStepConfig>[]) {
  const done = workOut(
    own,
    chainSteps({ chain: chain as ChainStepConfig[] }),
    (step) => {
      const from = step.kind === 'sign' ? step : 'from' in step && 'account' in step.from ? step.from : null;
      return from && (accounts[from.account] ?? null);
    },
    now,
  );
  return done.ok ? done.steps : done.message;
}
const set = (name: string, value: string, secret = true) => ({ step: 'set', name, value, secret });

describe('the cluster’s own credential', () => {
  test('is a bearer token (RFC 6750), or basic authentication (RFC 7617)', () => {
    expect(steps(token('t'))).toEqual([set('Authorization', 'Bearer t')]);
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

describe('a step that signs', () => {
  test('has keys for three days and one service; the secret access key stays here', () => {
    const [step, ...more] = steps(keys, { sign: 'keys', service: 'iam', region: 'us-east-1' });
    expect(more).toEqual([]);
    expect(step).toMatchObject({
      step: 'signAws',
      service: 'iam',
      region: 'us-east-1',
      payload: 'hashed',
      accessKeyId: 'AKIDEXAMPLE',
      sessionToken: 'session',
    });
    expect(JSON.stringify(step)).not.toContain('wJalr');
    // AWS General Reference, "Examples of how to derive a signing key" (20150830, us-east-1, iam).
    const derived = 'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9';
    expect(step).toMatchObject({
      keys: [
        { date: '20150829' },
        { date: '20150830', key: Buffer.from(derived, 'hex').toString('base64') },
        { date: '20150831' },
      ],
    });
  });

  test('leaves the body out for VPC Lattice, which takes no other signature', () => {
    expect(steps(keys, { sign: 'keys', service: 'vpc-lattice-svcs', region: 'eu-west-1' })).toMatchObject([
      { payload: 'unsigned' },
    ]);
  });

  test('without a service is its program’s', () => {
    expect(steps(null, { sign: 'mine', credentials: true })).toEqual([
      { step: 'signProgram', signer: 'mine', payload: 'hashed', credentials: true },
    ]);
  });

  test('with an account that has no AWS keys is refused', () => {
    expect(steps(token('t'), { sign: 'iap', service: 'iam', region: 'us-east-1' })).toBe(
      'iap has no AWS keys',
    );
  });
});

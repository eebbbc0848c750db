import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadValue } from './testing/load-value.ts';

const card = { module: '/lib/p11.so' };

const load = (pkcs11: object, more: object = {}) => loadValue({ accounts: { card: { pkcs11 } }, ...more });

describe('an account whose key stays on its token', () => {
  test('has files that count from config.yaml’s folder', async () => {
    const { config, problems } = await load({ module: 'p11.so', certificate: '~/me.pem' });
    expect(problems).toEqual([]);
    expect(config?.accounts.get('card')?.config).toEqual({
      pkcs11: { module: resolve('/etc/lanyard/p11.so'), certificate: resolve('/home/u/me.pem'), env: [] },
    });
  });

  const prod = { server: 'https://prod', account: 'card' };
  test('goes to proxied clusters', async () => {
    expect((await load(card, { clusters: { prod: { ...prod, proxy: {} } } })).problems).toEqual([]);
  });

  test.each<[taker: string, more: object, problem: string]>([
    [
      'another cluster',
      { clusters: { prod } },
      'clusters.prod.account: the key of card stays on its token, so only Lanyard’s request proxy can connect with it: give the cluster proxy: {}',
    ],
    [
      'a header',
      { clusters: { prod: { ...prod, proxy: { chain: [{ set: 'A', account: 'card' }] } } } },
      'clusters.prod.proxy.chain.0.account: a header takes a token or a password; card has a certificate',
    ],
    [
      'a step that signs',
      { clusters: { prod: { ...prod, proxy: { chain: [{ sign: 'card' }] } } } },
      'clusters.prod.proxy.chain.0.sign: card can’t sign: a step that signs takes an account of kind aws, awsProcess or requestSigner',
    ],
    [
      'a registry',
      { registries: { ghcr: { matchImages: ['ghcr.io'], account: 'card' } } },
      'registries.ghcr.account: a registry takes a password or a token; card has a certificate',
    ],
    [
      'an inventory’s clusters',
      { inventories: { fleet: { files: ['/f.yaml'], providers: [{ name: 'a', account: 'card' }] } } },
      'inventories.fleet.providers.0.account: the key of card stays on its token, and clusters of an inventory don’t go through the request proxy, which alone can connect with it',
    ],
  ])('goes to no %s', async (_, more, problem) => {
    expect((await load(card, more)).problems).toEqual([`error ${problem}`]);
  });

  const asked = 'Lanyard asks for the PIN';
  test.each<[what: string, pkcs11: object, problem: string]>([
    ...['pin', 'pinValue', 'pin-value', 'pin-source'].map((key): [string, object, string] => [
      key,
      { ...card, [key]: '1234' },
      `${key}: config.yaml holds no secrets: ${asked} when you log in`,
    ]),
    [
      'a PIN in the URI',
      { ...card, uri: 'pkcs11:token=card?pin-value=1234' },
      `uri: leave pin-value out: ${asked}`,
    ],
    [
      'a URI beside a token',
      { ...card, uri: 'pkcs11:object=me', token: 'card' },
      'token: the uri says it: leave one of them out',
    ],
    [
      'a URI of another module',
      { ...card, uri: 'pkcs11:object=me?module-path=/lib/other.so' },
      'uri: leave module-path out: module says which file it is',
    ],
    ['a loader’s variable', { ...card, env: [{ name: 'LD_PRELOAD', value: 'x' }] }, 'env.0.name: makes'],
    ['no module', { token: 'card' }, 'module: is missing; expected text'],
  ])('has no %s', async (_, pkcs11, problem) => {
    const { problems } = await load(pkcs11);
    expect(problems).toEqual([expect.stringContaining(`error accounts.card.pkcs11.${problem}`)]);
    expect(problems.join()).not.toContain('1234');
  });

  test('may have the URI that names its module as well', async () => {
    const uri = 'pkcs11:object=me?module-path=/lib/p11.so';
    expect((await load({ ...card, uri })).problems).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { chainSteps, stepText } from '../domain/proxy/chain.ts';
import { usesAccount } from '../domain/target/uses-account.ts';
import { loadValue } from './testing/load-value.ts';

const accounts = {
  corp: { oidc: { issuer: 'https://id.example.com', clientId: 'kube' } },
  pair: { staticToken: {} },
  basic: { registry: { userName: 'ann' } },
  card: { clientCertificate: {} },
  alone: {
    execPlugin: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'p',
      interactiveMode: 'Never',
      share: false,
    },
  },
  reader: { secretReader: { cluster: 'hub', namespace: 'fleet' } },
  helper: { credentialHelper: { helper: 'pass' } },
  keys: { aws: { profile: 'work' } },
  sso: { awsProcess: { command: 'aws' } },
  eks: { awsEks: { account: 'keys', cluster: 'prod', region: 'eu-west-1' } },
  signer: { requestSigner: { command: 'my-signer' } },
};

async function load(proxy: unknown, cluster: object = {}) {
  const prod = { server: 'https://prod', account: 'corp', proxy, ...cluster };
  const clusters = { prod, hub: { server: 'https://hub', account: 'pair' } };
  const { config, problems } = await loadValue({ accounts, clusters });
  return { cluster: config?.clusters.get('prod')?.config, problems };
}

describe('a cluster behind the request proxy', () => {
  test('has a chain of steps, in order', async () => {
    const { cluster, problems } = await load({
      chain: [
        { set: 'CF-Access-Client-Id', value: 'id.access' },
        { set: 'CF-Access-Client-Secret', account: 'pair' },
        { set: 'Proxy-Authorization', account: 'corp', audience: 'iap' },
        { add: 'X-Basic', account: 'basic' },
        { set: 'Authorization', account: 'pair', scheme: 'none' },
        { remove: 'X-Gone' },
        { impersonate: { user: 'ann', groups: ['dev'], extra: { scopes: ['a', 'b'] } } },
      ],
    });
    expect(problems).toEqual([]);
    expect(chainSteps(cluster?.proxy ?? { chain: [] }).map(stepText)).toEqual([
      'set CF-Access-Client-Id: id.access',
      'set CF-Access-Client-Secret from pair',
      'set Proxy-Authorization from corp as Bearer for iap',
      'add X-Basic from basic',
      'set Authorization from pair',
      'remove X-Gone',
      'impersonate {"user":"ann","groups":["dev"],"extra":{"scopes":["a","b"]}}',
    ]);
    expect(cluster && usesAccount(cluster, 'pair')).toBe(true);
    expect(cluster && usesAccount(cluster, 'card')).toBe(false);
  });

  test('may have none, and a user name with its password as its account', async () => {
    expect((await load({}, { account: 'basic' })).problems).toEqual([]);
    expect((await load({}, { account: 'alone' })).problems).toEqual([
      expect.stringMatching(/account: the request proxy has one credential for all its clients/),
    ]);
    expect((await load(undefined, { account: 'alone' })).problems).toEqual([]);
    expect((await load(undefined, { account: 'basic' })).problems).toEqual([
      expect.stringMatching(/account: a cluster takes a token or a certificate; basic has the password/),
    ]);
  });

  const step = (fields: object) => ({ chain: [fields] });
  const set = (name: string, fields: object = { value: 'x' }) => step({ set: name, ...fields });
  test.each<[string, unknown, RegExp]>([
    ['an unknown key', { chains: [] }, /proxy.*chains/],
    ['a step without what it does', step({ value: 'x' }), /chain\.0: .*one of set, add, remove, impersonate/],
    [
      'two things in one step',
      step({ set: 'A', remove: 'B', value: 'x' }),
      /one thing; this one is set already/,
    ],
    ['a value and an account', set('A', { value: 'x', account: 'pair' }), /either value or account/],
    ['neither', set('A', {}), /either value or account/],
    ['a value to remove', step({ remove: 'A', value: 'x' }), /chain\.0\.value: .*goes with set and add/],
    [
      'a scheme without an account',
      set('A', { value: 'x', scheme: 'Bearer' }),
      /scheme: .*goes with account/,
    ],
    ['a line break', set('A', { value: 'x\r\nB: y' }), /plain ASCII/],
    ['a line break in a group', step({ impersonate: { user: 'a', groups: ['b\nc'] } }), /plain ASCII/],
    ['no user', step({ impersonate: { groups: ['b'] } }), /user/],
    ['a space in a name', set('A B'), /not a header’s name/],
    ['Host', set('Host'), /HTTP sets this header itself/],
    ['a length', set('content-length'), /HTTP sets this header itself/],
    ['an upgrade’s header', step({ remove: 'Sec-WebSocket-Key' }), /HTTP sets this header itself/],
    ['Impersonate-User by hand', set('Impersonate-User'), /use an impersonate step/],
    ['a credential in the file', set('Authorization'), /holds no secrets: name an account/],
    ['a secret by its name', set('CF-Access-Client-Secret'), /holds no secrets: name an account/],
    [
      'an unknown account',
      set('A', { account: 'pairs' }),
      /chain\.0\.account: there is no account pairs.*pair/,
    ],
    ['a certificate in a header', set('A', { account: 'card' }), /card has a certificate/],
    ['a reader of Secrets', set('A', { account: 'reader' }), /reader reads credentials of clusters/],
    ['a plugin for one terminal', set('A', { account: 'alone' }), /alone is for one terminal alone/],
    ['docker’s helper', set('A', { account: 'helper' }), /credential helper of docker/],
    [
      'an audience of a fixed token',
      set('A', { account: 'pair', audience: 'b' }),
      /exchanged by an oidc account/,
    ],
  ])('is refused with %s', async (_, proxy, expected) => {
    const { problems } = await load(proxy);
    expect(problems.join('\n')).toMatch(expected);
    expect(problems.every((problem) => problem.startsWith('error clusters.prod.proxy'))).toBe(true);
  });

  test('is refused where the way to the server is not TLS', async () => {
    expect((await load({}, { server: 'http://127.0.0.1:8001' })).problems).toEqual([
      'error clusters.prod.server: the request proxy reaches servers by https:// alone',
    ]);
  });
});

describe('a step that signs', () => {
  const aws = { service: 'execute-api', region: 'eu-west-1' };

  test.each([
    ['with AWS keys', [{ sign: 'keys', ...aws }], 'sign from keys as execute-api in eu-west-1, body hashed'],
    [
      'with keys of a program, for VPC Lattice',
      [{ sign: 'sso', ...aws, service: 'vpc-lattice-svcs' }],
      'sign from sso as vpc-lattice-svcs in eu-west-1, body unsigned',
    ],
    [
      'by a program, which sees credentials',
      [{ sign: 'signer', payload: 'unsigned', credentials: true }],
      'sign from signer, body unsigned, with credentials',
    ],
  ])('%s', async (_, chain, text) => {
    const { cluster, problems } = await load({ chain });
    expect(problems).toEqual([]);
    expect(chainSteps(cluster?.proxy ?? { chain: [] }).map(stepText)).toContain(text);
    const [, account = ''] = /^sign from (\w+)/.exec(text) ?? [];
    expect(cluster && usesAccount(cluster, account)).toBe(true);
  });

  test.each([
    [[{ sign: 'keys' }], 'chain.0.service: AWS keys sign for one service in one region'],
    [[{ sign: 'keys', service: 'execute-api' }], 'chain.0.region: AWS keys sign for one service'],
    [[{ sign: 'signer', ...aws }], 'chain.0.service: goes with AWS keys; signer is a program'],
    [[{ sign: 'keys', ...aws, credentials: true }], 'chain.0.credentials: goes with a program'],
    [[{ sign: 'pair' }], 'chain.0.sign: pair can’t sign'],
    [[{ sign: 'eks', ...aws }], 'chain.0.sign: eks can’t sign'],
    [[{ sign: 'gone', ...aws }], 'chain.0.sign: there is no account gone'],
    [[{ sign: 'keys', ...aws, region: 'Frankfurt' }], 'chain.0.region: expected a region'],
    [
      [{ sign: 'keys', ...aws, service: 'vpc-lattice-svcs', payload: 'hashed' }],
      'chain.0.payload: vpc-lattice-svcs takes requests with an unsigned body alone',
    ],
    [[{ sign: 'keys', ...aws }, { remove: 'X-A' }], 'chain.1: would change what is signed'],
    [
      [
        { sign: 'keys', ...aws },
        { sign: 'sso', ...aws },
      ],
      'chain.1: a request has one AWS signature',
    ],
    [Array.from({ length: 5 }, () => ({ sign: 'signer' })), 'chain: at most 4 steps may sign'],
    [[{ set: 'X-A', value: 'b', region: 'eu-west-1' }], 'chain.0.region: goes with sign'],
    [[{ set: 'X-A', account: 'keys' }], 'chain.0.account: keys signs requests'],
    [[{ set: 'X-A', account: 'eks' }], null],
  ])('%j: %s', async (chain, fault) => {
    const { problems } = await load({ chain });
    expect(problems).toEqual(fault === null ? [] : [expect.stringContaining(`clusters.prod.proxy.${fault}`)]);
  });

  test('makes keys and programs that sign enough of an account for a proxied cluster, and for no other', async () => {
    const chain = [{ sign: 'keys', ...aws }];
    expect((await load({ chain }, { account: 'keys' })).problems).toEqual([]);
    expect((await load({ chain }, { account: 'sso' })).problems).toEqual([
      expect.stringContaining('sso signs requests, and gives no other credential: add a step'),
    ]);
    expect((await load({ chain: [{ sign: 'signer' }] }, { account: 'signer' })).problems).toEqual([]);
    for (const account of ['keys', 'sso', 'signer']) {
      expect((await load(undefined, { account })).problems).toEqual([
        expect.stringContaining(`${account} signs requests, which the request proxy does`),
      ]);
    }
    expect((await load(undefined, { account: 'eks' })).problems).toEqual([]);
  });
});

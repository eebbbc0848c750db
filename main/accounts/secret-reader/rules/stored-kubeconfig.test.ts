import { beforeAll, describe, expect, test } from 'vitest';
import {
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../../test/support/certificates.ts';
import { Secret } from '../../../base/secret.ts';
import { readStoredKubeconfig } from './stored-kubeconfig.ts';

let ca: string;
let client: IssuedCertificate;
let other: IssuedCertificate;

beforeAll(async () => {
  const made = await createCa('spoke');
  ca = made.certificatePem;
  [client, other] = await Promise.all([
    issueClientCertificate(made, { commonName: 'admin' }),
    issueClientCertificate(made, { commonName: 'subject-canary' }),
  ]);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

const pair = (certificate: string, key: string) => ({
  'client-certificate-data': base64(certificate),
  'client-key-data': base64(key),
});

interface Parts {
  user?: object;
  cluster?: object;
  context?: object;
  root?: object;
}

function kubeconfig({ user = { token: 'token-canary' }, cluster = {}, context = {}, root = {} }: Parts = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...context } }],
    'current-context': 'x',
    ...root,
  };
}

const read = (value: unknown, context: string | null = null) =>
  readStoredKubeconfig(new Secret(typeof value === 'string' ? value : JSON.stringify(value)), context);

describe('a stored kubeconfig', () => {
  test('gives its current context’s token and cluster, as JSON and as YAML', () => {
    const yaml = `apiVersion: v1
kind: Config
current-context: x
preferences: {}
contexts:
- name: x
  context: {cluster: c, user: u, namespace: other}
clusters:
- name: c
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority-data: ${base64(ca)}
    tls-server-name: api
    proxy-url: http://proxy:3128
users:
- name: u
  user:
    exec: null
    token: token-canary
`;
    const found = read(yaml);
    expect(found).toMatchObject({
      ok: true,
      context: {
        cluster: {
          server: 'https://10.0.0.1:6443',
          certificateAuthorityPem: ca,
          tlsServerName: 'api',
          proxyUrl: 'http://proxy:3128',
          insecureSkipTlsVerify: false,
        },
        certificate: null,
      },
    });
    expect(found.ok && found.context.token?.reveal()).toBe('token-canary');
    const plain = read(kubeconfig({ cluster: { 'insecure-skip-tls-verify': true } }));
    expect(plain).toMatchObject({
      ok: true,
      context: { cluster: { insecureSkipTlsVerify: true, certificateAuthorityPem: null } },
    });
  });

  test('gives a certificate with its key, also beside a token', () => {
    const found = read(kubeconfig({ user: { token: 't', ...pair(client.chainPem, client.keyPem) } }));
    expect(found).toMatchObject({ ok: true, context: { certificate: { chainPem: client.chainPem } } });
    expect(found.ok && found.context.certificate?.keyPem.reveal()).toBe(client.keyPem);
  });

  test('gives the context that is asked for', () => {
    const users = [
      { name: 'u', user: { exec: { command: 'never' } } },
      { name: 'v', user: { token: 'second' } },
    ];
    const contexts = [
      { name: 'x', context: { cluster: 'c', user: 'u' } },
      { name: 'y', context: { cluster: 'c', user: 'v' } },
    ];
    const two = kubeconfig({ root: { users, contexts } });
    const found = read(two, 'y');
    expect(found.ok && found.context.token?.reveal()).toBe('second');
    expect(read(two, 'z')).toMatchObject({ fault: expect.stringMatching(/not exactly one context/) });
  });

  const extensions = [{ name: 'canary', extension: {} }];
  const half = () => ({ 'client-certificate-data': base64(client.chainPem) });

  const user = (of: object) => () => ({ user: of });
  const beside = (of: object) => user({ token: 't', ...of });
  const cluster = (of: object) => () => ({ cluster: of });
  const root = (of: object) => () => ({ root: of });
  const twoUsers = ['a', 'b'].map((token) => ({ name: 'u', user: { token } }));
  const file = /names a file with the cert/;
  test.each<[string, () => unknown, RegExp]>([
    ['exec', beside({ exec: { command: 'canary' } }), /a program to run \(exec\)/],
    ['auth-provider', user({ 'auth-provider': { name: 'canary' } }), /auth-provider/],
    ['tokenFile', beside({ tokenFile: '/canary' }), /\(tokenFile\)/],
    ['a certificate’s file', user({ 'client-certificate': '/canary' }), file],
    ['a key’s file', () => ({ user: { ...half(), 'client-key': '/canary' } }), file],
    ['a user name', beside({ username: 'canary' }), /a user name or password/],
    ['a password', beside({ password: 'canary' }), /a user name or password/],
    ['as', beside({ as: 'canary' }), /impersonation/],
    ['as-uid', beside({ 'as-uid': 'canary' }), /impersonation/],
    ['as-groups', beside({ 'as-groups': ['canary'] }), /impersonation/],
    ['as-user-extra', beside({ 'as-user-extra': { canary: ['a'] } }), /impersonation/],
    ['extensions of the user', beside({ extensions }), /has extensions/],
    ['extensions of the cluster', cluster({ extensions }), /has extensions/],
    ['extensions of the context', () => ({ context: { extensions } }), /has extensions/],
    ['its own extensions', root({ extensions }), /has extensions/],
    ['a CA’s file', cluster({ 'certificate-authority': '/canary' }), /names a file with the CA/],
    [
      'a CA that is not base64',
      cluster({ 'certificate-authority-data': '!canary' }),
      /certificate-authority-data that is not base64/,
    ],
    ['nothing', user({}), /neither a token nor a client certificate/],
    ['half a pair', () => ({ user: half() }), /only one of client-certificate-data/],
    [
      'a certificate that is not base64',
      user({ 'client-certificate-data': '!canary', 'client-key-data': 'YQ==' }),
      /client-certificate-data that is not base64/,
    ],
    ['a certificate that is no PEM', user(pair('canary', 'canary')), /without a certificate/],
    ['no key in the data', () => ({ user: pair(client.chainPem, 'canary') }), /without a private key/],
    [
      'another’s key',
      () => ({ user: pair(other.chainPem, client.keyPem) }),
      /is not its client certificate’s/,
    ],
    ['no current context', root({ 'current-context': '' }), /has no current-context/],
    ['a context that isn’t there', root({ 'current-context': 'canary' }), /one context of the name/],
    ['a cluster that isn’t there', () => ({ context: { cluster: 'canary' } }), /one cluster of the name/],
    ['a user that isn’t there', () => ({ context: { user: 'canary' } }), /one user of the name/],
    ['two users of one name', root({ users: twoUsers }), /one user of the name/],
    ['another kind', root({ kind: 'Canary' }), /expected apiVersion v1 and kind Config/],
    ['another version', root({ apiVersion: 'v2' }), /expected apiVersion v1 and kind Config/],
    ['a value of another type', user({ token: { canary: 1 } }), /of another type/],
  ])('with %s is refused, with nothing of it in the sentence', (_, parts, fault) => {
    const found = read(kubeconfig(parts() as Parts));
    expect(found).toEqual({ ok: false, fault: expect.stringMatching(fault) });
    expect(JSON.stringify(found)).not.toContain('canary');
  });

  test.each<[string, string, RegExp]>([
    ['no text', '', /has no current-context/],
    ['no YAML', 'a: [canary', /can’t be read/],
    ['half of JSON', '{"users": "canary', /can’t be read/],
    ['a list', '[canary]', /of another type/],
    ['a word', 'canary', /of another type/],
    ['a megabyte', `# ${'canary'.repeat(100_000)}`, /larger than 256 KiB/],
    ['many marks', '- '.repeat(10_000), /can’t be read: yaml: it is too large or too intricate/],
    ['aliases without end', 'a: &a [*a, *a]', /can’t be read/],
  ])('that is %s is refused', (_, text, fault) => {
    const found = read(text);
    expect(found).toEqual({ ok: false, fault: expect.stringMatching(fault) });
    expect(JSON.stringify(found)).not.toContain('canary');
  });
});

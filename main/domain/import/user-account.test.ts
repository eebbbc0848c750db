import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../test/support/certificates.ts';
import { Secret } from '../../base/secret.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import type { KubeUser } from './kubeconfig.ts';
import { authProvider, kubeExec, kubeUser } from './testing/kube.ts';
import { type UserAccountOptions, userAccount } from './user-account.ts';

let ca: CertificateAuthority;
let alice: IssuedCertificate;
let bob: IssuedCertificate;

beforeAll(async () => {
  ca = await createCa('Cluster CA');
  alice = await issueClientCertificate(ca, { commonName: 'alice' });
  bob = await issueClientCertificate(ca, { commonName: 'bob' });
});

function make(fields: Partial<KubeUser>, options: Partial<UserAccountOptions> = {}) {
  return userAccount(kubeUser('me', fields), {
    authorityFiles: new Map(),
    homeDirectory: '/home/me',
    now: Date.now(),
    inPlace: false,
    searchPath: '/usr/bin:/bin',
    programOf: () => null,
    ...options,
  });
}

const certificate = (pem: string, path: string | null = null) => ({ path, ok: true as const, pem });
const key = (pem: string, path: string | null = null) => ({ path, ok: true as const, pem: new Secret(pem) });
const pair = () => ({ clientCertificate: certificate(alice.chainPem), clientKey: key(alice.keyPem) });

test('a token goes to the vault, without the white space around it', () => {
  const made = make({ token: new Secret(' abc\n') });
  expect(made).toMatchObject({ ok: true, value: { staticToken: {} }, needsLogin: false, notes: [] });
  expect(made.ok && made.secrets['token']?.reveal()).toBe('abc');
});

test('a token that says it has expired is taken, and said', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = new Secret(`${part({ alg: 'RS256' })}.${part({ exp: 1_700_000_000 })}.c2ln`);
  const made = make({ token });
  expect(made.ok && made.notes).toEqual([expect.stringMatching(/^its token expired at \d{1,2} Nov 2023$/)]);
  expect(make({ token }, { now: 1_699_999_999_999 })).toMatchObject({ notes: [] });
});

test('a token file stays a file', () => {
  expect(make({ tokenFile: { path: '/run/token', ok: true, content: new Secret('abc') } })).toMatchObject({
    value: { staticToken: { file: '/run/token' } },
    secrets: {},
    notes: ['the token stays in its file /run/token, and is read again when that changes'],
  });
});

describe('a client certificate', () => {
  test('as data goes to the vault with its key', () => {
    const made = make(pair());
    expect(made).toMatchObject({ ok: true, value: { clientCertificate: {} }, notes: [] });
    expect(made.ok && made.secrets['certificate']?.reveal().trim()).toBe(alice.certificatePem.trim());
    expect(made.ok && made.secrets['key']?.reveal().trim()).toBe(alice.keyPem.trim());
  });

  test('in files stays in its files: other programs renew them there', () => {
    const files = {
      clientCertificate: certificate(alice.chainPem, '/c.crt'),
      clientKey: key(alice.keyPem, '/c.key'),
    };
    expect(make(files)).toMatchObject({
      value: { clientCertificate: { certificateFile: '/c.crt', keyFile: '/c.key' } },
      secrets: {},
      notes: ['the key stays in its file /c.key: what made it may renew it there (minikube does)'],
    });
  });

  test.each([
    ['/c.crt', null],
    [null, '/c.key'],
  ])('half in a file (%s, %s) goes to the vault as a whole', (certificatePath, keyPath) => {
    const made = make({
      clientCertificate: certificate(alice.chainPem, certificatePath),
      clientKey: key(alice.keyPem, keyPath),
    });
    expect(made).toMatchObject({ ok: true, value: { clientCertificate: {} } });
    expect(made.ok && Object.keys(made.secrets)).toEqual(['certificate', 'key']);
    expect(made.ok && made.notes).toEqual([
      `${certificatePath ?? keyPath} is copied into the vault: later changes there are not followed`,
    ]);
  });

  test('that has expired is taken, and said', () => {
    const made = make(pair(), { now: alice.notAfter.getTime() });
    expect(made.ok && made.notes).toEqual([
      `the certificate “alice” expired at ${clockText(alice.notAfter.getTime())}`,
    ]);
    expect(make(pair(), { now: alice.notAfter.getTime() - 1 })).toMatchObject({ notes: [] });
  });

  test('beside a user name and password counts alone', () => {
    const made = make({ ...pair(), username: 'u', password: new Secret('p') });
    expect(made.ok && made.notes).toEqual([
      'its user name and password are dropped: no server takes them any more',
    ]);
  });
});

describe('what stays as it is, and why', () => {
  const withKey = (clientKey: () => KubeUser['clientKey']) => () => ({ ...pair(), clientKey: clientKey() });
  const expectLeft = (fields: Partial<KubeUser>, left: string) => {
    const made = make(fields);
    expect(made).toEqual({ ok: false, left });
    expect(JSON.stringify(made)).not.toContain('canary');
  };
  test.each<[string, () => Partial<KubeUser>]>([
    ['it says nothing that authenticates', () => ({})],
    ['it runs Lanyard already', () => ({ exec: kubeExec('/x/bin/lanyard', ['kube-credential']) })],
    [
      'its arguments hold --secret: who looks at running programs sees them. Put it into env, where the plugin takes it from there; then import again',
      () => ({ exec: kubeExec('aws', ['eks', 'get-token', '--secret', 'canary']) }),
    ],
    [
      'it has a user name and password, which no Kubernetes server takes since 1.19',
      () => ({ username: 'canary', password: new Secret('canary') }),
    ],
    [
      'kubectl refuses it: it has a token beside a user name and password',
      () => ({ token: new Secret('canary'), username: 'canary' }),
    ],
    [
      'kubectl sends its client certificate and a token together, and the server chooses; an account holds one of them',
      () => ({ ...pair(), token: new Secret('canary') }),
    ],
    [
      'it impersonates another user (as), which the managed kubeconfig can’t say; --in-place keeps it, or the request proxy does it: lanyard cluster add NAME --server URL --account ACCOUNT --proxy-impersonate USER',
      () => ({ token: new Secret('canary'), impersonates: true }),
    ],
    [
      'its token has more than one line: expected the token alone',
      () => ({ token: new Secret('canary\ncanary') }),
    ],
    [
      'its token can’t be read: /run/token does not exist',
      () => ({ tokenFile: { path: '/run/token', ok: false, fault: '/run/token does not exist' } }),
    ],
    [
      'its token file /run/token has spaces or characters that no token has: expected the token alone',
      () => ({ tokenFile: { path: '/run/token', ok: true, content: new Secret('canary canary') } }),
    ],
    [
      'its client certificate can’t be read: its data is not base64',
      () => ({
        ...pair(),
        clientCertificate: { path: null, ok: false, fault: 'its data is not base64' },
      }),
    ],
    [
      'its key can’t be read: /c.key does not exist',
      withKey(() => ({ path: '/c.key', ok: false, fault: '/c.key does not exist' })),
    ],
    ['/c.key holds no private key: expected PEM', withKey(() => key('canary', '/c.key'))],
    [
      'the private key in client-key-data is not that of the certificate “alice” in client-certificate-data',
      withKey(() => key(bob.keyPem)),
    ],
  ])('%s', (reason, fields) => {
    expectLeft(fields(), reason);
  });

  test.each([
    [
      'auth-provider gcp: kubectl knows it no more since 1.26: install gke-gcloud-auth-plugin, and run gcloud container clusters get-credentials again',
      authProvider('gcp', { 'access-token': 'canary' }),
    ],
    [
      'auth-provider azure: kubectl knows it no more since 1.26: Azure’s kubelogin replaces it (kubelogin convert-kubeconfig)',
      authProvider('azure', { 'refresh-token': 'canary' }),
    ],
    [
      'auth-provider openstack: kubectl knows it no more: an exec plugin, client-keystone-auth, replaces it',
      authProvider('openstack'),
    ],
    ['auth-provider constructor is not one that Lanyard knows', authProvider('constructor')],
    ['it names no issuer of its provider', authProvider('oidc', { 'client-id': 'k' })],
    [
      'it names no client id of its provider',
      authProvider('oidc', { 'idp-issuer-url': 'https://id.example' }),
    ],
  ])('KEP-541/legacy-auth-provider: %s', (reason, provider) => {
    expectLeft({ authProvider: provider }, reason);
  });

  test('in place, impersonation and unknown keys stay in the file, and are named', () => {
    const made = make(
      { token: new Secret('t'), impersonates: true, unknownKeys: ['colour'] },
      { inPlace: true },
    );
    expect(made.ok && made.notes).toEqual([
      'it goes on impersonating another user: as stays in the file',
      'unknown keys stay in the file: colour',
    ]);
  });
});

describe('KEP-541/legacy-auth-provider: the legacy oidc provider becomes an account', () => {
  const said = { 'idp-issuer-url': 'https://id.example.com', 'client-id': 'kubernetes' };
  const oidcOf = (config: Record<string, string>, options: Partial<UserAccountOptions> = {}) =>
    make({ authProvider: authProvider('oidc', { ...said, ...config }) }, options);

  test('its secret goes to the vault, its tokens are not taken', () => {
    const made = oidcOf({ 'client-secret': 'canary-1', 'id-token': 'canary-2', 'refresh-token': 'canary-3' });
    const scopes = ['openid', 'offline_access'];
    const oidc = { issuer: 'https://id.example.com', clientId: 'kubernetes', scopes };
    expect(made).toMatchObject({ value: { oidc }, needsLogin: true });
    expect(made.ok && Object.entries(made.secrets).map(([part, secret]) => [part, secret.reveal()])).toEqual([
      ['clientSecret', 'canary-1'],
    ]);
    expect(made.ok && made.notes[0]).toContain('cached tokens are not taken');
    expect(made.ok && made.notes[1]).toContain('http://127.0.0.1/callback/');
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  test('extra scopes are asked for; Google has no offline_access', () => {
    expect(oidcOf({ 'extra-scopes': 'groups, email' })).toMatchObject({
      value: { oidc: { scopes: ['openid', 'offline_access', 'groups', 'email'] } },
    });
    expect(oidcOf({ 'idp-issuer-url': 'https://accounts.google.com' })).toMatchObject({
      value: { oidc: { scopes: ['openid'], extraParams: { access_type: 'offline', prompt: 'consent' } } },
    });
  });

  test('its CA: data before a file, a file stays a file', () => {
    const authority = resolve('/ca.pem');
    const data = Buffer.from(`# ours\n${ca.certificatePem}`).toString('base64');
    const authorityFiles = new Map([
      [authority, { path: authority, ok: true as const, content: ca.certificatePem }],
    ]);
    const both = oidcOf(
      { 'idp-certificate-authority': authority, 'idp-certificate-authority-data': data },
      { authorityFiles },
    );
    expect(both).toMatchObject({ value: { oidc: { certificateAuthorityData: expect.any(String) } } });
    expect(both.ok && both.value).not.toHaveProperty('oidc.certificateAuthority');
    expect(both.ok && both.authorityPem).not.toContain('ours');
    expect(oidcOf({ 'idp-certificate-authority': authority }, { authorityFiles })).toMatchObject({
      value: { oidc: { certificateAuthority: authority } },
    });
    expect(oidcOf({ 'idp-certificate-authority': '/gone.pem' }, { authorityFiles })).toEqual({
      ok: false,
      left: `its provider’s CA can’t be read: ${resolve('/gone.pem')}`,
    });
  });
});

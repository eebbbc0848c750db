import { expect, it } from 'vitest';
import type { AccountStatus, ClusterStatus, Status } from '../../../access/status.ts';
import { aClusterStatus, anAccountStatus } from '../../../access/testing/a-status.ts';
import type { CachedCredential } from '../../../grants/grants.ts';
import { cachedCredential } from '../../../grants/testing/cached-credential.ts';
import type { LoadedCluster } from '../../../ports/config-store.ts';
import { clusterViews } from './cluster-views.ts';

interface Given {
  account?: Partial<AccountStatus> | null;
  cluster?: Partial<ClusterStatus>;
  config?: Partial<LoadedCluster['config']>;
  held?: Partial<CachedCredential>[];
  origin?: LoadedCluster['origin'];
}

function viewed({ account = {}, cluster = {}, config = {}, held = [], origin }: Given = {}) {
  const seeded: (readonly string[])[] = [];
  const marks: unknown[] = [];
  const status = {
    accounts: account === null ? [] : [anAccountStatus('corp', account)],
    clusters: [aClusterStatus('prod', { server: 'https://1', pending: true, ...cluster })],
  } as unknown as Status;
  const loaded = { name: 'prod', config: { server: 'https://1', account: 'corp', ...config }, origin };
  const [view] = clusterViews(status, {
    config: {
      current: () =>
        ({
          clusters: new Map([['prod', loaded as LoadedCluster]]),
          settings: { appearance: { theme: 'system', colors: [{ match: 'env=prod', color: 'red' }] } },
        }) as never,
    },
    grants: {
      overview: () => held.map((each) => cachedCredential(each)),
    },
    contextOf: () => null,
    recent: {
      seed: (names) => void seeded.push(names),
      lastCall: () => null,
      laneVersion: (of) => {
        marks.push(of);
        return 17;
      },
    },
  });
  return { view, seeded, marks };
}

it('tells its credential, its calls and its timeline, and no secret', () => {
  const { view, seeded, marks } = viewed({
    config: { audience: 'prod', approval: 'perTerminal' },
    held: [{ audience: 'prod' }],
  });
  expect(view).toEqual({
    name: 'prod',
    displayName: null,
    aliases: [],
    labels: {},
    mark: null,
    nameMark: null,
    server: 'https://1',
    origin: null,
    account: 'corp',
    kind: 'oidc',
    state: 'ready',
    isPending: true,
    problem: null,
    credential: { kind: 'token', issuedAt: 1, expiresAt: 9, renewsAt: 8, trouble: null, generation: 4 },
    byHand: false,
    audience: 'prod',
    approval: 'perTerminal',
    isInsecure: false,
    isProxied: false,
    context: null,
    lastCall: null,
    laneVersion: 17,
  });
  expect(seeded).toEqual([['prod']]);
  expect(marks).toEqual([{ name: 'prod', account: 'corp', audience: 'prod' }]);
  expect(JSON.stringify(view)).not.toContain('canary');
});

it('says that the server’s certificate isn’t verified', () => {
  expect(viewed({ config: { insecureSkipTlsVerify: true } }).view).toMatchObject({ isInsecure: true });
});

it('plans no renewal for a login without a refresh token', () => {
  const { view } = viewed({ account: { byHand: true, problem: 'no refresh token' }, held: [{}] });
  expect(view).toMatchObject({ byHand: true, credential: { expiresAt: 9, renewsAt: null } });
});

it.each<[string, Given, object | null]>([
  [
    'of an account that keeps its token',
    { account: { expiresAt: 5 }, cluster: { expiresAt: 5 } },
    { expiresAt: 5 },
  ],
  [
    'of a certificate without an end',
    { account: { kind: 'clientCertificate' } },
    { kind: 'certificate', expiresAt: null },
  ],
  [
    'of a certificate on a token',
    { account: { kind: 'pkcs11', expiresAt: 5, byHand: true }, cluster: { expiresAt: 5 } },
    { kind: 'certificate', expiresAt: 5 },
  ],
  ['but nothing of an account that holds none', {}, null],
  ['but nothing of a plugin', { account: { kind: 'execPlugin' }, cluster: { expiresAt: 5 } }, null],
  ['but nothing for an audience', { config: { audience: 'x' }, cluster: { expiresAt: 5 } }, null],
  [
    'but nothing of one that needs a login',
    { account: { state: 'loginNeeded' }, cluster: { expiresAt: 5 } },
    null,
  ],
])('tells before anybody asked what is kept, %s', (_, given, expected) => {
  const { view } = viewed(given);
  if (expected === null) {
    expect(view?.credential).toBeNull();
  } else {
    expect(view?.credential).toMatchObject({ ...expected, renewsAt: null, generation: 0 });
  }
});

it.each<[string, Given, string, string | null]>([
  ['all is well', {}, 'ready', null],
  [
    'what it holds could not be renewed, though its account is well',
    { held: [{ trouble: 'could not be renewed: the plugin ended with 1' }] },
    'ready',
    'It could not be renewed: the plugin ended with 1.',
  ],
  [
    'the token for its audience could not be had',
    { cluster: { problem: 'the token for x could not be renewed: no exchange' } },
    'ready',
    'The token for x could not be renewed: no exchange.',
  ],
  ['Lanyard is locked', { cluster: { state: 'locked', problem: 'x' } }, 'locked', null],
  [
    'nobody is logged in',
    { account: { state: 'loginNeeded' }, cluster: { state: 'loginNeeded' } },
    'loginNeeded',
    'Not logged in to corp.',
  ],
  [
    'the login ended',
    { account: { state: 'loginNeeded', problem: 'the session ended' }, cluster: { state: 'loginNeeded' } },
    'loginNeeded',
    'corp needs a login: the session ended.',
  ],
  [
    'a renewal was interrupted',
    { cluster: { state: 'interrupted' } },
    'interrupted',
    'The last renewal of corp was interrupted. Log in again.',
  ],
  [
    'its secret is not there',
    { cluster: { state: 'secretMissing' } },
    'secretMissing',
    'corp has no secret yet: set it.',
  ],
  ['it waits for a word', { cluster: { state: 'held' } }, 'held', 'It is pending approval.'],
  [
    'its plugin fails',
    { account: { kind: 'execPlugin', problem: 'exit 1' }, cluster: { state: 'failing' } },
    'failing',
    'The plugin of corp failed: exit 1. It is tried again when a program asks.',
  ],
  [
    'its provider fails',
    { account: { problem: 'could not be renewed: no answer' }, cluster: { state: 'failing' } },
    'failing',
    'It could not be renewed: no answer. It is tried again when a program asks.',
  ],
  [
    'its token was taken out',
    {
      account: { kind: 'pkcs11', problem: 'the token work of corp was taken out' },
      cluster: { state: 'failing' },
    },
    'failing',
    'The token work of corp was taken out. It is tried again when a program asks.',
  ],
  [
    'its token got a wrong PIN',
    { account: { kind: 'pkcs11', problem: 'corp: the PIN is wrong' }, cluster: { state: 'loginNeeded' } },
    'loginNeeded',
    'corp: the PIN is wrong.',
  ],
  [
    'its token’s certificate has expired',
    {
      account: { kind: 'pkcs11', problem: 'the certificate of corp expired at 14:31' },
      cluster: { state: 'expired' },
    },
    'expired',
    'The certificate of corp expired at 14:31: put the renewed one on the token.',
  ],
  [
    'its account is broken',
    { cluster: { state: 'invalid' } },
    'invalid',
    'corp can’t be used. Fix it in config.yaml.',
  ],
  [
    'the server rejects it',
    { cluster: { state: 'rejecting', problem: 'it rejects credentials with 401 since 14:31' } },
    'rejecting',
    'The server refuses it: it rejects credentials with 401 since 14:31. Whoever runs the cluster can say why corp is not let in.',
  ],
  [
    'its account isn’t there',
    { account: null, cluster: { state: 'unknownAccount' } },
    'unknownAccount',
    'config.yaml has no account corp: add one of that name, or give the cluster another.',
  ],
])('says what is wrong where %s', (_, given, state, problem) => {
  expect(viewed(given).view).toMatchObject({ state, problem });
});

it('names the profile that a cluster is of, and none for one of config.yaml', () => {
  const profile = { inventory: 'fleet', namespace: 'team', name: 'eu' };
  expect(viewed({ origin: { ...profile, uid: 'u1', provider: 'corp' } }).view?.origin).toEqual(profile);
  expect(viewed().view?.origin).toBeNull();
});

it('tells what the user calls it, and its colour by their rules', () => {
  const labels = { env: 'prod' };
  const named = { displayName: 'Прод', aliases: ['p'], labels };
  const { view } = viewed({ config: named });
  expect(view).toMatchObject({
    ...{ displayName: 'Прод', aliases: ['p'] },
    mark: { color: 'red', text: 'prod' },
    // A question shows this one: a label needs no approval.
    nameMark: null,
  });
  expect(viewed({}).view?.mark).toBeNull();
});

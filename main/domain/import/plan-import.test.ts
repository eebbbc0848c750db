import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import {
  type CertificateAuthority,
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../test/support/certificates.ts';
import { Secret } from '../../base/secret.ts';
import { loadConfigText } from '../../config/load.ts';
import { parseCertificates } from '../credential/certificate-set.ts';
import type { LoadedEntries } from '../loaded-config.ts';
import { noEntries } from '../testing/no-entries.ts';
import type { ImportPlan } from './import-plan.ts';
import { importedBefore, withImported } from './imported-before.ts';
import type { KubeUser, MergedKubeconfig } from './kubeconfig.ts';
import { countGivenSecrets } from './plain-secrets.ts';
import { type ImportOptions, planImport } from './plan-import.ts';
import {
  authProvider,
  importOptions,
  kubeCluster,
  kubeContext,
  kubeconfig,
  kubeExec,
  kubeUser,
} from './testing/kube.ts';

let ca: CertificateAuthority;
let otherCa: CertificateAuthority;
let alice: IssuedCertificate;

beforeAll(async () => {
  ca = await createCa('Cluster CA');
  otherCa = await createCa('Other CA');
  alice = await issueClientCertificate(ca, { commonName: 'alice' });
});

const token = (value = 'canary-token') => ({ token: new Secret(value) });
const certificateOf = (issued = alice): Partial<KubeUser> => ({
  clientCertificate: { path: null, ok: true, pem: issued.chainPem },
  clientKey: { path: null, ok: true, pem: new Secret(issued.keyPem) },
});
const authority = (of = ca) => ({ path: null, ok: true as const, pem: of.certificatePem });
const kubelogin = (...flags: string[]) => ({
  exec: kubeExec('kubectl', [
    'oidc-login',
    'get-token',
    '--oidc-issuer-url=https://id.example.com',
    '--oidc-client-id=k',
    ...flags,
  ]),
});
const vaultToken = { path: '/home/me/.vault-token', ok: true as const, content: new Secret('t') };
const fromFile = { tokenFile: vaultToken };
const plan = (merged: MergedKubeconfig, options: Partial<ImportOptions> = {}) =>
  planImport(importOptions(merged, options));
const accountsOf = ({ users }: ImportPlan) =>
  Object.fromEntries(
    users.map(({ user, becomes }) => [user, 'left' in becomes ? becomes.left : becomes.account]),
  );
const clustersOf = ({ clusters }: ImportPlan) =>
  Object.fromEntries(
    clusters.map(({ context, becomes }) => [context, 'left' in becomes ? becomes.left : becomes.cluster]),
  );

/** What config.yaml and the vault hold once `of` is done. */
async function done(
  of: ImportPlan,
  before: { config: LoadedEntries; secrets: ImportOptions['secrets'] } = {
    config: noEntries,
    secrets: {},
  },
) {
  const secrets: Record<string, Record<string, Secret>> = { ...before.secrets };
  const accounts: Record<string, unknown> = {};
  const clusters: Record<string, unknown> = {};
  for (const { name, config } of before.config.accounts.values()) {
    accounts[name] = config;
  }
  for (const { name, config } of before.config.clusters.values()) {
    clusters[name] = config;
  }
  for (const { becomes } of of.users) {
    if (!('left' in becomes)) {
      accounts[becomes.account] = becomes.value;
      secrets[becomes.account] = { ...secrets[becomes.account], ...becomes.secrets };
    }
  }
  for (const { becomes } of of.clusters) {
    if (!('left' in becomes)) {
      clusters[becomes.cluster] = becomes.value;
    }
  }
  const { config, problems } = await loadConfigText(stringify({ version: 1, accounts, clusters }), {
    file: '/home/me/config.yaml',
    homeDirectory: '/home/me',
    readCertificates: parseCertificates,
  });
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { config: config ?? noEntries, secrets };
}

describe('a second import of the same', () => {
  const everything = () =>
    kubeconfig(
      [
        kubeUser('bot', token()),
        kubeUser('my bot', token('canary-2')),
        kubeUser('my-bot', token('canary-3')),
        kubeUser('alice', certificateOf()),
        kubeUser('corp', kubelogin('--oidc-client-secret=canary', '--oidc-extra-scope=groups')),
        kubeUser('corp too', kubelogin('--oidc-extra-scope=groups')),
        kubeUser('legacy', {
          authProvider: authProvider('oidc', {
            'idp-issuer-url': 'https://old.example.com',
            'client-id': 'k',
          }),
        }),
        kubeUser('file', {
          tokenFile: { path: resolve('/run/token'), ok: true, content: new Secret('canary') },
        }),
        kubeUser('eks', { exec: kubeExec('aws', ['--cluster', 'a'], { TOKEN: 'canary', AWS_PROFILE: 'p' }) }),
        kubeUser('eks too', {
          exec: kubeExec('aws', ['--cluster', 'a'], { TOKEN: 'canary', AWS_PROFILE: 'p' }),
        }),
        kubeUser('eks other', {
          exec: kubeExec('aws', ['--cluster', 'a'], { TOKEN: 'canary-2', AWS_PROFILE: 'p' }),
        }),
        kubeUser('told', { exec: { ...kubeExec('/opt/told'), provideClusterInfo: true } }),
      ],
      [
        kubeCluster('told', { execConfig: { ok: true, value: { audience: 'kube' } } }),
        kubeCluster('bot', { certificateAuthority: authority() }),
        kubeCluster('alice', { certificateAuthority: authority(otherCa), tlsServerName: 'API.example.com' }),
        kubeCluster('one', { insecureSkipTlsVerify: true, proxyUrl: 'http://proxy:80/' }),
      ],
      [
        kubeContext('bot', 'bot', 'bot'),
        kubeContext('bot@spaced out', 'bot', 'bot', 'a'),
        kubeContext('bot@spaced-out', 'bot', 'bot', 'b'),
        ...[
          ...['my bot', 'my-bot', 'alice', 'corp', 'corp too', 'legacy', 'file'],
          ...['eks', 'eks too', 'eks other', 'told'],
        ].map((name) => ({
          name,
          user: name,
          cluster: name === 'alice' || name === 'told' ? name : 'one',
        })),
      ],
    );

  test('plans nothing new and asks nothing', async () => {
    const first = plan(everything());
    expect(accountsOf(first)).toEqual({
      bot: 'bot',
      'my bot': 'my-bot',
      'my-bot': 'my-bot-2',
      alice: 'alice',
      corp: 'corp',
      'corp too': 'corp-too',
      legacy: 'legacy',
      file: 'file',
      eks: 'eks',
      'eks too': 'eks',
      'eks other': 'eks-other',
      told: 'told',
    });
    const after = await done(first);
    const second = plan(everything(), after);
    expect(accountsOf(second)).toEqual(accountsOf(first));
    expect(clustersOf(second)).toEqual(clustersOf(first));
    const became = [...second.users, ...second.clusters].map(({ becomes }) => becomes);
    expect(became.filter((each) => 'left' in each || !each.exists)).toEqual([]);
    expect(second.users.filter(({ becomes }) => 'next' in becomes && becomes.next !== null)).toEqual([]);
    expect(second.questions).toEqual([]);
  });

  test('nor in another order, nor of a part', async () => {
    const first = plan(everything());
    const after = await done(first);
    const turned = everything();
    const reversed: MergedKubeconfig = {
      ...turned,
      users: new Map([...turned.users].reverse()),
      contexts: new Map([...turned.contexts].reverse()),
    };
    const second = plan(reversed, after);
    expect(accountsOf(second)).toEqual(accountsOf(first));
    expect(second.clusters.filter(({ becomes }) => 'left' in becomes || !becomes.exists)).toEqual([]);
    const part = plan(everything(), { ...after, contexts: ['bot@spaced-out', 'corp'] });
    expect(part.clusters.map(({ becomes }) => 'exists' in becomes && becomes.exists)).toEqual([true, true]);
  });

  test('nor where the user has added policy, a hint or a client’s secret since', async () => {
    const merged = kubeconfig([kubeUser('corp', kubelogin())]);
    const { config, secrets } = await done(plan(merged));
    const [account, cluster] = [config.accounts.get('corp'), config.clusters.get('corp')];
    if (!account || !('oidc' in account.config) || !cluster) {
      throw new Error('expected corp');
    }
    account.config.oidc.loginHint = 'me';
    cluster.config.approval = 'always';
    const second = plan(merged, { config, secrets: { ...secrets, corp: { clientSecret: new Secret('x') } } });
    const there = { becomes: { exists: true } };
    expect([...second.users, ...second.clusters]).toMatchObject([there, there]);
  });

  test('but a new token is a new account, and its cluster a new cluster', async () => {
    const after = await done(plan(kubeconfig([kubeUser('bot', token('old'))])));
    const second = plan(kubeconfig([kubeUser('bot', token('new'))]), after);
    expect(accountsOf(second)).toEqual({ bot: 'bot-2' });
    expect(clustersOf(second)).toEqual({ bot: 'bot-2' });
    const third = plan(kubeconfig([kubeUser('bot', token('new'))]), await done(second, after));
    expect([...third.users, ...third.clusters]).toMatchObject([
      { becomes: { account: 'bot-2', exists: true } },
      { becomes: { cluster: 'bot-2', exists: true } },
    ]);
  });
});

describe('names', () => {
  test('a cluster of the same kind under another name with a number is not taken for it', async () => {
    const contexts = (...names: string[]) =>
      kubeconfig(
        [kubeUser('bot', token())],
        [kubeCluster('one')],
        names.map((name) => kubeContext(name, 'bot', 'one')),
      );
    const after = await done(plan(contexts('dev-2')));
    expect(plan(contexts('dev'), after).clusters).toMatchObject([
      { becomes: { cluster: 'dev', exists: false } },
    ]);
  });

  test('contexts are cleaned, the old name is told, good names come first', () => {
    const merged = kubeconfig(
      [kubeUser('bot', token())],
      [kubeCluster('one')],
      ['Büro 1', 'Buro-1', 'Buro 1', '生产'].map((name) => kubeContext(name, 'bot', 'one')),
    );
    const planned = plan(merged);
    expect(clustersOf(planned)).toEqual({
      'Büro 1': 'Buro-1-2',
      'Buro-1': 'Buro-1',
      'Buro 1': 'Buro-1-3',
      生产: 'cluster',
    });
    expect(planned.clusters.map(({ notes }) => notes)).toEqual([
      ['its name becomes Buro-1-2; Büro 1 stays its display name'],
      [],
      ['its name becomes Buro-1-3: it was Buro 1'],
      ['its name becomes cluster; 生产 stays its display name'],
    ]);
    const shown = planned.clusters.map(({ becomes }) =>
      'value' in becomes ? becomes.value.displayName : null,
    );
    expect(shown).toEqual(['Büro 1', undefined, undefined, '生产']);
  });

  test('the user chooses names, and they are known at the next import', async () => {
    const merged = kubeconfig(
      [kubeUser('бот', token()), kubeUser('bot', token('other'))],
      [kubeCluster('one')],
      [kubeContext('生产', 'бот', 'one'), kubeContext('dev', 'bot', 'one')],
    );
    const names = { accounts: new Map([['бот', 'robot']]), clusters: new Map([['生产', 'payments']]) };
    const planned = plan(merged, { names });
    expect(accountsOf(planned)).toEqual({ бот: 'robot', bot: 'bot' });
    expect(planned.clusters).toMatchObject([
      { becomes: { cluster: 'payments', account: 'robot', value: { displayName: '生产' } } },
      { becomes: { cluster: 'dev', account: 'bot' } },
    ]);
    const files = withImported({}, planned);
    const again = plan(merged, { ...(await done(planned)), before: importedBefore(files) });
    expect(again.users).toMatchObject([
      { becomes: { account: 'robot', exists: true } },
      { becomes: { account: 'bot', exists: true } },
    ]);
    expect(again.clusters).toMatchObject([
      { becomes: { cluster: 'payments', exists: true } },
      { becomes: { cluster: 'dev', exists: true } },
    ]);
  });

  test('a chosen name is taken from no other, and the plan says so', () => {
    const merged = kubeconfig(
      [kubeUser('бот', token()), kubeUser('bot', token('other'))],
      [kubeCluster('one')],
      [kubeContext('生产', 'бот', 'one'), kubeContext('prod', 'bot', 'one')],
    );
    const names = { accounts: new Map([['бот', 'bot']]), clusters: new Map([['生产', 'prod']]) };
    const planned = plan(merged, { names });
    expect(accountsOf(planned)).toEqual({ бот: 'bot-2', bot: 'bot' });
    expect(clustersOf(planned)).toEqual({ 生产: 'prod-2', prod: 'prod' });
    expect(planned.clusters[0]?.notes).toEqual([
      'the name prod is taken',
      'its name becomes prod-2; 生产 stays its display name',
    ]);
    expect(planned.users[0]?.notes).toEqual([
      'the name bot is taken',
      'its account is bot-2: the user is бот',
    ]);
    // Also where the other one isn't part of this import.
    expect(clustersOf(plan(merged, { names, contexts: ['生产'] }))).toEqual({ 生产: 'prod-2' });
  });

  test('users with the same credentials share one account', () => {
    const users = [kubeUser('a', token()), kubeUser('b', token()), kubeUser('c', token('other'))];
    const planned = plan(kubeconfig(users));
    expect(accountsOf(planned)).toEqual({ a: 'a', b: 'a', c: 'c' });
    expect(planned.users).toMatchObject([
      { becomes: { sharedWith: null } },
      { becomes: { sharedWith: 'a' } },
      { becomes: { sharedWith: null } },
    ]);
    expect(planned.users[1]?.notes).toEqual(['the same as a: they share the account a']);
  });
});

describe('an entry with a pending change', () => {
  const file = '/home/me/.kube/config';
  const made = (value: string, server: string) =>
    kubeconfig([kubeUser('bot', token(value))], [kubeCluster('one', { server })]);
  // The import would approve all of an entry that it replaces.
  test.each<[string, string[], string | null]>([
    ['none', [], null],
    ['the cluster', ['cluster bot'], 'the cluster bot'],
    ['the account', ['account bot'], 'the account bot'],
    ['both: the cluster first', ['account bot', 'cluster bot'], 'the cluster bot'],
    ['others', ['cluster other', 'account undefined', 'cluster undefined'], null],
  ])('is replaced by no import: %s', async (_, pending, named) => {
    const first = plan(made('one', 'https://a.example.com'));
    const before = importedBefore(withImported({}, first));
    const again = plan(made('two', 'https://b.example.com'), {
      ...(await done(first)),
      before,
      pending: new Set(pending),
    });
    expect(again.clusters).toMatchObject([
      named === null
        ? { file, becomes: { cluster: 'bot', replaces: 'https://a.example.com' } }
        : {
            file,
            becomes: {
              left: `${named} has a change pending approval: review it first with lanyard confirm bot`,
            },
          },
    ]);
    expect(again.users).toMatchObject([
      { becomes: named === null ? { account: 'bot', replaces: true } : { left: expect.any(String) } },
    ]);
  });

  test('also where its account alone would be replaced, whatever others are called', async () => {
    const first = plan(made('one', 'https://a.example.com'));
    const again = plan(made('two', 'https://a.example.com'), {
      ...(await done(first)),
      before: importedBefore(withImported({}, first)),
      pending: new Set(['cluster undefined', 'account bot']),
    });
    expect(again.clusters).toMatchObject([
      { becomes: { left: expect.stringMatching(/^the account bot has/) } },
    ]);
  });
});

describe('contexts', () => {
  test('that lead nowhere, or whose user or cluster stays, stay with the reason; their user makes no account', () => {
    const merged = kubeconfig(
      [
        kubeUser('bot', token()),
        kubeUser('aws', { exec: { ...kubeExec('aws'), interactiveMode: null } }),
        kubeUser('lost', token('x')),
      ],
      [kubeCluster('one'), kubeCluster('bad', { server: '' })],
      [
        kubeContext('good', 'bot', 'one'),
        kubeContext('no user', 'gone', 'one'),
        kubeContext('unsaid user', '', 'one'),
        kubeContext('no cluster', 'bot', 'gone'),
        kubeContext('plugin', 'aws', 'one'),
        kubeContext('bad cluster', 'lost', 'bad'),
      ],
    );
    const plugins = 'kubectl refuses it: it has an exec plugin without an interactiveMode';
    const planned = plan(merged);
    expect(clustersOf(planned)).toEqual({
      good: 'good',
      'no user': 'there is no user gone',
      'unsaid user': 'it names no user',
      'no cluster': 'there is no cluster gone',
      plugin: plugins,
      'bad cluster': 'its cluster names no server',
    });
    expect(accountsOf(planned)).toEqual({
      bot: 'bot',
      aws: plugins,
      lost: 'none of its contexts can be imported',
    });
  });

  test('alone are imported where they are named; what else uses the user keeps its entry in place', () => {
    const merged = kubeconfig(
      [kubeUser('bot', token()), kubeUser('other', token('x'))],
      [kubeCluster('one'), kubeCluster('two')],
      [
        kubeContext('a', 'bot', 'one', 'team'),
        kubeContext('b', 'bot', 'two'),
        kubeContext('c', 'other', 'two'),
      ],
    );
    const planned = plan(merged, { contexts: ['a', 'nobody'] });
    expect(clustersOf(planned)).toEqual({ a: 'a' });
    expect(planned.clusters[0]?.becomes).toMatchObject({ account: 'bot', namespace: 'team' });
    const plain = [{ what: 'token', file: '/home/me/.kube/config', line: 7 }];
    expect(planned.users).toMatchObject([
      { user: 'bot', neededBy: ['b'], plainNow: plain, plainAfterInPlace: plain },
    ]);
    expect(planned.plainElsewhere).toEqual([
      { user: 'other', file: '/home/me/.kube/config', line: 7, why: 'notChosen', plain },
    ]);
    expect(planned.notes).toEqual(['there is no context nobody']);
    expect(plan(merged).users).toMatchObject([
      { neededBy: [], plainNow: plain, plainAfterInPlace: [] },
      { neededBy: [], plainNow: plain, plainAfterInPlace: [] },
    ]);
  });

  test('of one user at several clusters: one account, each cluster its own', () => {
    const merged = kubeconfig(
      [kubeUser('corp', kubelogin())],
      [kubeCluster('one'), kubeCluster('two')],
      [kubeContext('a', 'corp', 'one'), kubeContext('b', 'corp', 'two')],
    );
    const planned = plan(merged);
    expect(planned.users).toMatchObject([{ becomes: { account: 'corp', next: 'lanyard login corp' } }]);
    expect(planned.clusters).toMatchObject([
      { becomes: { cluster: 'a', value: { server: 'https://one.example.com:6443', account: 'corp' } } },
      { becomes: { cluster: 'b', value: { server: 'https://two.example.com:6443', account: 'corp' } } },
    ]);
  });

  test('unused and hidden entries are named, with the secrets that stay in them', () => {
    const merged = kubeconfig(
      [kubeUser('bot', token()), kubeUser('spare', token('x'))],
      [kubeCluster('one'), kubeCluster('spare')],
      [kubeContext('a', 'bot', 'one')],
    );
    const user = kubeUser('bot', { ...token('old'), origin: { file: '/second', line: 3, name: 'bot' } });
    const by = { file: '/first', line: 1, name: 'bot' };
    const planned = plan({
      ...merged,
      hidden: [{ what: 'user', name: 'bot', origin: user.origin, by, isSame: false, user }],
    });
    expect(planned.unused).toEqual({ clusters: ['spare'], users: ['spare'] });
    expect(planned.plainElsewhere).toMatchObject([
      { user: 'spare', why: 'unused' },
      { user: 'bot', file: '/second', line: 3, why: 'hidden', plain: [{ what: 'token' }] },
    ]);
  });
});

describe('questions', () => {
  const fingerprint = (of: CertificateAuthority) => (of.sha256.toUpperCase().match(/../g) ?? []).join(':');

  test('one for all servers and CAs that are not known yet, with fingerprints', () => {
    const merged = kubeconfig(
      [kubeUser('bot', token())],
      [kubeCluster('one', { certificateAuthority: authority() }), kubeCluster('two')],
      [kubeContext('a', 'bot', 'one'), kubeContext('b', 'bot', 'one'), kubeContext('c', 'bot', 'two')],
    );
    expect(plan(merged).questions).toEqual([
      {
        kind: 'unknownAuthority',
        isUsual: true,
        contexts: ['a', 'b', 'c'],
        lines: [
          'a, b at https://one.example.com:6443:',
          expect.stringContaining(`  CA SHA-256 ${fingerprint(ca)}, CN=`),
          'c at https://two.example.com:6443: the system’s CAs',
        ],
      },
    ]);
  });

  test('none for a CA that a cluster of config.yaml has at that server; one for another CA there', async () => {
    const at = (of: CertificateAuthority) => [kubeCluster('one', { certificateAuthority: authority(of) })];
    const { config, secrets } = await done(plan(kubeconfig([kubeUser('bot', token())], at(ca))));
    const second = kubeUser('second', token('other'));
    expect(plan(kubeconfig([second], at(ca)), { config, secrets }).questions).toEqual([]);
    expect(plan(kubeconfig([second], at(otherCa)), { config, secrets }).questions).toMatchObject([
      {
        kind: 'otherAuthority',
        contexts: ['second'],
        lines: [expect.any(String), expect.stringContaining(fingerprint(otherCa))],
      },
    ]);
  });

  test('through another proxy or under another name a known server is not known; the question says so', async () => {
    const plain = kubeconfig([kubeUser('corp', kubelogin())], [kubeCluster('one')]);
    const after = await done(plan(plain));
    const evil = kubeCluster('one', {
      tlsServerName: 'evil.example.net',
      proxyUrl: 'http://evil.example.net:3128',
    });
    const again = (cluster: typeof evil) =>
      plan(kubeconfig([kubeUser('evil', kubelogin())], [cluster]), after).questions;
    expect(again(evil)).toEqual([
      {
        kind: 'otherAuthority',
        isUsual: false,
        contexts: ['evil'],
        lines: [
          'evil at https://one.example.com:6443, by a certificate for evil.example.net, through the proxy http://evil.example.net:3128: the system’s CAs; it gets the credential of the account corp, which is there already',
        ],
      },
    ]);
    expect(again({ ...evil, proxyUrl: null })).toMatchObject([{ kind: 'otherAuthority' }]);
    expect(again({ ...evil, tlsServerName: null })).toMatchObject([{ kind: 'otherAuthority' }]);
    expect(again(kubeCluster('one'))).toEqual([]);
  });

  test('what is sent that the kubeconfig doesn’t hold is named, before all else and past any name', () => {
    const many = Array.from({ length: 60 }, (_, index) => kubeUser(`u${index}`, token(`t${index}`)));
    const long = '\u202e'.repeat(5000);
    const merged = kubeconfig(
      [...many, kubeUser('file', fromFile)],
      [...many.map(({ name }) => kubeCluster(name)), kubeCluster('evil')],
      [
        ...many.map(({ name }) => kubeContext(name, name, name)),
        ...Array.from({ length: 30 }, (_, index) => ({
          name: `${long}${index}`,
          user: 'file',
          cluster: 'evil',
        })),
      ],
    );
    const [question] = plan(merged).questions;
    expect(question?.lines[0]).toContain('https://evil.example.com:6443');
    expect(question?.lines[0]).toMatch(/; it gets what is in \/home\/me\/\.vault-token$/);
    expect(question?.lines[0]?.length).toBeLessThan(4000);
  });

  test('a file’s token is asked about at a server that is known, too', async () => {
    const after = await done(plan(kubeconfig([kubeUser('own', token())], [kubeCluster('evil')])));
    const merged = kubeconfig([kubeUser('file', fromFile)], [kubeCluster('evil')]);
    const lines = [expect.stringMatching(/; it gets what is in \/home\/me\/\.vault-token$/)];
    expect(plan(merged, after).questions).toMatchObject([{ kind: 'unknownAuthority', lines }]);
  });

  test('a context’s name can’t go on as if it were the question', () => {
    const name = 'prod at https://prod.example.com: the system’s CAs, b';
    const merged = kubeconfig(
      [kubeUser('bot', token())],
      [kubeCluster('evil')],
      [kubeContext(name, 'bot', 'evil')],
    );
    expect(plan(merged).questions[0]?.lines).toEqual([
      `"${name}" at https://evil.example.com:6443: the system’s CAs`,
    ]);
  });

  test('the token of an account that is there, or of a file, at a second server', async () => {
    const file = (name: string) =>
      kubeUser(name, { tokenFile: { path: resolve('/run/token'), ok: true, content: new Secret('t') } });
    const clusters = [kubeCluster('a'), kubeCluster('b')];
    const other = kubeUser('b', token('other'));
    const after = await done(plan(kubeconfig([file('a'), other], clusters)));
    // Both servers are known and trusted, each with a token of its own.
    const merged = kubeconfig([file('c')], clusters, [kubeContext('c', 'c', 'b')]);
    expect(plan(merged, after).questions).toMatchObject([
      {
        kind: 'sharedAudience',
        contexts: ['c'],
        lines: [
          expect.stringContaining('the token of the account a is good at 2 servers'),
          'c at https://b.example.com:6443',
          'a at https://a.example.com:6443',
        ],
      },
    ]);
  });

  test('an unchecked server and one without TLS', () => {
    const merged = kubeconfig(
      [kubeUser('a', token()), kubeUser('b', token('x'))],
      [
        kubeCluster('a', { insecureSkipTlsVerify: true }),
        kubeCluster('b', { server: 'http://127.0.0.1:8080' }),
      ],
    );
    expect(plan(merged).questions).toEqual([
      {
        kind: 'insecure',
        isUsual: false,
        contexts: ['a', 'b'],
        lines: [
          'a at https://a.example.com:6443: its server’s certificate is not checked (insecure-skip-tls-verify): anyone on the way can read the credential',
          'b at http://127.0.0.1:8080: no TLS',
        ],
      },
    ]);
  });

  test('one OpenID token at two servers, whichever accounts have it', async () => {
    const clusters = [kubeCluster('a'), kubeCluster('b')];
    const users = [kubeUser('a', kubelogin()), kubeUser('b', kubelogin('--oidc-extra-scope=groups'))];
    const shared = (planned: ImportPlan) => planned.questions.filter(({ kind }) => kind === 'sharedAudience');
    const lines = [
      'the token of k at https://id.example.com is good at 2 servers: who runs one of them could use it at the others',
      'a at https://a.example.com:6443',
      'b at https://b.example.com:6443',
    ];
    expect(shared(plan(kubeconfig(users, clusters)))).toEqual([
      { kind: 'sharedAudience', isUsual: true, contexts: ['a', 'b'], lines },
    ]);
    // One server, two names; two servers, no OpenID token.
    expect(shared(plan(kubeconfig(users, [kubeCluster('a')])))).toEqual([]);
    expect(shared(plan(kubeconfig([kubeUser('a', token()), kubeUser('b', token())], clusters)))).toEqual([]);
    // With what is there already: the new one alone is asked about, and only without an audience of its own.
    const after = await done(plan(kubeconfig(users.slice(0, 1), clusters)));
    const second = kubeconfig(users.slice(1), clusters.slice(1));
    expect(shared(plan(second, after))).toMatchObject([{ contexts: ['b'], isUsual: false }]);
    const there = after.config.clusters.get('a');
    if (there) {
      there.config.audience = 'a';
    }
    expect(shared(plan(second, after))).toEqual([]);
  });
});

describe('what kubectl does anyway', () => {
  const usual = (planned: ImportPlan) =>
    planned.questions.map(({ kind, contexts, isUsual }) => [kind, contexts, isUsual]);

  test('is no token of a cluster that is there, at a new server, whatever else is new at that one’s', async () => {
    const after = await done(plan(kubeconfig([kubeUser('prod', kubelogin())])));
    const user = kubeUser('u', kubelogin('--oidc-extra-scope=more'));
    const merged = kubeconfig(
      [user],
      [kubeCluster('one'), kubeCluster('evil')],
      [kubeContext('evil', 'u', 'evil'), kubeContext('p2', 'u', 'one')],
    );
    expect(usual(plan(merged, after))).toContainEqual(['sharedAudience', ['evil', 'p2'], false]);
  });

  test('is no credential that Lanyard has already: it is asked about apart from the others', async () => {
    const after = await done(plan(kubeconfig([kubeUser('alice', certificateOf())], [kubeCluster('one')])));
    const merged = kubeconfig(
      [kubeUser('alice', certificateOf()), kubeUser('bot', token())],
      [kubeCluster('evil'), kubeCluster('new')],
      [kubeContext('evil', 'alice', 'evil'), kubeContext('new', 'bot', 'new')],
    );
    expect(usual(plan(merged, after))).toEqual([
      ['unknownAuthority', ['evil'], false],
      ['unknownAuthority', ['new'], true],
    ]);
  });

  test.each(['https://one.example.com.:6443', 'https://one.example.com:6443/x'])(
    'is no server that is known by another address: %s',
    async (server) => {
      const after = await done(plan(kubeconfig([kubeUser('bot', token())], [kubeCluster('one')])));
      const merged = kubeconfig(
        [kubeUser('evil', token('other'))],
        [kubeCluster('evil', { server, proxyUrl: 'http://evil.example.net:8080' })],
      );
      expect(usual(plan(merged, after))).toEqual([['otherAuthority', ['evil'], false]]);
    },
  );
});

test('an account that the user took without offline_access is the same, where the scope is a wish for new ones', async () => {
  const merged = kubeconfig([kubeUser('corp', kubelogin())]);
  const after = await done(plan(merged));
  const again = plan(merged, { ...after, offlineAccess: true });
  expect(again.users[0]?.becomes).toMatchObject({ account: 'corp', exists: true });
  expect(again.clusters[0]?.becomes).toMatchObject({ cluster: 'corp', exists: true });
  // A kubeconfig that asks for it itself is another one.
  const own = kubeconfig([kubeUser('corp', kubelogin('--oidc-extra-scope=offline_access'))]);
  expect(plan(own, after).users[0]?.becomes).toMatchObject({ exists: false });
});

describe('secrets', () => {
  test('in plain text now, and after an import in place', () => {
    const key = new Secret(alice.keyPem);
    const users = [
      kubeUser('token', token()),
      kubeUser('file', { tokenFile: { path: resolve('/run/token'), ok: true, content: new Secret('t') } }),
      kubeUser('inline', certificateOf()),
      kubeUser('paths', {
        clientCertificate: { path: '/c.crt', ok: true, pem: alice.chainPem },
        clientKey: { path: '/c.key', ok: true, pem: key },
      }),
      kubeUser('mixed', { ...certificateOf(), clientKey: { path: '/m.key', ok: true, pem: key } }),
      kubeUser('legacy', {
        authProvider: authProvider('oidc', {
          'idp-issuer-url': 'https://id.example.com',
          'client-id': 'k',
          'client-secret': 's',
          'id-token': 'i',
          'refresh-token': 'r',
        }),
      }),
      kubeUser('kubelogin', kubelogin('--oidc-client-secret', 's')),
      kubeUser('basic', { username: 'u', password: new Secret('p') }),
      kubeUser('plugin', {
        exec: kubeExec('vendor', ['--api-key=x', '--token-file', '/t'], {
          CLIENT_SECRET: 's',
          AWS_PROFILE: 'p',
        }),
      }),
      kubeUser('harmless', {
        exec: kubeExec(
          'kubelogin',
          ['get-token', '--token-cache-dir=/x', '--oidc-use-access-token', '--server-id=s'],
          {
            GOOGLE_APPLICATION_CREDENTIALS: '/x.json',
          },
        ),
      }),
    ];
    const shown = (plain: readonly { what: string; file: string; line: number | null }[]) =>
      plain.map(({ what, file, line }) => (line === null ? `${what} in ${file}` : what));
    const rows = plan(kubeconfig(users)).users.map(({ user, plainNow, plainAfterInPlace }) => [
      user,
      shown(plainNow),
      shown(plainAfterInPlace),
    ]);
    const plugin = ['secret in the plugin’s arguments', 'secret in the plugin’s variable CLIENT_SECRET'];
    expect(rows).toEqual([
      ['token', ['token'], []],
      ['file', [`token in ${resolve('/run/token')}`], [`token in ${resolve('/run/token')}`]],
      ['inline', ['client key'], []],
      ['paths', ['client key in /c.key'], ['client key in /c.key']],
      ['mixed', ['client key in /m.key'], ['client key in /m.key']],
      ['legacy', ['client secret', 'id token', 'refresh token'], []],
      ['kubelogin', ['client secret'], []],
      ['basic', ['password'], ['password']],
      ['plugin', plugin, plugin],
      ['harmless', [], []],
    ]);
  });

  test('of a given text are counted, and not taken for one on this disk', () => {
    const given = { file: 'standard input', line: 3, name: 'h' };
    const users = [
      kubeUser('text', { ...token(), origin: given }),
      kubeUser('beside', {
        origin: given,
        tokenFile: { path: resolve('/run/token'), ok: true, content: new Secret('t') },
      }),
      kubeUser('file', token()),
    ];
    const hidden = [
      {
        ...{ what: 'user' as const, name: 'h', origin: given, by: given },
        ...{ isSame: false, user: users[0] as KubeUser },
      },
    ];
    const merged = { ...kubeconfig(users), hidden };
    expect(countGivenSecrets(merged)).toBe(2);
    expect(plan(merged).users.map(({ plainNow }) => plainNow.length)).toEqual([0, 1, 1]);
  });

  test('show nowhere in a plan', () => {
    const secret = new Secret('canary');
    const users = [
      kubeUser('a', token('canary')),
      kubeUser('b', { ...token('canary'), username: 'canary', password: secret }),
      kubeUser('c', kubelogin('--oidc-client-secret=canary', '--username', 'canary')),
      kubeUser('d', kubelogin('--oidc-client-secret=canary')),
      kubeUser('e', {
        authProvider: authProvider('oidc', { 'id-token': 'canary', 'client-secret': 'canary' }),
      }),
      kubeUser('f', { exec: kubeExec('/bin/x', ['--token', 'canary', '--secret=canary']) }),
      kubeUser('j', { exec: kubeExec('/bin/x', ['token'], { TOKEN: 'canary' }) }),
      kubeUser('g', { username: 'canary', password: secret }),
      kubeUser('h', token('canary canary')),
      kubeUser('i', kubelogin('--canary canary')),
    ];
    const clusters = [
      kubeCluster('one', { proxyUrl: 'http://u:canary@proxy' }),
      kubeCluster('two', { server: 'https://u:canary@h/?canary' }),
      kubeCluster('three', { server: 'u:canary@h' }),
      kubeCluster('four'),
    ];
    const contexts = users.flatMap(({ name }) =>
      clusters.map((cluster) => ({ name: `${name}@${cluster.name}`, user: name, cluster: cluster.name })),
    );
    for (const inPlace of [false, true]) {
      const planned = plan(kubeconfig(users, clusters, contexts), { inPlace });
      expect(JSON.stringify(planned)).not.toContain('canary');
      expect(inspect(planned, { depth: 20 })).not.toContain('canary');
    }
  });
});

test('KEP-541/kubeconfig-unchanged: planning changes nothing of what it is given', () => {
  const merged = kubeconfig([kubeUser('bot', token()), kubeUser('corp', kubelogin())]);
  const before = inspect(merged, { depth: 20 });
  const freeze = (value: unknown): void => {
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
      Object.freeze(value);
      (value instanceof Map ? [...value.values()] : Object.values(value)).forEach(freeze);
    }
  };
  freeze(merged);
  const options = importOptions(merged, { inPlace: true });
  freeze(options);
  expect(planImport(options)).toEqual(planImport(options));
  expect(inspect(merged, { depth: 20 })).toBe(before);
});

test('two providers with the same way back are named', () => {
  const other = {
    exec: kubeExec('kubelogin', ['get-token', '--oidc-issuer-url=https://two.example', '--oidc-client-id=k']),
  };
  const { notes } = plan(kubeconfig([kubeUser('a', kubelogin()), kubeUser('b', other)]));
  expect(notes).toContainEqual(
    expect.stringMatching(/^a and b log in at two providers with the same redirect URI/),
  );
});

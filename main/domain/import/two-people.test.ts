import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { execPluginAccount } from '../../contract/config/accounts/exec-plugin.ts';
import { oidcAccount } from '../../contract/config/accounts/oidc.ts';
import type { LoadedAccount } from '../loaded-config.ts';
import { noEntries } from '../testing/no-entries.ts';
import type { ImportPlan } from './import-plan.ts';
import { type ImportedFiles, importedBefore, withImported } from './imported-before.ts';
import type { KubeUser } from './kubeconfig.ts';
import { planImport } from './plan-import.ts';
import { authProvider, importOptions, kubeconfig, kubeExec, kubeUser } from './testing/kube.ts';

const needed = ['get-token', '--oidc-issuer-url=https://id.example.com', '--oidc-client-id=k'];
const kubelogin = (flags: string[] = [], env: Record<string, string> = {}) => ({
  exec: kubeExec('kubelogin', [...needed, ...flags], env),
});
const azure = (...flags: string[]) => ({
  exec: kubeExec('kubelogin', ['get-token', '--login', 'devicecode', '--server-id', 's', ...flags]),
});
const legacy = (idToken: string) => ({
  authProvider: authProvider('oidc', {
    'idp-issuer-url': 'https://id.example.com',
    'client-id': 'k',
    'id-token': idToken,
  }),
});
const jwtOf = (sub: string) =>
  ['{"alg":"none"}', JSON.stringify({ sub }), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const dir = (name: string) => kubelogin([`--token-cache-dir=/home/me/${name}`]);
const extra = (param: string) => kubelogin([`--oidc-auth-request-extra-params=${param}`]);
const named = (user: string) => kubelogin(['--grant-type=authcode', `--username=${user}`]);

interface Past {
  accounts?: Record<string, object>;
  imported?: ImportedFiles;
}

function plan(
  users: Record<string, Partial<KubeUser>>,
  { names = {}, past = {}, file = '/k' }: { names?: Record<string, string>; past?: Past; file?: string } = {},
) {
  const made = Object.entries(users).map(([name, user]) =>
    kubeUser(name, { ...user, origin: { file, line: 1, name } }),
  );
  const loaded = Object.entries(past.accounts ?? {}).map(([name, value]): [string, LoadedAccount] => {
    const config =
      'oidc' in value
        ? { oidc: oidcAccount.parse(value.oidc) }
        : { execPlugin: execPluginAccount.parse((value as { execPlugin: object }).execPlugin) };
    return [name, { name, config, certificateAuthorityPem: null } as LoadedAccount];
  });
  return planImport(
    importOptions(kubeconfig(made), {
      config: { ...noEntries, accounts: new Map(loaded) },
      before: importedBefore(past.imported ?? {}),
      names: { accounts: new Map(Object.entries(names)), clusters: new Map() },
    }),
  );
}

/** What an import leaves behind, added to what was there. */
function leftBy({ users, clusters }: ImportPlan, { accounts, imported = {} }: Past = {}): Past {
  const made = users.flatMap(({ becomes }) =>
    'account' in becomes ? [[becomes.account, becomes.value]] : [],
  );
  return {
    accounts: { ...accounts, ...Object.fromEntries(made) },
    imported: withImported(imported, { users, clusters }),
  };
}

const accounts = ({ users }: ImportPlan) =>
  Object.fromEntries(
    users.map(({ user, becomes }) => [user, 'account' in becomes ? becomes.account : becomes.left]),
  );
const news = ({ users }: ImportPlan) =>
  users.flatMap(({ becomes }) => ('account' in becomes && !becomes.exists ? [becomes.account] : []));

const apart = { me: 'me', admin: 'admin' };
const shared = { me: 'me', admin: 'me' };

describe('two users of one provider and client', () => {
  test.each<[string, Partial<KubeUser>, Partial<KubeUser>, object]>([
    ['--token-cache-dir', dir('me'), dir('admin'), apart],
    ['one with the usual folder', kubelogin(), dir('admin'), apart],
    ['the usual folder by its name', kubelogin(), dir('.kube/cache/oidc-login/'), shared],
    ['the same folder', dir('x'), kubelogin(['--token-cache-dir', '~/x']), shared],
    ['KUBECACHEDIR', kubelogin(), kubelogin([], { KUBECACHEDIR: '/x' }), apart],
    ['HOME', kubelogin(), kubelogin([], { HOME: '/x' }), apart],
    ['HOME as it is', kubelogin(), kubelogin([], { HOME: '/home/me' }), shared],
    ['--username', named('me'), named('admin'), apart],
    ['login_hint', extra('login_hint=me'), extra('login_hint=admin'), apart],
    ['another extra parameter', extra('acr=1'), extra('acr=2'), apart],
    ['a flag that says nothing of the person', kubelogin(), kubelogin(['--force-refresh']), shared],
    ['Azure’s --cache-dir', azure('--cache-dir', '/me'), azure('--cache-dir', '/admin'), apart],
    ['Azure without it', azure(), azure(), shared],
    ['tokens of two people', legacy(jwtOf('me')), legacy(jwtOf('admin')), apart],
    ['tokens of one', legacy(jwtOf('me')), legacy(jwtOf('me')), shared],
  ])('%s', (_, me, admin, expected) => {
    const made = plan({ me, admin });
    expect(accounts(made)).toEqual(expected);
    // The same again, and nothing is new.
    const again = plan({ me, admin }, { past: leftBy(made) });
    expect([accounts(again), news(again)]).toEqual([expected, []]);
  });

  test('what keeps them apart is said, and never called unneeded', () => {
    const notes = plan({ me: dir('me'), admin: dir('admin') }).users.flatMap((user) => user.notes);
    const keeps = '--token-cache-dir keeps its login apart from that of';
    expect(notes).toContain(`${keeps} admin: an account of its own`);
    expect(notes).toContain(`${keeps} me: an account of its own`);
    expect(notes.filter((note) => note.startsWith('not needed'))).toEqual([]);
  });

  test('where they share an account, the plan says how to say no', () => {
    const [, admin] = plan({ me: kubelogin(), admin: kubelogin() }).users;
    expect(admin).toMatchObject({ becomes: { canSplit: true } });
    expect(admin?.notes).toContain(
      'the same as me: they share the account me. If it is another person: --account-name admin=NAME, or Change name in the window',
    );
  });
});

describe('a name for one of several users that share an account', () => {
  test.each([
    ['a login', kubelogin()],
    ['a plugin', azure()],
  ])('gives that one an account of its own: %s', (_, user) => {
    const names = { admin: 'boss' };
    const split = plan({ me: user, admin: user }, { names });
    expect(accounts(split)).toEqual({ me: 'me', admin: 'boss' });
    // The same command again, and without the name, finds both.
    const past = leftBy(split);
    for (const again of [
      plan({ me: user, admin: user }, { names, past }),
      plan({ me: user, admin: user }, { past }),
    ]) {
      expect([accounts(again), news(again)]).toEqual([{ me: 'me', admin: 'boss' }, []]);
    }
  });

  test('also after they were imported as one', () => {
    const users = { me: kubelogin(), admin: kubelogin() };
    const past = leftBy(plan(users));
    const split = plan(users, { names: { admin: 'boss' }, past });
    expect([accounts(split), news(split)]).toEqual([{ me: 'me', admin: 'boss' }, ['boss']]);
    // Alone it is split, too: nothing of the account that the other one uses is replaced.
    for (const user of [kubelogin(), azure()]) {
      const earlier = leftBy(plan({ me: user, admin: user }));
      const alone = plan({ admin: user }, { names: { admin: 'boss' }, past: earlier });
      expect([accounts(alone), news(alone)]).toEqual([{ admin: 'boss' }, ['boss']]);
    }
  });

  test('the same name for both is one account, whatever keeps them apart', () => {
    const names = { me: 'corp', admin: 'corp' };
    expect(accounts(plan({ me: dir('me'), admin: dir('admin') }, { names }))).toEqual(names);
  });

  test('one token is one account: its name is for all', () => {
    const token = { token: new Secret('t') };
    expect(accounts(plan({ me: token, admin: token }, { names: { admin: 'boss' } }))).toEqual({
      me: 'boss',
      admin: 'boss',
    });
  });
});

describe('an account that is there already', () => {
  test('is not another file’s user with other flags, though the names are the same', () => {
    const past = leftBy(plan({ oidc: dir('me') }));
    const other = plan({ oidc: dir('admin') }, { past, file: '/other' });
    expect(accounts(other)).toEqual({ oidc: 'oidc-2' });
    const same = plan({ oidc: dir('me') }, { past, file: '/other' });
    expect(news(same)).toEqual([]);
    // Now the first file's user has the other's folder, which is an account of its own.
    expect(accounts(plan({ oidc: dir('admin') }, { past: leftBy(other, past) }))).toEqual({ oidc: 'oidc-2' });
  });

  test('stays one’s own where the flags change, and nobody else has it', () => {
    const past = leftBy(plan({ me: dir('old') }));
    expect(news(plan({ me: dir('new') }, { past }))).toEqual([]);
  });

  test('that an earlier version made of both is the first one’s; the other gets its own', () => {
    const past: Past = {
      ...leftBy(plan({ me: kubelogin() })),
      imported: {
        '/k': {
          users: [
            ['me', 'me'],
            ['admin', 'me'],
          ],
          contexts: [],
        },
      },
    };
    const again = plan({ me: dir('me'), admin: dir('admin') }, { past });
    expect([accounts(again), news(again)]).toEqual([apart, ['admin']]);
  });

  test('made by hand is shared where nothing keeps the user apart, and the plan says how to say no', () => {
    const past: Past = { accounts: leftBy(plan({ corp: kubelogin() })).accounts ?? {} };
    const joined = plan({ me: kubelogin() }, { past });
    expect([accounts(joined), news(joined)]).toEqual([{ me: 'corp' }, []]);
    expect(joined.users[0]?.notes).toContain(
      'it shares the account corp, which is there already. If it is another person: --account-name me=NAME, or Change name in the window',
    );
    expect(news(plan({ me: kubelogin() }, { past, names: { me: 'other' } }))).toEqual(['other']);
    const own = plan({ me: dir('me') }, { past });
    expect([accounts(own), own.users[0]?.notes]).toEqual([
      { me: 'me' },
      expect.arrayContaining([
        '--token-cache-dir keeps its login apart from that of corp: an account of its own',
      ]),
    ]);
    expect(news(plan({ me: dir('me') }, { past, names: { me: 'corp' } }))).toEqual([]);
  });

  test('made by hand with a hint is the one of a user with that hint alone', () => {
    const hinted = (name: string) => extra(`login_hint=${name}`);
    const past: Past = { accounts: leftBy(plan({ corp: hinted('pat') })).accounts ?? {} };
    expect(accounts(plan({ me: hinted('pat') }, { past }))).toEqual({ me: 'corp' });
    expect(accounts(plan({ corp: hinted('kim') }, { past }))).toEqual({ corp: 'corp-2' });
  });
});

import { expect, test } from 'vitest';
import { oidcAccount } from '../../contract/config/accounts/oidc.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { noEntries } from '../testing/no-entries.ts';
import { type ImportOptions, planImport } from './plan-import.ts';
import { importOptions, kubeCluster, kubeContext, kubeconfig, kubeExec, kubeUser } from './testing/kube.ts';

const flags = (issuer: string, ...more: string[]) => [
  'get-token',
  `--oidc-issuer-url=${issuer}`,
  '--oidc-client-id=k',
  ...more,
];
const user = (issuer: string, ...more: string[]) =>
  kubeUser('corp', { exec: kubeExec('kubelogin', flags(issuer, ...more)) });
const plan = (of: ReturnType<typeof kubeUser>, options: Partial<ImportOptions> = {}) =>
  planImport(
    importOptions(kubeconfig([of], [kubeCluster('one')], [kubeContext('a', 'corp', 'one')]), options),
  );
const scopesOf = ({ users }: ReturnType<typeof planImport>) =>
  users.map(({ becomes }) =>
    'account' in becomes && 'oidc' in becomes.value
      ? (becomes.value.oidc as { scopes: readonly string[] }).scopes
      : null,
  );
const id = 'https://id.example.com';

test('a kubelogin user without offline_access keeps its scopes, and the plan offers to add it', () => {
  const offered = plan(user(id));
  expect(scopesOf(offered)).toEqual([['openid']]);
  expect(offered.offlineAccess).toEqual({ accounts: ['corp'], added: false });
  expect(offered.notes).toContainEqual(
    expect.stringMatching(/whenever its token expires: corp; --offline-access/),
  );
});

test('where it is wanted, the scope is in the plan', () => {
  const added = plan(user(id), { offlineAccess: true });
  expect(scopesOf(added)).toEqual([['openid', 'offline_access']]);
  expect(added.offlineAccess).toEqual({ accounts: ['corp'], added: true });
});

test.each<[string, ReturnType<typeof kubeUser>, readonly string[]]>([
  ['asks for one', user(id, '--oidc-extra-scope=offline_access'), ['openid', 'offline_access']],
  ['is at Google, which refuses the scope', user('https://accounts.google.com'), ['openid']],
  [
    'is the client itself',
    user(id, '--grant-type=client-credentials', '--oidc-use-access-token', '--oidc-client-secret=s'),
    ['openid'],
  ],
])('nothing is offered for a user that %s', (_what, of, scopes) => {
  expect(plan(of).offlineAccess).toBeNull();
  expect(scopesOf(plan(of, { offlineAccess: true }))).toEqual([scopes]);
});

test('imported again without the wish, it is the account that has the scope', () => {
  const [made] = plan(user(id), { offlineAccess: true }).users;
  const value =
    made && 'account' in made.becomes && 'oidc' in made.becomes.value ? made.becomes.value.oidc : {};
  const corp = { name: 'corp', config: { oidc: oidcAccount.parse(value) }, certificateAuthorityPem: null };
  const accounts = new Map([['corp', corp]]) as unknown as LoadedConfig['accounts'];
  const again = plan(user(id), { config: { ...noEntries, accounts } });
  expect(again.users[0]?.becomes).toMatchObject({ account: 'corp', exists: true });
  expect(again.offlineAccess).toBeNull();
});

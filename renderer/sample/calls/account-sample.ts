import { runsProgram } from '../../../main/contract/program-names.ts';
import { readsSecrets } from '../../../main/contract/secret-readers.ts';
import type { AccountDetails, AccountDraft } from '../../../main/contract/ui/calls/accounts.ts';
import type { TestFinding } from '../../../main/contract/ui/calls/finding.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';
import { detailsOf, fieldsOf } from '../sample-account-details.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { hold, letGo, pendingLines } from '../sample-pending.ts';
import type { SampleWorld } from '../sample-world.ts';

export const accountSample = {
  'account.show': ({ account }, { world }): AccountDetails => {
    const view = accountOf(world, account);
    const lines = pendingLines(world, { what: 'account', name: account });
    const isNew = world.get('held', `account ${account}`)?.change === 'it is new';
    return {
      ...detailsOf(view, draftsOf(world).get(account) ?? fieldsOf(view), world.time.now()),
      held: lines && { change: isNew ? 'new' : 'changed', served: !isNew, lines },
    };
  },
  'account.check': (draft, { world }) => {
    const problem = (field: string, message: string) => ({
      field,
      item: null,
      severity: 'error' as const,
      message,
    });
    return {
      problems: [
        ...(draft.isNew && world.get('accounts', draft.name)
          ? [problem('name', `there is an account ${draft.name} already`)]
          : []),
        ...(/^[a-z0-9][a-z0-9._-]*$/i.test(draft.name)
          ? []
          : [problem('name', 'expected letters, digits, dots and dashes')]),
        ...neededOf(draft).map((field) => problem(field, 'it is needed')),
      ],
      elsewhere: null,
    };
  },
  'account.test': async ({ kind, set }, { progress, wait }) => {
    progress({
      doing: kind === 'oidc' ? 'asking the provider what it supports' : 'looking at what it stands on',
    });
    await wait(900);
    return { findings: findings[kind](set) };
  },
  'account.save': (draft, { world }) => {
    const before = world.get('accounts', draft.name);
    const fields = { ...(before ? (draftsOf(world).get(draft.name) ?? fieldsOf(before)) : {}), ...draft.set };
    draftsOf(world).set(
      draft.name,
      Object.fromEntries(Object.entries(fields).filter(([key]) => !draft.unset.includes(key))),
    );
    holdAccount(world, before ?? freshAccount(draft), draft.isNew, draft.set);
    return { held: true };
  },
  'account.removal': ({ account }, { world }) => {
    const { subject, kind, clusters } = accountOf(world, account);
    const registries = world.list('registries').filter((registry) => registry.account === account);
    const users = [
      { what: 'cluster' as const, names: clusters },
      { what: 'registry' as const, names: registries.map(({ name }) => name) },
    ];
    return {
      session: kind === 'oidc' && subject !== null ? { subject } : null,
      secrets: [],
      users: users.filter(({ names }) => names.length > 0),
    };
  },
  'account.remove': ({ account }, { world }) => {
    const view = accountOf(world, account);
    const users = world.list('clusters').filter((cluster) => cluster.account === account);
    if (users.length > 0) {
      throw new SampleRefusal(`${account} can’t go: clusters use it`, 'remove or change those first');
    }
    removedIn(world).unshift(view);
    letGo(world, { what: 'account', name: account });
    world.set('accounts', account, null);
    return { canRestore: true };
  },
  'account.restorable': (_, { world }) => ({ accounts: removedIn(world).map(({ name }) => name) }),
  'account.restore': ({ account }, { world }) => {
    const removed = removedIn(world);
    const view = removed.find(({ name }) => name === account);
    if (!view) {
      throw new SampleRefusal('what was removed is not remembered any more');
    }
    removed.splice(removed.indexOf(view), 1);
    holdAccount(
      world,
      { ...view, state: view.kind === 'oidc' ? 'loginNeeded' : view.state },
      true,
      fieldsOf(view),
    );
    return { held: true };
  },
} satisfies SomeHandlers;

function accountOf(world: SampleWorld, name: string): AccountView {
  const account = world.get('accounts', name);
  if (!account) {
    throw new SampleRefusal(`there is no account named ${name}`);
  }
  return account;
}

function draftsOf(world: SampleWorld): Map<string, AccountDraft['set']> {
  return world.memory('drafts', () => new Map());
}

function removedIn(world: SampleWorld): AccountView[] {
  return world.memory('removed accounts', () => []);
}

function holdAccount(
  world: SampleWorld,
  view: AccountView,
  isNew: boolean,
  fields: AccountDraft['set'],
): void {
  const problem = 'It is pending approval.';
  world.set('accounts', view.name, isNew ? { ...view, state: 'held', problem } : view);
  hold(
    world,
    { what: 'account', name: view.name, change: isNew ? 'it is new' : 'it changes' },
    Object.entries(fields).map(
      ([key, value]) => `+ ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    () => world.set('accounts', view.name, view),
  );
}

function isProgram(kind: AccountDraft['kind']): boolean {
  return runsProgram(kind);
}

function freshAccount({ name, kind, set }: AccountDraft): AccountView {
  return {
    name,
    kind,
    state:
      kind === 'oidc' || kind === 'pkcs11'
        ? 'loginNeeded'
        : isProgram(kind) || readsSecrets(kind)
          ? 'ready'
          : 'secretMissing',
    subject: null,
    issuer: typeof set['issuer'] === 'string' ? set['issuer'] : null,
    expiresAt: null,
    credential: null,
    endIs: isProgram(kind) || readsSecrets(kind) ? 'nothing' : null,
    problem: kind === 'oidc' ? 'Not logged in yet.' : null,
    clockOffSeconds: null,
    clusters: [],
    registries: [],
    login: null,
    wanted: null,
    byHand: kind === 'staticToken' || kind === 'clientCertificate',
    failures: 0,
    waitsAtToken: false,
    tokenIsOut: false,
  };
}

function neededOf({ kind, set, isNew }: AccountDraft): string[] {
  const needed = kind === 'oidc' ? ['issuer', 'clientId'] : isProgram(kind) ? ['command'] : [];
  return isNew ? needed.filter((key) => typeof set[key] !== 'string' || set[key] === '') : [];
}

const good = (check: string, message: string): TestFinding => ({
  check,
  level: 'ok',
  message,
  hint: null,
  field: null,
});

const hubFinding = (cluster: unknown) =>
  good('account.hub', `it reads Secrets of the hub ${String(cluster)}`);

const findings: Readonly<Record<AccountDraft['kind'], (set: AccountDraft['set']) => TestFinding[]>> = {
  oidc: ({ issuer = 'https://id.corp.example' }) => [
    good('discovery', `${String(issuer)} answers with its discovery document`),
    good('pkce', 'it takes logins with PKCE'),
    good('device', 'it takes logins by device code'),
    {
      check: 'revocation',
      level: 'note',
      message: 'it offers no revocation: a logout forgets the tokens here alone',
      hint: null,
      field: null,
    },
  ],
  execPlugin: ({ command = 'the plugin' }) => [
    good('program', `${String(command)} leads to a program that others can’t change`),
  ],
  credentialProvider: ({ command = 'the plugin' }) => [
    good('program', `${String(command)} leads to a program that others can’t change`),
  ],
  credentialHelper: ({ helper = 'NAME' }) => [
    good('program', `docker-credential-${String(helper)} leads to a program that others can’t change`),
  ],
  secretReader: ({ cluster = 'the hub' }) => [hubFinding(cluster)],
  kubeconfigSecretReader: ({ cluster = 'the hub' }) => [hubFinding(cluster)],
  aws: () => [good('aws.keys', 'its keys are in the vault')],
  awsProcess: ({ command = 'the program' }) => [
    good('program', `${String(command)} leads to a program that others can’t change`),
  ],
  awsEks: ({ account = 'the account' }) => [good('aws.keys', `it takes the AWS keys of ${String(account)}`)],
  requestSigner: ({ command = 'the program' }) => [
    good('program', `${String(command)} leads to a program that others can’t change`),
  ],
  pkcs11: ({ module = 'the module' }) => [
    good('program', `${String(module)} is a file that others can’t change`),
  ],
  staticToken: () => [good('file', 'its token is kept in the vault')],
  registry: () => [good('registry', 'its password is in the vault')],
  clientCertificate: () => [good('file', 'its certificate and key are kept in the vault')],
};

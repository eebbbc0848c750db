import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { letGo } from '../sample-pending.ts';
import type { SampleWorld } from '../sample-world.ts';
import { hours, seconds } from '../spans.ts';

const file = '/home/dev/.kube/config';
const managed = '/home/dev/.local/share/lanyard/kubeconfig';
const config = '/home/dev/.config/lanyard/config.yaml';

/** The users of the invented kubeconfig, and what they become. */
const users = [
  {
    user: 'analytics',
    line: 31,
    kind: 'kubelogin',
    description: 'kubelogin at https://id.corp.example (kubernetes)',
    account: 'corp-analytics',
    secret: 'refresh token',
  },
  {
    user: 'kind-feature-x',
    line: 44,
    kind: 'clientCertificate',
    description: 'client certificate',
    account: 'kind-feature-x',
    secret: 'client key',
  },
] as const;
const contexts = [
  { context: 'analytics-eu', user: 'analytics', server: 'https://10.40.0.1:6443', account: 'corp-analytics' },
  { context: 'analytics-us', user: 'analytics', server: 'https://10.41.0.1:6443', account: 'corp-analytics' },
  {
    context: 'kind-feature-x',
    user: 'kind-feature-x',
    server: 'https://127.0.0.1:38117',
    account: 'kind-feature-x',
  },
] as const;

const fingerprint = 'CA SHA-256 3b:9f:0a:5d:c2:71:e8:44:16:ab:90:f3:2c:5e:77:d1';

export const importSample = {
  'import.found': () => ({
    files: [{ path: file, exists: true, openToOthers: null }],
    problems: [],
    hidden: [],
    refused: null,
    users: users.map(({ user, description }) => ({ user, description, file })),
    userCount: users.length,
    contextCount: contexts.length,
    ownCount: 0,
  }),
  'import.plan': async ({ contexts: chosen, inPlace, files, pasted }, { world, progress, wait }) => {
    if (files.length > 0 || pasted !== null) {
      throw new SampleRefusal('the demo reads no files', 'leave the demo, and import your own');
    }
    progress({ doing: `Working out what becomes of ${contexts.length} contexts` });
    await wait(seconds(0.3));
    return planOf(world, chosen, inPlace);
  },
  'import.paste': () => ({ pasted: 'demo' }),
  'import.diff': ({ file: wanted }) => ({
    lines:
      wanted === config
        ? [
            '@@ -1 +1,5 @@',
            '+accounts:',
            '+  corp-analytics:',
            '+    oidc:',
            '+      issuer: https://id.corp.example',
          ]
        : [
            '@@ -31,2 +31,3 @@',
            '-    token: (a secret)',
            '+    exec:',
            '+      command: /home/dev/.local/bin/lanyard',
          ],
    moreLines: 0,
  }),
  'import.apply': async ({ id }, { world, progress, wait }) => {
    const plan = plansOf(world).get(id);
    if (!plan) {
      throw new SampleRefusal('this plan is gone', 'look again at what is there');
    }
    const { chosen, inPlace } = plan;
    const imported = contexts.filter(({ context }) => chosen === null || chosen.includes(context));
    progress({ step: 'doing', what: 'Taking the secrets into the vault' });
    await wait(seconds(0.5));
    for (const { context } of imported) {
      world.set('held', `cluster ${context}`, {
        what: 'cluster',
        name: context,
        change: 'it is new',
        served: false,
      });
    }
    progress({
      step: 'held',
      count: imported.length,
      accounts: [...new Set(imported.map(({ account }) => account))],
      clusters: imported.map(({ context }) => context),
    });
    while (world.list('held').length > 0) {
      await wait(seconds(0.2));
    }
    addAll(world, imported);
    return {
      accounts: [...new Set(imported.map(({ account }) => account))].map((name) => ({
        name,
        needsLogin: name === 'corp-analytics',
      })),
      clusters: imported.map(({ context }) => context),
      inPlace,
      edited: inPlace ? [file] : [],
      kept: [],
      warnings: [],
      environmentLine: inPlace ? null : `export KUBECONFIG='${managed}:${file}'`,
      tryLine: `kubectl --context ${imported[0]?.context ?? 'analytics-eu'} get pods`,
    };
  },
  'import.takeBack': ({ clusters }, { world }) => {
    for (const name of clusters) {
      letGo(world, { what: 'cluster', name });
    }
    return { removed: clusters.length };
  },
  'import.stands': () => ({ stands: 'new' as const }),
  'import.dismiss': ({ file: dismissed }, { world }) => {
    world.set('imports', dismissed, null);
    return { kept: true };
  },
  'import.undoList': (_, { world }) => ({
    files: [
      { file, editedAt: world.time.now() - hours(50), state: 'asWritten', fault: null },
      {
        file: '/home/dev/edge.yaml',
        editedAt: world.time.now() - hours(700),
        state: 'changed',
        fault: null,
      },
    ],
  }),
  'import.undoDiff': ({ file: wanted }) => ({
    state: wanted === file ? ('asWritten' as const) : ('changed' as const),
    lost: wanted === file ? null : ['the context edge-02 goes'],
    lines: [
      '@@ -12,3 +12 @@',
      '-    exec:',
      '-      command: /home/dev/.local/bin/lanyard',
      '+    token: (a secret)',
    ],
    moreLines: 0,
  }),
  'import.undo': ({ file: wanted }) => ({ message: `Put ${wanted} back as it was.` }),
} satisfies SomeHandlers;

interface Plan {
  chosen: readonly string[] | null;
  inPlace: boolean;
}

function plansOf(world: SampleWorld): Map<string, Plan> {
  return world.memory('plans', () => new Map());
}

function keptPlan(world: SampleWorld, plan: Plan): string {
  const plans = plansOf(world);
  const id = `plan-${plans.size + 1}`;
  plans.set(id, plan);
  return id;
}

function planOf(world: SampleWorld, chosen: readonly string[] | null, inPlace: boolean): ImportPlanView {
  const known = (name: string) => world.get('clusters', name) !== null;
  const taken = contexts.filter(({ context }) => chosen === null || chosen.includes(context));
  const fresh = taken.filter(({ context }) => !known(context));
  const plain = users.map(({ secret, line }) => ({ what: secret, file, line: line + 2 }));
  return {
    id: keptPlan(world, { chosen, inPlace }),
    inPlace,
    offlineAccess: null,
    files: [{ path: file, exists: true, openToOthers: '0644' }],
    allContexts: contexts.map(({ context }) => ({ context, name: context })),
    problems: [],
    hidden: [],
    refused: null,
    users: users
      .filter(({ user }) => taken.some((each) => each.user === user))
      .map(({ user, line, kind, description, account }) => ({
        user,
        file,
        line,
        kind,
        description,
        becomes: {
          account,
          exists: world.get('accounts', account) !== null,
          replaces: false,
          needsLogin: kind === 'kubelogin',
          canBeNamed: false,
        },
        of: user,
        neededBy: [],
        notes: [],
      })),
    contexts: taken.map(({ context, user, server, account }) => ({
      context,
      name: context,
      displayName: null,
      aliases: [],
      labels: {},
      mark: null,
      nameMark: null,
      server,
      user,
      becomes: { cluster: context, account, exists: known(context), replaces: null, canBeNamed: false },
      notes: [],
    })),
    programs: [],
    questions:
      fresh.length === 0
        ? []
        : [
            {
              id: 'q0',
              kind: 'unknownAuthority',
              heading: 'servers that Lanyard doesn’t know yet',
              asked:
                fresh.length === 1
                  ? 'Trust the servers of this context?'
                  : `Trust the servers of these ${fresh.length} contexts?`,
              lines: fresh.map(({ context, server }) => `${context} at ${server}: ${fingerprint}`),
              contexts: fresh.map(({ context }) => context),
              isUsual: true,
            },
          ],
    plain: {
      now: { count: plain.length, listed: plain },
      after: inPlace ? { count: 0, listed: [] } : { count: plain.length, listed: plain },
      given: 0,
    },
    notes: [],
    stillHeld: [],
    diffs:
      fresh.length === 0
        ? []
        : [
            { file: config, changes: fresh.length + 2 },
            ...(inPlace ? [{ file, changes: fresh.length }] : []),
          ],
    sum: fresh.length === 0 ? null : `Import 2 accounts and ${fresh.length} clusters?`,
    managed,
  };
}

function addAll(world: SampleWorld, imported: readonly (typeof contexts)[number][]): void {
  for (const { context, server, account } of imported) {
    const isCertificate = account === 'kind-feature-x';
    const kind = isCertificate ? 'clientCertificate' : 'oidc';
    const state = isCertificate ? 'ready' : 'loginNeeded';
    const clusters = imported.filter((each) => each.account === account).map((each) => each.context);
    world.set('accounts', account, {
      name: account,
      kind,
      state,
      subject: isCertificate ? 'CN=kubernetes-admin' : null,
      issuer: isCertificate ? null : 'https://id.corp.example',
      expiresAt: null,
      credential: null,
      endIs: null,
      problem: isCertificate ? null : 'Not logged in yet.',
      clockOffSeconds: null,
      clusters,
      registries: [],
      login: null,
      wanted: null,
      byHand: isCertificate,
      failures: 0,
      waitsAtToken: false,
      tokenIsOut: false,
    });
    world.set('clusters', context, {
      name: context,
      displayName: null,
      aliases: [],
      labels: {},
      mark: null,
      nameMark: null,
      server,
      origin: null,
      account,
      kind,
      state,
      problem: isCertificate ? null : 'Not logged in yet.',
      credential: null,
      byHand: isCertificate,
      audience: null,
      approval: 'never',
      isInsecure: false,
      isProxied: false,
      context: null,
      isPending: false,
      lastCall: null,
      laneVersion: 1,
    });
  }
}

import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadStated } from './draft-account.ts';
import { loadOptions, loadValue } from './testing/load-value.ts';

const v1 = 'client.authentication.k8s.io/v1';
const accounts = {
  corp: { oidc: { issuer: 'https://id.example', clientId: 'k' } },
  fleet: { execPlugin: { apiVersion: v1, command: 'p', interactiveMode: 'Never' } },
  ghcr: { registry: {} },
};
const eks = { name: 'eks', account: 'fleet' };
const good = { cluster: 'hub', providers: [eks] };

const load = (inventory: object, others: object = {}) =>
  loadValue({
    accounts,
    clusters: { hub: { server: 'https://hub', account: 'corp' } },
    inventories: { fleet: inventory },
    ...others,
  });

/** Severity and text, without the entry’s place. */
async function problemsOf(inventory: object): Promise<string[]> {
  const { config, problems } = await load(inventory);
  expect(config === null).toBe(problems.some((each) => each.startsWith('error')));
  return problems.map((each) => each.replace('inventories.fleet', '…'));
}

const of = (fields: object) => ({ ...good, providers: [{ ...eks, ...fields }] });

describe('an inventory of config.yaml', () => {
  test('of a hub, with all that it can say', async () => {
    const { config, problems } = await load({
      ...good,
      namespaces: ['fleet'],
      labelSelector: 'env in (prod, dev)',
      providers: [
        {
          ...eks,
          profileSourcedCLIArgsPolicy: 'Append',
          profileSourcedEnvVarsPolicy: 'AppendIfNotExists',
          allowedEnvVars: ['AWS_PROFILE'],
          servers: ['*.eks.amazonaws.com'],
        },
        { name: 'corp', account: 'corp', audience: 'https://{inventory}.example/{namespace}/{name}' },
      ],
      servers: ['api.example.com', '*.example.com', '10.0.0.0/8', 'https://proxy.example.com/clusters'],
      serverRewrites: [{ from: 'https://proxy.svc/clusters', to: 'https://proxy.example.com/clusters' }],
      contextName: '{clusterset}/{displayName}',
      select: 'env=prod',
      contexts: 50,
      trusted: true,
    });
    expect(problems).toEqual([]);
    expect(config?.inventories.get('fleet')?.config).toMatchObject({ cluster: 'hub', contexts: 50 });
  });

  test('of files, whose paths count from config.yaml’s folder', async () => {
    const { config, problems } = await load({ files: ['fleet', '~/all.yaml', '/x'], providers: [eks] });
    expect(problems).toEqual([]);
    expect(config?.inventories.get('fleet')?.config.files).toEqual([
      resolve('/etc/lanyard/fleet'),
      resolve('/home/u/all.yaml'),
      resolve('/x'),
    ]);
  });

  test.each<[object, string]>([
    [{ providers: [eks] }, 'error …: expected `cluster`, the hub, or `files`'],
    [{ ...good, files: ['a'] }, 'error ….files: there is a hub already (cluster); make an inventory of each'],
    [
      { files: ['a'], providers: [eks], namespaces: ['b'] },
      'error ….namespaces: is what a hub is asked for, and files are read whole; leave it out',
    ],
    [
      { ...good, cluster: 'hbu' },
      'error ….cluster: there is no cluster hbu in config.yaml (did you mean hub?)',
    ],
    [
      of({ account: 'flete' }),
      'error ….providers.0.account: there is no account flete (did you mean fleet?)',
    ],
    [
      of({ account: 'ghcr' }),
      'error ….providers.0.account: a cluster takes a token or a certificate; ghcr has the password of a registry',
    ],
    [
      of({ audience: '{name}' }),
      'error ….providers.0.audience: a token for an audience is exchanged by an oidc account; fleet is none',
    ],
    [
      { ...good, providers: [eks, { name: 'eks', account: 'corp' }] },
      'error ….providers.1.name: there is a provider eks already, and the first counts',
    ],
    [
      of({ account: 'corp', profileSourcedCLIArgsPolicy: 'Append' }),
      'error ….providers.0.profileSourcedCLIArgsPolicy: only an exec plugin gets arguments and variables for one cluster; corp is none',
    ],
    [
      of({ profileSourcedEnvVarsPolicy: 'Replace', allowedEnvVars: ['A', 'LD_PRELOAD'] }),
      'error ….providers.0.allowedEnvVars.1: makes programs load or run something else, and never reaches a plugin',
    ],
    [
      of({ allowedEnvVars: ['A'] }),
      'warning ….providers.0.allowedEnvVars: has no effect while profileSourcedEnvVarsPolicy is Ignore',
    ],
    [
      of({ profileSourcedEnvVarsPolicy: 'Replace' }),
      'warning ….providers.0.profileSourcedEnvVarsPolicy: lets nothing through: allowedEnvVars names no variable',
    ],
    [
      of({ profileSourcedEnvVarsPolicy: 'Allow' }),
      'error ….providers.0.profileSourcedEnvVarsPolicy: expected Ignore or AppendIfNotExists or Replace',
    ],
    [
      { ...good, servers: ['a.b', '*'] },
      'error ….servers.1: a * stands for the names below a domain, as in *.example.com, and nowhere else',
    ],
    [
      of({ servers: ['10.0.0.0/40'] }),
      'error ….providers.0.servers.0: expected addresses such as 10.0.0.0/8; for a path write the whole https:// URL',
    ],
    [
      { ...good, contextName: '{nmae}' },
      'error ….contextName: has {nmae}; there are {clusterset}, {location}, {displayName}, {namespace}, {name}, {inventory}',
    ],
    [
      of({ account: 'corp', audience: '{displayName}' }),
      'error ….providers.0.audience: has {displayName}; there are {inventory}, {namespace}, {name}',
    ],
    [
      { ...good, serverRewrites: [{ from: 'https://a', to: 'https://me@b' }] },
      'error ….serverRewrites.0.to: not a plain scheme://host:port address',
    ],
    [{ ...good, select: 'env in prod' }, 'error ….select: has prod where ( is expected'],
    [{ ...good, labelSelector: '=' }, 'error ….labelSelector: has = where a label’s key is expected'],
    [{ ...good, namespaces: ['A'] }, 'error ….namespaces.0: expected lower-case letters, digits and -'],
    [{ ...good, trust: true }, 'error ….trust: unknown key (did you mean trusted?)'],
    [{ cluster: 'hub' }, 'error ….providers: is missing; expected a list'],
  ])('%j', async (inventory, problem) => {
    expect(await problemsOf(inventory)).toEqual([problem]);
  });

  test('a cluster that an inventory listed is no hub: config.yaml alone counts', async () => {
    const { problems } = await load(good, { clusters: {} });
    expect(problems).toEqual(['error inventories.fleet.cluster: there is no cluster hub in config.yaml']);
  });
});

test('what the user states is approved without the hub and the accounts, which config.yaml has', async () => {
  const { inventories } = await loadStated(
    [
      { kind: 'set', what: 'inventory', name: 'fleet', value: good },
      { kind: 'set', what: 'inventory', name: 'bad', value: { ...good, servers: ['*'] } },
    ],
    loadOptions,
  );
  expect([...inventories.keys()]).toEqual(['fleet']);
});

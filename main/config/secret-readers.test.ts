import { describe, expect, test } from 'vitest';
import { checkDraft, loadStated } from './draft-account.ts';
import { loadOptions, loadValue } from './testing/load-value.ts';

const hub = { server: 'https://hub', account: 'corp' };
const accounts = {
  corp: { staticToken: {} },
  fleet: { secretReader: { cluster: 'hub', namespace: 'fleet' } },
};
const spoke = { server: 'https://spoke', account: 'fleet', execConfig: { clusterName: 'spoke' } };

async function load(config: object) {
  const { config: loaded, problems } = await loadValue({ accounts, clusters: { hub, spoke }, ...config });
  return { loaded, problems };
}

describe('an account that reads Secrets of a hub', () => {
  test('is valid with its hub, its namespace, and a Secret for each cluster', async () => {
    const { loaded, problems } = await load({});
    expect(problems).toEqual([]);
    expect(loaded?.accounts.get('fleet')?.config).toEqual({
      secretReader: { cluster: 'hub', namespace: 'fleet', key: 'token' },
    });
  });

  const reader = (fields: object, kind = 'secretReader') => ({
    accounts: { ...accounts, fleet: { [kind]: { cluster: 'hub', namespace: 'fleet', ...fields } } },
  });
  const at = 'error accounts.fleet.secretReader';
  test.each<[string, object, RegExp]>([
    ['an unknown hub', reader({ cluster: 'hubb' }), /secretReader\.cluster: there is no cluster hubb.*hub/],
    [
      'a namespace with a slash',
      reader({ namespace: 'a/b' }),
      /secretReader\.namespace: expected lower-case/,
    ],
    ['a key with a slash', reader({ key: 'a/b' }), /secretReader\.key: expected letters/],
    ['a secret of its own', reader({ token: 'canary' }), /secretReader\.token: /],
    [
      'a hub that asks first',
      { clusters: { spoke, hub: { ...hub, approval: '15m' } } },
      /secretReader\.cluster: hub asks you before a credential goes to it \(approval\)/,
    ],
    [
      'itself as its hub’s account',
      { clusters: { spoke, hub: { ...hub, account: 'fleet', execConfig: { clusterName: 'hub' } } } },
      /secretReader\.cluster: the credential for the hub would come from the account itself: fleet → fleet/,
    ],
    [
      'a loop of two',
      {
        accounts: { ...accounts, corp: { secretReader: { cluster: 'spoke', namespace: 'fleet' } } },
        clusters: { spoke, hub: { ...hub, execConfig: { clusterName: 'hub' } } },
      },
      /secretReader\.cluster: the credential for the hub would come from the account itself: fleet → corp → fleet/,
    ],
  ])('is none with %s', async (_, config, problem) => {
    const { loaded, problems } = await load(config);
    expect(loaded).toBeNull();
    expect(problems).toContainEqual(expect.stringMatching(problem));
    expect(problems.join()).not.toContain('canary');
    expect(problems.every((each) => each.startsWith('error accounts.') || each.startsWith(at))).toBe(true);
  });

  test.each<[string, object, RegExp]>([
    ['no Secret', { execConfig: undefined }, /clusters\.spoke\.account: .* has no execConfig\.clusterName/],
    ['a path', { execConfig: { clusterName: '../a' } }, /clusters\.spoke\.execConfig: .* no Secret can have/],
    ['an audience', { audience: 'a' }, /clusters\.spoke\.audience: /],
  ])('serves no cluster with %s', async (_, fields, problem) => {
    const { loaded, problems } = await load({ clusters: { hub, spoke: { ...spoke, ...fields } } });
    expect(loaded).toBeNull();
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test('serves no registry', async () => {
    const { problems } = await load({ registries: { ghcr: { matchImages: ['ghcr.io'], account: 'fleet' } } });
    expect(problems).toEqual([
      'error registries.ghcr.account: fleet reads credentials of clusters, and a registry is none',
    ]);
  });
});

describe('a draft of one', () => {
  const look = async (value: unknown, name = 'new') => {
    const { loaded } = await load({});
    const { account, findings } = await checkDraft(name, value, loadOptions, loaded ?? expect.unreachable());
    return [account !== null, findings.map(({ text }) => text)];
  };

  test('knows the hub of config.yaml', async () => {
    expect(await look({ secretReader: { cluster: 'hub', namespace: 'a' } })).toEqual([true, []]);
    expect(await look({ secretReader: { cluster: 'none', namespace: 'a' } })).toEqual([
      false,
      ['there is no cluster none in config.yaml'],
    ]);
  });

  test('finds a loop', async () => {
    expect(await look({ kubeconfigSecretReader: { cluster: 'spoke', namespace: 'a' } }, 'fleet')).toEqual([
      false,
      ['the credential for the hub would come from the account itself: fleet → fleet'],
    ]);
    expect(await look({ kubeconfigSecretReader: { cluster: 'spoke', namespace: 'a' } }, 'corp')).toEqual([
      false,
      ['the credential for the hub would come from the account itself: corp → fleet → corp'],
    ]);
  });

  test('is stated though its hub isn’t among the edits', async () => {
    const value = { secretReader: { cluster: 'hub', namespace: 'a' } };
    const stated = await loadStated([{ kind: 'set', what: 'account', name: 'new', value }], loadOptions);
    expect([...stated.accounts.keys()]).toEqual(['new']);
    const wrong = { secretReader: { cluster: 'hub', namespace: 'a/b' } };
    const none = await loadStated([{ kind: 'set', what: 'account', name: 'new', value: wrong }], loadOptions);
    expect([...none.accounts.keys()]).toEqual([]);
  });
});

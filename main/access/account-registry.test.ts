import { describe, expect, it } from 'vitest';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import { refuse } from '../contract/refusal.ts';
import type { PendingChange } from '../domain/approval/binding.ts';
import { noEntries } from '../domain/testing/no-entries.ts';
import type { Account } from '../ports/account.ts';
import type { ConfigProblem, LoadedAccount, LoadedCluster, LoadedConfig } from '../ports/config-store.ts';
import { AccountRegistry } from './account-registry.ts';

function loaded(file: string): LoadedAccount {
  return { name: 'bot', config: { staticToken: { file } }, certificateAuthorityPem: null };
}

function setUp(file = '/a') {
  const state: {
    config: LoadedConfig;
    held: PendingChange | null;
    problems: ConfigProblem[];
  } = {
    config: { ...noEntries, accounts: new Map([['bot', loaded(file)]]), settings: defaultSettings },
    held: null,
    problems: [],
  };
  const made: { loaded: LoadedAccount; isCurrent: () => boolean }[] = [];
  const gone: string[] = [];
  const registry = new AccountRegistry({
    config: { current: () => state.config, problems: () => state.problems },
    bindings: {
      pending: () => state.held,
      isServed: () => state.held === null,
      pendingClusters: () => [],
      pendingRegistries: () => [],
    },
    make: (account, isCurrent): Account => {
      made.push({ loaded: account, isCurrent });
      return {
        name: account.name,
        kind: 'staticToken',
        current: async () => null,
        renew: async () => refuse('internal', 'x', 'x'),
        state: () => Promise.reject(new Error('not asked here')),
      };
    },
    onGone: (name) => void gone.push(name),
  });
  const put = (entry: LoadedAccount | null) => {
    state.config = {
      ...noEntries,
      accounts: new Map(entry ? [['bot', entry]] : []),
      settings: defaultSettings,
    };
  };
  return { registry, state, made, gone, put };
}

describe('AccountRegistry', () => {
  it('keeps an account as long as its configuration is the same, also when the file was read again', () => {
    const { registry, made, gone, put } = setUp();
    const first = registry.account('bot');
    put(loaded('/a'));
    expect(registry.account('bot')).toEqual(first);
    expect(made).toHaveLength(1);
    expect(gone).toEqual([]);
  });

  it('makes it anew when its configuration changed, and the old one learns that it is not current', () => {
    const { registry, made, gone, put } = setUp();
    registry.account('bot');
    expect(made[0]?.isCurrent()).toBe(true);
    put(loaded('/b'));
    registry.refresh();
    expect(made.map((each) => each.isCurrent())).toEqual([false, true]);
    expect(gone).toEqual(['bot']);
  });

  it('ends it when it is removed, not only when it is next asked for', () => {
    const { registry, made, gone, put } = setUp();
    registry.account('bot');
    put(null);
    registry.refresh();
    expect(gone).toEqual(['bot']);
    expect(made[0]?.isCurrent()).toBe(false);
  });

  it('refuses what has no approved form', () => {
    const { registry, state } = setUp();
    state.held = {
      what: 'account',
      name: 'bot',
      change: 'new',
      served: false,
      lines: [],
      before: null,
      after: '{}',
      form: null,
    };
    expect(registry.account('bot')).toMatchObject({ reason: 'notPermitted', code: 'binding.held' });
    const config = clusterSchema.parse({ server: 'https://a.example.com', account: 'bot' });
    const own = { name: 'own', config, certificateAuthorityPem: null };
    const origin = { inventory: 'fleet', namespace: 'team', name: 'eu', uid: 'u', provider: 'eks' };
    const clusters = new Map<string, LoadedCluster>([
      ['own', own],
      ['eu', { ...own, name: 'eu', origin }],
    ]);
    state.config = { ...state.config, clusters };
    expect(registry.cluster('own')).toMatchObject({
      message: 'the cluster own in config.yaml is pending approval: nothing is issued for it until then',
    });
    expect(registry.cluster('eu')).toMatchObject({
      message:
        'the cluster eu, a profile of the inventory fleet, is pending approval: nothing is issued for it until then',
    });
  });

  it('names the nearest for a name that is not there', () => {
    expect(setUp().registry.account('bott')).toMatchObject({ reason: 'notFound', hint: 'did you mean bot?' });
  });

  it('says that config.yaml has errors where a name is missing because of that', () => {
    const { registry, state } = setUp();
    state.problems = [
      { severity: 'error', file: '/c', line: 3, column: 1, path: [], message: 'a name twice' },
    ];
    expect(registry.account('new')).toMatchObject({ hint: expect.stringContaining('line 3: a name twice') });
  });
});

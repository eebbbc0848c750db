import { describe, expect, it, vi } from 'vitest';
import { FakeVault } from './accounts/testing/fake-vault.ts';
import { Bindings } from './bindings.ts';
import { cluster as clusterSchema, defaultSettings } from './contract/config.ts';
import type { LoadedCluster, LoadedConfig } from './ports/config-store.ts';
import type { VaultState } from './ports/vault.ts';

function configWith(server: string, more: Record<string, string> = {}): LoadedConfig {
  const make = (name: string, address: string): [string, LoadedCluster] => [
    name,
    {
      name,
      config: clusterSchema.parse({ server: address, account: 'corp' }),
      certificateAuthorityPem: null,
    },
  ];
  return {
    accounts: new Map([
      ['corp', { name: 'corp', config: { staticToken: {} }, certificateAuthorityPem: null }],
    ]),
    clusters: new Map([make('prod', server), ...Object.entries(more).map(([name, at]) => make(name, at))]),
    settings: defaultSettings,
  };
}

function setUp(config: LoadedConfig, atStart?: VaultState) {
  const state = { config };
  const vault = new FakeVault();
  if (atStart) {
    vault.state = () => atStart;
  }
  return { state, vault, bindings: new Bindings({ config: { current: () => state.config }, vault }) };
}

describe('Bindings (rule 8)', () => {
  it('holds a change that came from outside, until a person confirms it', async () => {
    const { state, bindings } = setUp(configWith('https://a'));
    await bindings.confirmAll(state.config);
    expect(bindings.changes()).toEqual([]);
    state.config = configWith('https://evil');
    expect(bindings.held('cluster', 'prod')).toMatchObject({ change: 'changed' });
    expect(bindings.held('account', 'corp')).toBeNull();
    expect(await bindings.confirmAll(state.config)).toBe(true);
    expect(bindings.changes()).toEqual([]);
  });

  it('takes nothing where the configuration changed while the person looked', async () => {
    const { state, bindings } = setUp(configWith('https://a'));
    const seen = state.config;
    state.config = configWith('https://evil');
    expect(await bindings.confirmAll(seen)).toBe(false);
    expect(bindings.held('cluster', 'prod')).not.toBeNull();
  });

  it('confirms one name without the others', async () => {
    const { state, bindings } = setUp(configWith('https://a'));
    await bindings.confirmAll(state.config);
    state.config = configWith('https://evil', { dev: 'https://dev' });
    await bindings.confirm('cluster', 'dev');
    expect(bindings.changes().map(({ name }) => name)).toEqual(['prod']);
  });

  it('confirms many names in one write of the vault, and tells of it once', async () => {
    const { state, vault, bindings } = setUp(configWith('https://a'));
    await bindings.confirmAll(state.config);
    state.config = configWith('https://evil', {
      dev: 'https://dev',
      test: 'https://test',
      account: 'https://x',
    });
    const [updates, told] = [vi.spyOn(vault, 'update'), vi.fn()];
    bindings.onConfirmed(told);
    await bindings.confirmMany([
      { what: 'cluster', name: 'dev' },
      { what: 'cluster', name: 'test' },
      { what: 'account', name: 'corp' },
    ]);
    expect(bindings.changes().map(({ name }) => name)).toEqual(['prod', 'account']);
    expect([updates.mock.calls.length, told.mock.calls.length]).toEqual([1, 1]);
  });

  it('forgets a name that was removed: added again, it is new', async () => {
    const { state, bindings } = setUp(configWith('https://a', { dev: 'https://dev' }));
    const withDev = state.config;
    await bindings.confirmAll(state.config);
    state.config = configWith('https://a');
    await bindings.confirm('cluster', 'dev');
    state.config = withDev;
    expect(bindings.held('cluster', 'dev')).toMatchObject({ change: 'new' });
  });

  const open = (generation: number) =>
    ({ kind: 'open', slots: ['keychain'], generation }) as const satisfies VaultState;

  it('approves the configuration found at the start when the vault is first made, and no later one', async () => {
    const { bindings, state, vault } = setUp(configWith('https://a'), open(1));
    await bindings.adoptNewVault();
    expect(bindings.changes()).toEqual([]);
    vault.state = () => open(2);
    state.config = configWith('https://evil');
    await bindings.adoptNewVault();
    expect(bindings.changes()).toHaveLength(1);
  });

  it.each<[string, LoadedConfig | undefined, string[]]>([
    ['what was found at the start, where nothing was shown', undefined, ['prod', 'sly']],
    ['what the person was shown', configWith('https://b', { sly: 'https://sly' }), []],
    ['no more than the person was shown', configWith('https://b'), ['sly']],
  ])('with a vault made later approves %s', async (_, seen, left) => {
    const { bindings, state, vault } = setUp(configWith('https://a'), { kind: 'none', reason: 'a test' });
    state.config = configWith('https://b', { sly: 'https://sly' });
    vault.state = () => open(1);
    await bindings.adoptNewVault(seen);
    expect(bindings.changes().map(({ name }) => name)).toEqual(left);
    expect(bindings.held('account', 'corp')).toBeNull();
  });

  it('approves nothing unseen where a new vault follows one that was there at the start', async () => {
    const { bindings, vault } = setUp(configWith('https://a'), {
      kind: 'broken',
      code: 'vault.broken.x',
      reason: 'a test',
      hint: 'none',
    });
    vault.state = () => open(1);
    const update = vi.spyOn(vault, 'update');
    await bindings.adoptNewVault();
    expect(bindings.changes().map(({ name }) => name)).toEqual(['corp', 'prod']);
    // It isn't the first generation any more, which the next start would take for a new vault.
    expect(update).toHaveBeenCalledOnce();
  });

  it('has the idle limit that a person confirmed in force, not the file’s, and none while locked', async () => {
    const { state, vault, bindings } = setUp(configWith('https://a'));
    const withLimit = (afterIdle: string) => {
      state.config = { ...state.config, settings: { ...defaultSettings, lock: { afterIdle } } };
    };
    expect(bindings.idleLimit()).toBeNull();
    withLimit('15m');
    expect(bindings.idleLimit()).toBeNull();
    await bindings.confirmAll(state.config);
    expect(bindings.idleLimit()).toBe(900_000);
    withLimit('90d');
    expect(bindings.idleLimit()).toBe(900_000);
    await bindings.confirm('setting', 'lock');
    expect(bindings.idleLimit()).toBe(90 * 86_400_000);
    vault.state = () => ({ kind: 'none', reason: '' });
    expect(bindings.idleLimit()).toBeNull();
  });

  it('takes a setting as it is now, also that it is gone', async () => {
    const { state, bindings } = setUp(configWith('https://a'));
    await bindings.confirmAll(state.config);
    const unsaid = state.config;
    state.config = { ...unsaid, settings: { ...unsaid.settings, lock: { afterIdle: '15m' } } };
    expect(bindings.held('setting', 'lock')).toMatchObject({ lines: ['+ afterIdle: 15m'] });
    await bindings.confirm('setting', 'lock');
    expect(bindings.changes()).toEqual([]);
    state.config = unsaid;
    expect(bindings.held('setting', 'lock')).toMatchObject({ lines: ['- afterIdle: 15m'] });
    await bindings.confirm('setting', 'lock');
    expect(bindings.changes()).toEqual([]);
  });

  it('tells nothing while the vault is locked', () => {
    const { vault, bindings } = setUp(configWith('https://a'));
    vault.locked = true;
    expect(() => bindings.changes()).toThrow(expect.objectContaining({ code: 'vault.locked' }));
  });
});

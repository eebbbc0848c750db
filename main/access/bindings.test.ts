import { describe, expect, it, vi } from 'vitest';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { account as accountSchema } from '../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import { noEntries, noTexts } from '../domain/testing/no-entries.ts';
import type { LoadedCluster, LoadedConfig } from '../ports/config-store.ts';
import type { Session, VaultState } from '../ports/vault.ts';
import { Bindings } from './bindings.ts';

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
    ...noEntries,
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
  const bindings = new Bindings({ config: { current: () => state.config }, vault });
  /** Approves what is pending of these, or all, as it is shown now. */
  const approve = (...names: string[]) => {
    const changes = bindings.changes().filter(({ name }) => names.length === 0 || names.includes(name));
    return bindings.approve({ changes }, { forgetGone: names.length === 0 });
  };
  return { state, vault, bindings, approve };
}

describe('Bindings (rule: confirmed-binding)', () => {
  it('holds back a change from outside until the user approves it', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    expect(bindings.changes()).toEqual([]);
    state.config = configWith('https://evil');
    expect(bindings.pending('cluster', 'prod')).toMatchObject({ change: 'changed' });
    expect(bindings.pending('account', 'corp')).toBeNull();
    await approve();
    expect(bindings.changes()).toEqual([]);
  });

  it('approves what was shown, not what the file says by then', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    const shown = bindings.changes();
    state.config = configWith('https://evil');
    await bindings.approve({ changes: shown });
    expect(bindings.pending('cluster', 'prod')).toMatchObject({
      change: 'changed',
      lines: ['- server: https://a', '+ server: https://evil'],
    });
    await expect(bindings.approve({ changes: shown })).rejects.toMatchObject({ code: 'confirm.changed' });
    await approve();
    expect(bindings.changes()).toEqual([]);
  });

  it('confirms one name without the others', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    state.config = configWith('https://evil', { dev: 'https://dev' });
    await approve('dev');
    expect(bindings.changes().map(({ name }) => name)).toEqual(['prod']);
  });

  it('confirms many names in one write of the vault, and tells of it once', async () => {
    const { state, vault, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    state.config = configWith('https://evil', {
      dev: 'https://dev',
      test: 'https://test',
      account: 'https://x',
    });
    const [updates, told] = [vi.spyOn(vault, 'update'), vi.fn()];
    bindings.onConfirmed(told);
    await approve('dev', 'test', 'corp');
    expect(bindings.changes().map(({ name }) => name)).toEqual(['prod', 'account']);
    expect([updates.mock.calls.length, told.mock.calls.length]).toEqual([1, 1]);
  });

  it('forgets a name that was removed: added again, it is new', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a', { dev: 'https://dev' }));
    const withDev = state.config;
    await approve();
    state.config = configWith('https://a');
    await approve();
    state.config = withDev;
    expect(bindings.pending('cluster', 'dev')).toMatchObject({ change: 'new' });
  });

  it.each([
    ['a secret', { secrets: { corp: { token: new Secret('t') } } }],
    ['a login', { sessions: { corp: {} as Session } }],
  ])(
    'keeps what was approved of a removed account that has %s: it comes back, or is a change of it',
    async (_, held) => {
      const { state, vault, bindings, approve } = setUp(configWith('https://a'));
      await approve();
      vault.content = { ...vault.content, ...held };
      const before = state.config;
      state.config = { ...before, accounts: new Map(), clusters: new Map() };
      await approve();
      state.config = { ...before, clusters: new Map() };
      expect(bindings.changes()).toEqual([]);
      const corp = {
        name: 'corp',
        config: accountSchema.parse({ oidc: { issuer: 'https://evil.example', clientId: 'x' } }),
        certificateAuthorityPem: null,
      };
      state.config = { ...before, accounts: new Map([['corp', corp]]), clusters: new Map() };
      expect(bindings.pending('account', 'corp')).toMatchObject({
        change: 'changed',
        lines: expect.arrayContaining(['- kind: staticToken', '+ issuer: https://evil.example']),
      });
    },
  );

  it('forgets a removed account of which the vault has nothing', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    const before = state.config;
    state.config = { ...before, accounts: new Map(), clusters: new Map() };
    await approve();
    state.config = before;
    expect(bindings.pending('account', 'corp')).toMatchObject({ change: 'new' });
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

  it('approves no profile in use unseen when the vault is first made', async () => {
    const found = configWith('https://a', { fleet: 'https://hub.example.com' });
    const profile = found.clusters.get('fleet');
    const origin = { inventory: 'i', namespace: 'n', name: 'fleet', uid: null, provider: 'p' };
    const clusters = new Map(found.clusters);
    if (profile) {
      clusters.set('fleet', { ...profile, origin });
    }
    const { bindings } = setUp({ ...found, clusters }, open(1));
    await bindings.adoptNewVault();
    expect(bindings.changes().map(({ name }) => name)).toEqual(['fleet']);
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
    expect(bindings.pending('account', 'corp')).toBeNull();
  });

  it('with a new vault binds the programs that were shown, not what is there by now', async () => {
    const shown = { path: '/usr/bin/plugin', sha256: 'a' };
    const config: LoadedConfig = { ...configWith('https://a'), accounts: new Map() };
    const plugin = accountSchema.parse({
      execPlugin: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'plugin',
        interactiveMode: 'Never',
      },
    });
    const eks = { name: 'eks', config: plugin, certificateAuthorityPem: null };
    const seen = { ...config, accounts: new Map([['eks', eks]]) };
    const vault = new FakeVault();
    vault.state = () => open(1);
    const bindings = new Bindings({
      config: { current: () => seen },
      vault,
      programs: async () => ({ eks: { path: '/tmp/plugin', sha256: 'b' } }),
    });
    await bindings.adoptNewVault(seen, { eks: shown, other: shown });
    expect(vault.content.confirmed.programs).toEqual({ eks: shown });
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

  it('uses the approved idle limit, not the file’s, and none while locked', async () => {
    const { state, vault, bindings, approve } = setUp(configWith('https://a'));
    const withLimit = (afterIdle: string) => {
      state.config = { ...state.config, settings: { ...defaultSettings, lock: { afterIdle } } };
    };
    expect(bindings.idleLimit()).toBeNull();
    // What only narrows applies at once.
    withLimit('15m');
    expect(bindings.idleLimit()).toBe(900_000);
    await approve();
    expect(bindings.idleLimit()).toBe(900_000);
    withLimit('90d');
    expect(bindings.idleLimit()).toBe(900_000);
    await approve('lock');
    expect(bindings.idleLimit()).toBe(90 * 86_400_000);
    vault.state = () => ({ kind: 'none', reason: '' });
    expect(bindings.idleLimit()).toBeNull();
  });

  it('keeps the approval of a profile that its hub has no more for now: who chooses profiles forgets it', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    const fleet = { inventory: 'fleet', namespace: 'team', name: 'eu', uid: 'u-1', provider: 'eks' };
    const own = state.config;
    const prod = own.clusters.get('prod') as LoadedCluster;
    const eu: LoadedCluster = { ...prod, name: 'eu', origin: fleet };
    state.config = { ...own, clusters: new Map([...own.clusters, ['eu', eu]]) };
    const withProfile = state.config;
    await approve();
    state.config = { ...own, clusters: new Map() };
    await approve();
    state.config = withProfile;
    expect(bindings.changes().map(({ name }) => name)).toEqual(['prod']);
  });

  it('takes a setting as it is now, also that it is gone', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    const unsaid = state.config;
    state.config = { ...unsaid, settings: { ...unsaid.settings, lock: { afterIdle: '15m' } } };
    expect(bindings.pending('setting', 'lock')).toMatchObject({ lines: ['+ afterIdle: 15m (applies now)'] });
    await approve('lock');
    expect(bindings.changes()).toEqual([]);
    state.config = unsaid;
    expect(bindings.pending('setting', 'lock')).toMatchObject({ lines: ['- afterIdle: 15m'] });
    await approve('lock');
    expect(bindings.changes()).toEqual([]);
  });

  it('tells nothing while the vault is locked', () => {
    const { vault, bindings } = setUp(configWith('https://a'));
    vault.locked = true;
    expect(() => bindings.changes()).toThrow(expect.objectContaining({ code: 'vault.locked' }));
  });

  it('serves the approved form until a change is approved, and nothing of what is new', async () => {
    const { state, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    state.config = configWith('https://evil', { dev: 'https://dev' });
    const server = (name: string) => bindings.activeConfig().clusters.get(name)?.config.server;
    expect([server('prod'), bindings.isServed('cluster', 'prod')]).toEqual(['https://a', true]);
    expect(bindings.isServed('cluster', 'dev')).toBe(false);
    await approve();
    expect([server('prod'), bindings.isServed('cluster', 'dev')]).toEqual(['https://evil', true]);
    state.config = configWith('https://evil');
    expect([...bindings.activeConfig().clusters.keys()]).toEqual(['prod']);
  });

  it('serves it from the vault alone after the broker’s next start', async () => {
    const { state, vault, approve } = setUp(configWith('https://a'));
    await approve();
    state.config = configWith('https://evil');
    const next = new Bindings({ config: { current: () => state.config }, vault });
    expect(next.activeConfig().clusters.get('prod')?.config.server).toBe('https://a');
  });

  it('while locked has what was served, as far as the file still has it, also where that changed', async () => {
    const { state, vault, bindings, approve } = setUp(configWith('https://a', { dev: 'https://dev' }));
    await approve();
    bindings.activeConfig();
    vault.locked = true;
    state.config = configWith('https://evil');
    const served = [...bindings.activeConfig().clusters.values()];
    expect(served.map(({ name, config }) => [name, config.server])).toEqual([['prod', 'https://a']]);
  });

  it('takes forms into a vault of an older Lanyard, of what is as it was approved alone', async () => {
    const { state, vault, bindings, approve } = setUp(configWith('https://a', { dev: 'https://dev' }));
    await approve();
    const forms = noTexts;
    vault.content = { ...vault.content, confirmed: { ...vault.content.confirmed, forms } };
    state.config = configWith('https://a', { dev: 'https://evil' });
    // What it was approved as isn't known any more: nothing is served.
    expect(bindings.isServed('cluster', 'dev')).toBe(false);
    expect(bindings.pending('cluster', 'dev')).toMatchObject({ change: 'changed', served: false });
    await bindings.keepForms();
    state.config = configWith('https://evil', { dev: 'https://evil' });
    expect(bindings.activeConfig().clusters.get('prod')?.config.server).toBe('https://a');
    expect(bindings.isServed('cluster', 'dev')).toBe(false);
  });

  it('serves no form that is not the approved one', async () => {
    const { state, vault, bindings, approve } = setUp(configWith('https://a'));
    await approve();
    const { confirmed } = vault.content;
    const other = confirmed.forms.clusters['prod']?.replace('https://a', 'https://evil') ?? '';
    const forms = { ...confirmed.forms, clusters: { prod: other } };
    vault.content = { ...vault.content, confirmed: { ...confirmed, forms } };
    state.config = configWith('https://third');
    expect(bindings.isServed('cluster', 'prod')).toBe(false);
  });
});

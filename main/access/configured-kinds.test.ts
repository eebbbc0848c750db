import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ConfiguredKind } from '../contract/config/config.ts';
import type { Loaded, LoadedConfig } from '../domain/loaded-config.ts';

/*
 * A further kind of entry, made here: a shelf. All rules of approval are exercised over every kind of the table, with no
 * line of their own for any of them. The modules are loaded anew, since some read the table when they are loaded.
 */
vi.resetModules();
afterAll(() => void vi.resetModules());

const { configuredKinds, groupOf, kindNames } = await import('../contract/config/config.ts');
const schema = z.strictObject({ address: z.string(), open: z.boolean().default(false) });
Object.assign(configuredKinds, { shelf: { group: 'shelves', schema } });

const { kindRules } = await import('../domain/approval/kind-rules.ts');
type Shelf = { config: { address: string; open: boolean } };
Object.assign(kindRules, {
  shelf: {
    shape: ({ config }: Shelf) => JSON.stringify(config),
    narrowed: (approved: Shelf, pending: Shelf) => ({
      ...approved,
      config: { ...approved.config, open: approved.config.open && pending.config.open },
    }),
  },
});

const { FakeVault } = await import('../accounts/testing/fake-vault.ts');
const { editText } = await import('../config/edit.ts');
const { parseYamlText } = await import('../config/yaml-text.ts');
const { defaultSettings } = await import('../contract/config/settings.ts');
const { loadedEntries } = await import('../domain/loaded-config.ts');
const { emptyContent, parseContent, serializeContent } = await import('../vault/content.ts');
const { Bindings } = await import('./bindings.ts');

/** Of each kind: an entry, one with fewer permissions, and one whose credential goes elsewhere. */
const samples: Record<string, { first: object; narrower: object; other: object }> = {
  account: {
    first: { oidc: { issuer: 'https://id', clientId: 'k8s', loginWithoutTerminal: true } },
    narrower: { oidc: { issuer: 'https://id', clientId: 'k8s' } },
    other: { oidc: { issuer: 'https://evil', clientId: 'k8s', loginWithoutTerminal: true } },
  },
  cluster: {
    first: { server: 'https://a', account: 'corp', withoutInfo: 'allow' },
    narrower: { server: 'https://a', account: 'corp' },
    other: { server: 'https://evil', account: 'corp', withoutInfo: 'allow' },
  },
  registry: {
    first: { matchImages: ['a.example'], account: 'corp', approval: '15m' },
    narrower: { matchImages: ['a.example'], account: 'corp', approval: 'always' },
    other: { matchImages: ['evil.example'], account: 'corp', approval: '15m' },
  },
  inventory: {
    first: { cluster: 'hub', providers: [{ name: 'eks', account: 'corp' }], trusted: true },
    narrower: { cluster: 'hub', providers: [{ name: 'eks', account: 'corp' }] },
    other: { cluster: 'evil', providers: [{ name: 'eks', account: 'corp' }], trusted: true },
  },
  shelf: {
    first: { address: 'a', open: true },
    narrower: { address: 'a' },
    other: { address: 'evil', open: true },
  },
};

type Values = Partial<Record<string, object>>;

/** A configuration with one entry of each of these kinds, all by one name. */
function configOf(values: Values): LoadedConfig {
  const entries = loadedEntries(<Kind extends ConfiguredKind>(kind: Kind) => {
    const value = values[kind];
    const config = value && configuredKinds[kind].schema.parse(value);
    return new Map(
      config && [['prod', { name: 'prod', config, certificateAuthorityPem: null } as Loaded<Kind>]],
    );
  });
  return { ...entries, settings: defaultSettings };
}

const firstOfEach = Object.fromEntries(Object.entries(samples).map(([kind, { first }]) => [kind, first]));

async function approvedWorld() {
  const state = { config: configOf(firstOfEach) };
  const vault = new FakeVault();
  const bindings = new Bindings({ config: { current: () => state.config }, vault });
  await bindings.approve({ changes: bindings.changes() });
  return { state, vault, bindings };
}

it('has a sample of every kind', () => {
  expect(Object.keys(samples)).toEqual(kindNames());
});

describe.each(kindNames())('%s (rule: confirmed-binding)', (what) => {
  const entry = { what, name: 'prod' } as const;
  const { first, narrower, other } = samples[what] ?? expect.unreachable();
  const active = (bindings: InstanceType<typeof Bindings>) =>
    bindings.activeConfig()[groupOf(what)].get('prod')?.config;

  it('is not served before it is approved', async () => {
    const config = configOf(firstOfEach);
    const bindings = new Bindings({ config: { current: () => config }, vault: new FakeVault() });
    expect(bindings.isServed(what, 'prod')).toBe(false);
    const shown = bindings.pending(what, 'prod') ?? expect.unreachable();
    expect(shown).toMatchObject({ change: 'new', served: false });
    await bindings.approve({ changes: [shown] });
    expect(bindings.isServed(what, 'prod')).toBe(true);
    expect(bindings.changes().map((each) => each.what)).toEqual(kindNames().filter((each) => each !== what));
  });

  it('is served as it was approved while a change is pending', async () => {
    const { state, bindings } = await approvedWorld();
    const approved = active(bindings);
    state.config = configOf({ ...firstOfEach, [what]: other });
    expect(bindings.pending(what, 'prod')).toMatchObject({ change: 'changed', served: true });
    expect(active(bindings)).toEqual(approved);
    await bindings.approve({ changes: bindings.changes() });
    expect(active(bindings)).toEqual(configuredKinds[what].schema.parse(other));
  });

  it('is narrowed by a pending change', async () => {
    const { state, bindings } = await approvedWorld();
    state.config = configOf({ ...firstOfEach, [what]: narrower });
    expect(active(bindings)).toEqual(configuredKinds[what].schema.parse(narrower));
  });

  it('is forgotten when it is gone, and restored with what was approved of it', async () => {
    const { state, vault, bindings } = await approvedWorld();
    const approval = bindings.approvalOf(entry) ?? expect.unreachable();
    const before = vault.content.confirmed;
    state.config = configOf({ ...firstOfEach, [what]: undefined });
    await bindings.approve({ changes: [] }, { forgetGone: true });
    expect(bindings.approvalOf(entry)).toBeNull();
    expect(vault.content.confirmed.forms[groupOf(what)]).toEqual({});
    await bindings.restore([{ ...entry, approval }]);
    expect(vault.content.confirmed).toEqual(before);
    await bindings.forget([entry]);
    expect(bindings.approvalOf(entry)).toBeNull();
  });

  it('is kept pending by a vault that is restored', async () => {
    const { state, vault, bindings } = await approvedWorld();
    const earlier = vault.content;
    const approval = bindings.approvalOf(entry);
    state.config = configOf({ ...firstOfEach, [what]: other });
    await bindings.approve({ changes: bindings.changes() });
    state.config = configOf({ ...firstOfEach, [what]: first });
    expect(bindings.keepPending(earlier).confirmed[groupOf(what)]).toEqual(
      vault.content.confirmed[groupOf(what)],
    );
    expect(approval).not.toEqual(bindings.approvalOf(entry));
  });

  it('has its form stored where a vault has none of it yet', async () => {
    const { vault, bindings } = await approvedWorld();
    const { confirmed } = vault.content;
    vault.content = { ...vault.content, confirmed: { ...confirmed, forms: emptyContent.confirmed.forms } };
    await bindings.keepForms();
    expect(vault.content.confirmed).toEqual(confirmed);
  });

  it('is written into its group of config.yaml', () => {
    const edit = { kind: 'set', what, name: 'prod', value: first } as const;
    const text = editText(parseYamlText('version: 1\n'), [edit]) ?? expect.unreachable();
    expect(text.value()).toEqual({ version: 1, [groupOf(what)]: { prod: first } });
    const removed = editText(text, [{ kind: 'remove', what, name: 'prod' }]);
    expect(removed?.value()).toEqual({ version: 1, [groupOf(what)]: {} });
  });

  it('has nothing approved in a vault from before its kind, which stays readable', async () => {
    const { vault } = await approvedWorld();
    const { plain, content } = serializeContent(vault.content, 3);
    expect(parseContent(plain, 3)).toEqual(content);
    const older = JSON.parse(plain.toString('utf8'));
    delete older.confirmed[groupOf(what)];
    delete older.confirmed.forms[groupOf(what)];
    const none = { [groupOf(what)]: {} };
    const { confirmed } = vault.content;
    expect(parseContent(Buffer.from(JSON.stringify(older)), 3)?.confirmed).toEqual({
      ...confirmed,
      ...none,
      forms: { ...confirmed.forms, ...none },
    });
  });
});

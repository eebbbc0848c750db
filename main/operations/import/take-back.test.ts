import { expect, it } from 'vitest';
import { Bindings } from '../../access/bindings.ts';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { defaultSettings } from '../../contract/config/settings.ts';
import { noEntries } from '../../domain/testing/no-entries.ts';
import { type TakeBackDeps, takeBack } from './take-back.ts';

/** `held` is what is pending, new or changed; all else is approved. */
function world(held: Record<string, 'new' | 'changed'>, clusters: Record<string, string>) {
  const edits: unknown[] = [];
  let content = { sessions: { corp: 1, ops: 2 }, secrets: { corp: 3, ops: 4 } };
  const deps = {
    config: {
      current: () => ({
        clusters: new Map(
          Object.entries(clusters).map(([name, account]) => [name, { name, config: { account } }]),
        ),
      }),
      edit: async (made: unknown[]) => void edits.push(...made),
    },
    vault: {
      update: async (change: (now: typeof content) => typeof content) => {
        content = change(content);
      },
    },
    bindings: {
      pending: (what: string, name: string) => {
        const change = held[`${what} ${name}`];
        return change === undefined ? null : { change };
      },
      forget: async () => undefined,
    },
    recorder: { record: () => undefined },
  } as unknown as TakeBackDeps;
  return { deps, edits, content: () => content };
}

it('takes out what is new and pending, with its secrets', async () => {
  const { deps, edits, content } = world({ 'account corp': 'new', 'cluster prod': 'new' }, { prod: 'corp' });
  expect(await takeBack({ accounts: ['corp'], clusters: ['prod'] }, deps)).toBe(2);
  expect(edits).toEqual([
    { kind: 'remove', what: 'cluster', name: 'prod' },
    { kind: 'remove', what: 'account', name: 'corp' },
  ]);
  expect(content()).toEqual({ sessions: { ops: 2 }, secrets: { ops: 4 } });
});

it('leaves what was confirmed meanwhile, what was there before, and accounts that others use', async () => {
  const { deps, edits, content } = world(
    { 'account corp': 'new', 'account ops': 'changed' },
    { prod: 'corp', lab: 'ops' },
  );
  expect(await takeBack({ accounts: ['corp', 'ops'], clusters: ['prod', 'lab'] }, deps)).toBe(0);
  expect(edits).toEqual([]);
  expect(content().secrets).toEqual({ corp: 3, ops: 4 });
});

it('an entry that a page writes in the place of one while it is removed is pending, not approved', async () => {
  const entry = (server: string) => ({
    name: 'prod',
    config: { server, account: 'bot' },
    certificateAuthorityPem: null,
  });
  let clusters = new Map([['prod', entry('https://prod.example')]]);
  const vault = new FakeVault();
  const config = {
    current: () => ({ ...noEntries, clusters, settings: defaultSettings }),
    edit: async () => {
      clusters = new Map();
      // The next write of the vault takes its time, and the page has none to lose.
      vault.beforeWrite = () => {
        clusters = new Map([['prod', entry('https://evil.example')]]);
      };
    },
  } as unknown as TakeBackDeps['config'];
  const bindings = new Bindings({ config, vault });
  const deps = { config, vault, bindings, recorder: { record: () => undefined } };
  expect(await takeBack({ accounts: [], clusters: ['prod'] }, deps)).toBe(1);
  expect(bindings.pending('cluster', 'prod')).toMatchObject({ change: 'new' });
});

import { expect, test } from 'vitest';
import { entryOf, faultsOf, valuesOf } from './inventory-values.ts';

const whole = {
  cluster: 'hub',
  namespaces: ['team', 'data'],
  labelSelector: 'env=prod',
  providers: [{ name: 'google', account: 'corp', audience: 'https://{name}.example.com' }],
  servers: ['*.example.com'],
  serverRewrites: [{ from: 'https://a.example', to: 'https://b.example' }],
  select: 'tier=auto',
  contextName: '{clusterset}-{name}',
  contexts: 40,
  trusted: true,
};

test('an entry that is not changed stays as it was, with what the form doesn’t show', () => {
  expect(entryOf(valuesOf(whole), whole)).toEqual(whole);
  const files = { files: ['/a', '/b c'], providers: [{ name: 'google', account: 'corp' }] };
  expect(entryOf(valuesOf(files), files)).toEqual(files);
  expect(faultsOf(whole, valuesOf(whole))).toEqual({});
});

test('files take the place of a hub, and of what concerns it', () => {
  const entry = entryOf({ ...valuesOf(whole), source: 'files', files: ' /a \n\n/b' }, whole);
  expect(entry).toMatchObject({ files: ['/a', '/b'], serverRewrites: whole.serverRewrites });
  expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(['cluster']));
  expect([entry['namespaces'], entry['labelSelector']]).toEqual([undefined, undefined]);
});

test('an empty field is left out, and what was true can be false', () => {
  const values = { ...valuesOf(whole), namespaces: ' ', select: '', contexts: '', trusted: false };
  const entry = entryOf(values, whole);
  expect(entry['trusted']).toBe(false);
  for (const key of ['namespaces', 'select', 'contexts']) {
    expect(entry).not.toHaveProperty(key);
  }
});

test.each<[string, Partial<ReturnType<typeof valuesOf>>, string]>([
  ['no hub', { cluster: '' }, 'cluster'],
  ['no file', { source: 'files' }, 'files'],
  ['a provider without a name', { providers: [{ name: ' ', account: 'corp', kept: {} }] }, 'providers'],
  ['a provider without an account', { providers: [{ name: 'eks', account: '', kept: {} }] }, 'providers'],
  [
    'two of one name',
    {
      providers: [
        { name: 'eks', account: 'a', kept: {} },
        { name: 'eks', account: 'b', kept: {} },
      ],
    },
    'providers',
  ],
  ['a count that is none', { contexts: 'many' }, 'contexts'],
  ['too many contexts', { contexts: '20000' }, 'contexts'],
  ['a server that is none', { servers: 'api example' }, 'servers'],
])('%s is a fault', (_, part, field) => {
  const values = { ...valuesOf(whole), ...part };
  expect(Object.keys(faultsOf(entryOf(values, whole), values))).toEqual([field]);
});

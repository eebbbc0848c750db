import { describe, expect, test } from 'vitest';
import { quoted } from '../../../test/support/system.ts';
import { inventory } from '../../contract/config/inventory.ts';
import type { LoadedInventory } from '../loaded-config.ts';
import { noEntries, noTexts } from '../testing/no-entries.ts';
import { entryChanges } from './binding.ts';
import { inventoryShape } from './inventory-shape.ts';
import { narrowedInventory } from './narrowing.ts';

const eks = { name: 'eks', account: 'corp' };
const gke = { name: 'gke', account: 'corp' };

function anInventory(fields: object = {}): LoadedInventory {
  const config = inventory.parse({ cluster: 'hub', providers: [eks, gke], ...fields });
  return { name: 'fleet', config, certificateAuthorityPem: null };
}

describe('an inventory is another one when what decides about its clusters is (rule: confirmed-binding)', () => {
  test.each<[string, object]>([
    ['hub', { cluster: 'evil' }],
    ['files in place of a hub', { cluster: undefined, files: ['/a'] }],
    ['namespaces', { namespaces: ['evil'] }],
    ['the hub’s labels', { labelSelector: 'a=b' }],
    ['the order of providers', { providers: [gke, eks] }],
    ['a provider less', { providers: [eks] }],
    ['account', { providers: [{ ...eks, account: 'ops' }, gke] }],
    ['arguments', { providers: [{ ...eks, profileSourcedCLIArgsPolicy: 'Append' }, gke] }],
    ['variables', { providers: [{ ...eks, profileSourcedEnvVarsPolicy: 'Replace' }, gke] }],
    ['which variables', { providers: [{ ...eks, allowedEnvVars: ['A'] }, gke] }],
    ['audience', { providers: [{ ...eks, audience: '{name}' }, gke] }],
    ['servers of a provider', { providers: [{ ...eks, servers: ['a.b'] }, gke] }],
    ['servers', { servers: ['*.evil.example'] }],
    ['rewrites', { serverRewrites: [{ from: 'https://a', to: 'https://evil' }] }],
    ['names of contexts', { contextName: '{displayName}' }],
    ['which become contexts', { select: 'env=prod' }],
    ['trust', { trusted: true }],
  ])('%s', (_, fields) => {
    expect(inventoryShape(anInventory(fields))).not.toBe(inventoryShape(anInventory()));
  });

  test('not the order of sets, nor how many become contexts', () => {
    const one = { servers: ['a.b', 'c.d'], namespaces: ['x', 'y'], contexts: 10 };
    const other = { servers: ['c.d', 'a.b', 'c.d'], namespaces: ['y', 'x'], contexts: 20 };
    expect(inventoryShape(anInventory(one))).toBe(inventoryShape(anInventory(other)));
  });

  test('its shape has no defaults, so that a later version’s is the same', () => {
    expect(inventoryShape(anInventory())).toBe(
      '{"cluster":"hub","providers":["eks","gke"],"providers.eks.account":"corp","providers.gke.account":"corp"}',
    );
  });
});

test('a difference names the provider’s setting, and no name can look like another line', () => {
  const odd = { name: 'a\n+ trusted: %', account: 'corp', allowedEnvVars: ['AWS_PROFILE', 'AWS_REGION'] };
  const inventories = new Map([['fleet', anInventory({ providers: [odd] })]]);
  expect(entryChanges({ ...noEntries, inventories }, noTexts).map(({ lines }) => lines)).toEqual([
    [
      '+ cluster: hub',
      `+ providers: ${quoted('a\\u{a}+ trusted: %')}`,
      '+ providers.a%000a+%0020trusted:%0020%0025.account: corp',
      '+ providers.a%000a+%0020trusted:%0020%0025.allowedEnvVars: AWS_PROFILE AWS_REGION',
    ],
  ]);
});

describe('until it is approved, a change', () => {
  const approved = anInventory({ trusted: true, servers: ['*.example.com'], contexts: 100 });

  test('takes trust and contexts away', () => {
    const { config } = narrowedInventory(approved, anInventory({ contexts: 5 }));
    expect(config).toMatchObject({ trusted: false, contexts: 5, servers: ['*.example.com'] });
  });

  test('gives nothing', () => {
    const pending = anInventory({
      cluster: 'evil',
      trusted: true,
      servers: ['*.evil.example'],
      contexts: 10_000,
      providers: [{ ...eks, account: 'ops', profileSourcedCLIArgsPolicy: 'Append' }],
    });
    expect(narrowedInventory(approved, pending)).toEqual(approved);
    expect(narrowedInventory(anInventory(), pending).config.trusted).toBe(false);
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { configName } from '../../contract/config/names.ts';
import {
  contextNames,
  contextNameVariables,
  type GivenName,
  type NamedProfile,
  takenByConfig,
  wantedContextName,
} from './context-names.ts';
import { fillTemplate, templateFault } from './template.ts';

const profile = (parts: Partial<NamedProfile> = {}): NamedProfile => ({
  inventory: 'corp',
  namespace: 'fleet',
  name: 'prod',
  uid: 'u1',
  clusterset: 'blue',
  location: 'eu-west1',
  displayName: 'Prod EU',
  ...parts,
});

describe('the name that a profile’s context wants', () => {
  test.each<[string, Partial<NamedProfile>, string]>([
    ['{name}', {}, 'prod'],
    ['{inventory}/{namespace}/{name}', {}, 'corp/fleet/prod'],
    ['{clusterset}-{location}-{displayName}', {}, 'blue-eu-west1-Prod-EU'],
    // An empty value takes its separator along.
    ['{clusterset}-{name}', { clusterset: null }, 'prod'],
    ['{name}@{clusterset}', { clusterset: null }, 'prod'],
    ['{clusterset}/{location}/{name}', { clusterset: null, location: null }, 'prod'],
    ['{name}-{clusterset}-{location}', { clusterset: null }, 'prod-eu-west1'],
    ['{displayName}', { displayName: null }, 'prod'],
    ['{displayName}', { displayName: '☃' }, 'prod'],
    ['x-{displayName}', { displayName: 'Größe Москва' }, 'x-Grosse-Moskva'],
    // A value is no other name’s parts.
    ['{displayName}', { displayName: 'other/prod@x:y' }, 'other-prod-x-y'],
    ['{displayName}', { displayName: '{name}' }, 'name'],
    ['{displayName}', { displayName: '$& $1' }, '1'],
    ['{name}', { name: `a${'.b'.repeat(100)}` }, `a${'.b'.repeat(49)}`],
  ])('%s of %j is %s', (template, parts, expected) => {
    const name = wantedContextName(profile(parts), template);
    expect(name).toBe(expected);
    expect(configName.safeParse(name).success).toBe(true);
  });
});

/** (rule: remote-inventory) */
describe('the names of contexts', () => {
  const names = (
    profiles: readonly NamedProfile[],
    { given = [], taken = [] }: { given?: readonly GivenName[]; taken?: readonly string[] } = {},
  ) => {
    const found = contextNames(profiles, {
      template: () => '{name}',
      given,
      isTaken: (name) => taken.includes(name),
    });
    return Object.fromEntries([...found].map(([each, name]) => [`${each.namespace}/${each.uid}`, name]));
  };
  const [a, b, c] = [
    profile({ namespace: 'a', uid: 'u-a' }),
    profile({ namespace: 'b', uid: 'u-b' }),
    profile({ namespace: 'c', uid: 'u-c' }),
  ];
  const givenTo = (namespace: string, contextName = 'prod'): GivenName => ({
    inventory: 'corp',
    name: 'prod',
    namespace,
    uid: `u-${namespace}`,
    contextName,
  });
  const namesBy = (template: string, ...profiles: NamedProfile[]) => [
    ...contextNames(profiles, { template: () => template, given: [], isTaken: () => false }).values(),
  ];

  it('collide the same way in each order of arrival', () => {
    const expected = names([a, b, c]);
    expect(expected['a/u-a']).toBe('prod');
    expect(expected['b/u-b']).toMatch(/^prod-[0-9a-f]{6}$/);
    expect(new Set(Object.values(expected)).size).toBe(3);
    for (const order of [
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ]) {
      expect(names(order)).toEqual(expected);
    }
  });

  it('have a suffix of the profile’s own, whoever else is there', () => {
    expect(names([a, c])['c/u-c']).toBe(names([a, b, c])['c/u-c']);
  });

  it('stay once given, and a newcomer gets a suffix', () => {
    const given = [givenTo('b')];
    const found = names([a, b], { given });
    expect(found['b/u-b']).toBe('prod');
    expect(found['a/u-a']).toMatch(/^prod-[0-9a-f]{6}$/);
    // Also after its template has changed.
    const other = [givenTo('b', 'old-name')];
    expect(names([a, b], { given: other })).toEqual({ 'a/u-a': 'prod', 'b/u-b': 'old-name' });
  });

  it('are nobody else’s, also where their profile is away', () => {
    const given = [givenTo('b')];
    expect(names([a], { given })['a/u-a']).toMatch(/^prod-[0-9a-f]{6}$/);
  });

  test.each([
    ['made again, with another UID', { uid: 'u-other' }],
    ['of another inventory', { inventory: 'lab' }],
    ['of another namespace, with the UID of the first', { namespace: 'evil' }],
    ['of a file, without a UID', { uid: null }],
  ])('a profile %s doesn’t get it', (_, parts) => {
    const given = [givenTo('a')];
    const [name] = Object.values(names([{ ...a, ...parts }], { given }));
    expect(name).toMatch(/^prod-[0-9a-f]{6}$/);
  });

  it('are not those of others, which win over a given one, too', () => {
    expect(names([a], { taken: ['prod'] })['a/u-a']).toMatch(/^prod-[0-9a-f]{6}$/);
    const given = [givenTo('a')];
    expect(names([a], { given, taken: ['prod'] })['a/u-a']).toMatch(/^prod-[0-9a-f]{6}$/);
  });

  it('differ in more than case', () => {
    const [one, other] = [
      profile({ name: 'x', displayName: 'prod' }),
      profile({ name: 'y', displayName: 'Prod' }),
    ];
    const found = namesBy('{displayName}', one, other);
    expect(found).toEqual(['prod', expect.stringMatching(/^Prod-[0-9a-f]{6}$/)]);
  });

  it('are not another’s, also where that one took all that it could have', () => {
    const wanted = names([b], { taken: ['prod'] });
    const digest = createHash('sha256').update('["corp","b","prod","u-b"]').digest('hex');
    const taken = ['prod', ...Array.from({ length: 22 }, (_, more) => `prod-${digest.slice(0, 6 + more)}`)];
    expect(taken).toContain(wanted['b/u-b']);
    expect(taken).not.toContain(names([b], { taken })['b/u-b']);
  });

  it('two of a file without a UID, of one name, differ', () => {
    const found = namesBy('{name}', profile({ uid: null }), profile({ uid: null }), profile({ uid: null }));
    expect(new Set(found).size).toBe(3);
  });
});

test('a name of config.yaml is taken in whatever case; one of a profile is not', () => {
  const origin = { inventory: 'fleet', namespace: 'team', name: 'eu', uid: null, provider: 'eks' };
  const isTaken = takenByConfig(
    new Map([
      ['Prod', {}],
      ['eu', { origin }],
    ]),
  );
  expect(['Prod', 'prod', 'PROD', 'eu', 'other'].filter(isTaken)).toEqual(['Prod', 'prod', 'PROD']);
});

describe('a template', () => {
  const thereAre = 'there are {clusterset}, {location}, {displayName}, {namespace}, {name}, {inventory}';
  const lone = 'has a { or } that belongs to no variable';
  test.each([
    ['{name}', null],
    ['a-{namespace}.{name}', null],
    ['plain', null],
    ['{Name}', `has {Name}; ${thereAre}`],
    ['{}', `has {}; ${thereAre}`],
    ['{name', lone],
    ['{na-me}', lone],
    ['{{name}}', lone],
  ])('%s: %s', (template, fault) => {
    expect(templateFault(template, contextNameVariables)).toBe(fault);
  });

  it('is filled once', () => {
    expect(fillTemplate('{a}-{b}-{constructor}', { a: '{b}', b: '$&' })).toBe('{b}-$&-{constructor}');
  });
});

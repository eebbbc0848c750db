import { describe, expect, test } from 'vitest';
import { type ChosenProfile, withChosen, withoutChosen, withSelected } from './chosen-profiles.ts';
import type { Profile } from './profile.ts';

const profile = (name: string, over: Partial<Profile> = {}): Profile => ({
  inventory: 'fleet',
  namespace: 'team',
  name,
  uid: `uid-${name}`,
  displayName: null,
  manager: null,
  version: null,
  clusterset: null,
  location: null,
  memberId: null,
  labels: new Map(),
  conditions: [],
  providers: [],
  problems: [],
  hasStatus: true,
  ...over,
});

const prod = (name: string, over: Partial<Profile> = {}) =>
  profile(name, { labels: new Map([['env', 'prod']]), ...over });

const naming = { template: () => '{name}', isTaken: () => false };

const selecting = (
  profiles: readonly Profile[],
  over: {
    contexts?: number;
    isTaken?: (name: string) => boolean;
    isApproved?: (chosen: ChosenProfile) => boolean;
  } = {},
) => ({
  inventories: [
    {
      name: 'fleet',
      contextName: '{name}',
      contexts: over.contexts ?? 200,
      selects: ({ labels }: Profile) => labels.get('env') === 'prod',
    },
  ],
  profilesOf: () => profiles,
  isUsable: ({ manager }: Profile) => manager !== 'broken',
  isApproved: over.isApproved ?? (() => true),
  isTaken: over.isTaken ?? (() => false),
});

const contextsOf = (chosen: readonly ChosenProfile[]) =>
  chosen.map(({ contextName, chosen: by }) => `${contextName} ${by}`).join(', ');

describe('profiles that the user chose', () => {
  test('get a name, and keep it whatever comes after', () => {
    const first = withChosen([], [profile('a', { namespace: 'x' })], naming);
    const second = withChosen(first, [profile('a', { namespace: 'y' })], naming);
    expect(second[0]).toMatchObject({ contextName: 'a', chosen: 'user' });
    expect(second[1]?.contextName).toMatch(/^a-[0-9a-f]{6}$/);
    const again = withChosen(second, [profile('a', { namespace: 'x' })], naming);
    expect(again).toEqual(second);
  });

  test('get another name where a cluster of config.yaml has theirs by now', () => {
    const first = withChosen([], [profile('a')], naming);
    const [again] = withChosen(first, [profile('a')], { ...naming, isTaken: (name) => name === 'a' });
    expect(again?.contextName).toMatch(/^a-[0-9a-f]{6}$/);
  });

  test('keep the name while they are not in use: no other profile gets it', () => {
    const dropped = withoutChosen(withChosen([], [profile('a')], naming), new Set(['a']));
    expect(contextsOf(dropped)).toBe('a no');
    const other = withChosen(dropped, [profile('a', { namespace: 'other' })], naming);
    expect(other[1]?.contextName).not.toBe('a');
    expect(contextsOf(withChosen(dropped, [profile('a')], naming))).toBe('a user');
  });

  test('that were made again take the place of the earlier one', () => {
    const first = withChosen([], [profile('a')], naming);
    const again = withChosen(first, [profile('a', { uid: 'another' })], naming);
    expect(again).toEqual([{ ...first[0], uid: 'another' }]);
  });
});

describe('profiles that select chose', () => {
  test('come in the order of their names, up to the inventory’s contexts; the user’s count, too', () => {
    const profiles = ['d', 'c', 'b', 'a'].map((name) => prod(name));
    const mine = withChosen([], [profile('mine')], naming);
    const all = [...profiles, profile('mine')];
    expect(contextsOf(withSelected(mine, selecting(all, { contexts: 3 })))).toBe(
      'mine user, a selector, b selector',
    );
  });

  test('get none of config.yaml’s names', () => {
    const [chosen] = withSelected([], selecting([prod('a')], { isTaken: (name) => name === 'a' }));
    expect(chosen?.contextName).toMatch(/^a-[0-9a-f]{6}$/);
  });

  test('are the same object where nothing changes', () => {
    const chosen = withSelected([], selecting([prod('a')]));
    expect(withSelected(chosen, selecting([prod('a')]))).toBe(chosen);
  });

  test('go when they aren’t selected any more, and stay when they are only gone for now', () => {
    const chosen = withSelected([], selecting([prod('a'), prod('b')]));
    expect(contextsOf(withSelected(chosen, selecting([profile('a')])))).toBe('b selector');
  });

  test('take no place of the inventory’s contexts once they are gone; neither do the user’s', () => {
    const mine = withChosen([], [profile('mine')], naming);
    expect(contextsOf(withSelected(mine, selecting([prod('a')], { contexts: 1 })))).toBe(
      'mine user, a selector',
    );
    const chosen = withSelected([], selecting([prod('a'), prod('b')], { contexts: 2 }));
    const later = withSelected(chosen, selecting([prod('b'), prod('c'), prod('d')], { contexts: 2 }));
    expect(contextsOf(later)).toBe('a selector, b selector, c selector');
  });

  test('aren’t chosen again once the user dropped them', () => {
    const dropped = withoutChosen(withSelected([], selecting([prod('a')])), new Set(['a']));
    expect(contextsOf(withSelected(dropped, selecting([prod('a')])))).toBe('a no');
  });

  test('aren’t those that can’t be used; one that can’t be used for now stays', () => {
    const broken = prod('b', { manager: 'broken' });
    const chosen = withSelected([], selecting([prod('a'), broken]));
    expect(contextsOf(chosen)).toBe('a selector');
    expect(withSelected(chosen, selecting([prod('a', { manager: 'broken' })]))).toBe(chosen);
  });

  test('that were made again are new ones', () => {
    const chosen = withSelected([], selecting([prod('a')]));
    const again = withSelected(chosen, selecting([prod('a', { uid: 'another' })]));
    expect(again).toEqual([{ ...chosen[0], uid: 'another' }]);
  });

  describe('in several namespaces', () => {
    const ofEvil = ['a', 'b', 'c', 'd'].map((name) => prod(`evil-${name}`, { namespace: 'evil' }));
    const pending = { contexts: 4, isApproved: () => false };

    test('share what is left', () => {
      const chosen = withSelected([], selecting([...ofEvil, prod('z'), prod('y'), prod('x')], pending));
      expect(contextsOf(chosen)).toBe('evil-a selector, evil-b selector, x selector, y selector');
    });

    test('one that wants few leaves the rest to the others', () => {
      const chosen = withSelected([], selecting([...ofEvil, prod('z')], pending));
      expect(contextsOf(chosen)).toBe('evil-a selector, evil-b selector, evil-c selector, z selector');
    });

    test('those that came first, and were never approved, make room', () => {
      const first = withSelected([], selecting(ofEvil, pending));
      expect(first).toHaveLength(4);
      const later = withSelected(first, selecting([...ofEvil, prod('y'), prod('z')], pending));
      expect(contextsOf(later)).toBe('evil-a selector, evil-b selector, y selector, z selector');
      expect(withSelected(later, selecting([...ofEvil, prod('x'), prod('y'), prod('z')], pending))).toBe(
        later,
      );
    });

    test('approved ones stay, and count for their namespace', () => {
      const approved = withSelected([], selecting(ofEvil.slice(0, 2), pending));
      const all = [...ofEvil, prod('x'), prod('y'), prod('z')];
      const isApproved = ({ contextName }: ChosenProfile) => ['evil-a', 'evil-b'].includes(contextName);
      expect(contextsOf(withSelected(approved, selecting(all, { contexts: 4, isApproved })))).toBe(
        'evil-a selector, evil-b selector, x selector, y selector',
      );
    });
  });

  test('and that go before they were approved leave no name behind', () => {
    const isApproved = ({ contextName }: ChosenProfile) => contextName === 'a';
    const chosen = withSelected([], selecting([prod('a'), prod('b')], { isApproved }));
    expect(contextsOf(withSelected(chosen, selecting([prod('c')], { isApproved })))).toBe(
      'a selector, c selector',
    );
  });
});

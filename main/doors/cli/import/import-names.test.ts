import { describe, expect, test } from 'vitest';
import type { ImportPlan } from '../../../domain/import/import-plan.ts';
import { checkNames, readNames } from './import-names.ts';

describe('names that the command line chooses', () => {
  test('belong to contexts and users, whose own names may have a =', () => {
    const { clusters, accounts } = readNames({
      'cluster-name': ['生产=payments', 'a=b=c'],
      'account-name': ['бот=robot'],
    });
    expect([...clusters]).toEqual([
      ['生产', 'payments'],
      ['a=b', 'c'],
    ]);
    expect([...accounts]).toEqual([['бот', 'robot']]);
  });

  test.each(['payments', '=payments', 'prod=', 'prod=pay ments', 'prod=-x', `prod=${'x'.repeat(129)}`])(
    '%s is none',
    (text) => {
      expect(() => readNames({ 'cluster-name': [text] })).toThrow('--cluster-name CONTEXT=NAME: ');
      expect(() => readNames({ 'account-name': [text] })).toThrow('--account-name USER=NAME: ');
    },
  );

  const plan = {
    clusters: [
      { context: 'new', becomes: { cluster: 'payments' } },
      { context: 'known', becomes: { cluster: 'known' } },
      { context: 'broken', becomes: { left: 'it has no server' } },
    ],
    users: [
      { user: 'bot', becomes: { account: 'robot' } },
      { user: 'old', becomes: { left: 'basic auth' } },
    ],
  } as unknown as ImportPlan;

  test('are what the plan has', () => {
    const names = readNames({ 'cluster-name': ['new=payments'], 'account-name': ['bot=robot'] });
    expect(() => checkNames(names, plan)).not.toThrow();
  });

  test.each([
    ['cluster-name', 'known=other', 'the context known can’t get the name other: it is known'],
    ['cluster-name', 'new=prod', 'the context new can’t get the name prod: it is payments'],
    ['cluster-name', 'broken=x', 'no context broken is imported'],
    ['cluster-name', 'gone=x', 'no context gone is imported'],
    ['account-name', 'bot=x', 'the user bot can’t get the name x: it is robot'],
    ['account-name', 'old=x', 'no user old is imported'],
  ])('or are refused: --%s %s', (option, text, why) => {
    expect(() => checkNames(readNames({ [option]: [text] }), plan)).toThrow(why);
  });
});

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

  test('are given once', () => {
    expect(() => readNames({ 'cluster-name': ['a=x', 'a=y'] })).toThrow('a has a name already');
  });

  test.each(['payments', '=payments', 'prod=', 'prod=pay ments', 'prod=-x', `prod=${'x'.repeat(121)}`])(
    '%s is none',
    (text) => {
      expect(() => readNames({ 'cluster-name': [text] })).toThrow('--cluster-name CONTEXT=NAME: ');
      expect(() => readNames({ 'account-name': [text] })).toThrow('--account-name USER=NAME: ');
    },
  );

  const plan = {
    clusters: [
      { context: 'new', user: 'bot', becomes: { cluster: 'payments' } },
      { context: 'known', user: 'bot', becomes: { cluster: 'known' } },
      { context: 'broken', user: 'bot', becomes: { left: 'it has no server' } },
      { context: 'done', user: 'lanyard', becomes: { left: 'it runs Lanyard already' } },
    ],
    users: [
      { user: 'bot', kind: 'staticToken', becomes: { account: 'robot' } },
      { user: 'old', kind: 'basicAuth', becomes: { left: 'no server accepts it' } },
      { user: 'lanyard', kind: 'lanyard', becomes: { left: 'it runs Lanyard already' } },
    ],
  } as unknown as ImportPlan;

  test('are what the plan has', () => {
    const names = readNames({ 'cluster-name': ['new=payments'], 'account-name': ['bot=robot'] });
    expect(() => checkNames(names, plan)).not.toThrow();
  });

  test('may be given again where the file was edited in place', () => {
    const names = readNames({ 'cluster-name': ['done=payments'], 'account-name': ['lanyard=robot'] });
    expect(() => checkNames(names, plan)).not.toThrow();
  });

  test.each([
    [
      'cluster-name',
      'known=other',
      'the context known can’t get the name other, which is taken, or it is imported already: it is known',
    ],
    ['cluster-name', 'new=prod', 'it is payments'],
    ['cluster-name', 'broken=x', 'the context broken is not imported: it has no server'],
    ['cluster-name', 'gone=x', 'no context gone is imported'],
    ['account-name', 'bot=x', 'it is robot'],
    ['account-name', 'old=x', 'the user old is not imported: no server accepts it'],
  ])('or are refused: --%s %s', (option, text, why) => {
    expect(() => checkNames(readNames({ [option]: [text] }), plan)).toThrow(why);
  });
});

import { expect, it } from 'vitest';
import { someAccount, someQuestion, stateWith } from '../test/support/ui-state.ts';
import { unfinishedWork } from './unfinished-work.ts';

const wanted = { since: 1, endsAt: 2, callers: [['kubectl', 'make']], waiting: 1 };
const login = { phase: 'browser' } as never;

it.each([
  ['nothing', {}, []],
  ['an account that needs a login, which nobody waits for', { accounts: [someAccount('corp')] }, []],
  [
    'a program that waits for a login',
    { accounts: [someAccount('corp', { wanted })] },
    ['kubectl (from make) waits for a login of corp'],
  ],
  [
    'several',
    { accounts: [someAccount('corp', { wanted: { ...wanted, waiting: 3 } })] },
    ['kubectl (from make) and 2 more wait for a login of corp'],
  ],
  [
    'a login, once',
    { accounts: [someAccount('corp', { wanted, login })] },
    ['the login of corp is under way'],
  ],
  [
    'an open question',
    { questions: [someQuestion('a'), someQuestion('b', { ended: { how: 'no', where: null } })] },
    [expect.stringMatching(/waits for an answer about /)],
  ],
])('what an end would break off: %s', (_, some, expected) => {
  expect(unfinishedWork(stateWith(some))).toEqual(expected);
});

import { expect, test } from 'vitest';
import { proxy } from '../../contract/config/proxy.ts';
import { triedStep } from '../testing/a-tried-request.ts';
import { chainSteps } from './chain.ts';
import { wordText } from './chain-words.ts';
import { shownSteps } from './shown-steps.ts';

const chain = chainSteps(
  proxy.parse({
    chain: [
      { set: 'X-Team', value: 'blue' },
      { impersonate: { user: 'ann', groups: ['dev'] } },
      { add: 'X-More', value: 'b' },
      { sign: 'keys', service: 'execute-api', region: 'eu-west-1' },
      { sign: 'mine' },
    ],
  }),
);
const impersonation = [
  triedStep('removePrefix', ['impersonate-user']),
  triedStep('add', ['impersonate-user']),
  triedStep('add', ['impersonate-group']),
];
const aws = triedStep('signAws', ['authorization'], { canonicalRequest: 'GET\n/', stringToSign: 'AWS4' });
const ofChain = [
  triedStep('set', ['x-team']),
  ...impersonation,
  triedStep('add', ['x-more']),
  aws,
  triedStep('signProgram', ['x-signature']),
];
const wordsOf = (steps: ReturnType<typeof shownSteps>) => steps.map(({ does }) => wordText(does));

test('the steps are those of config.yaml, the cluster’s own credential first', () => {
  const shown = shownSteps([triedStep('set', ['authorization']), ...ofChain], 'corp', chain);
  expect(wordsOf(shown)).toEqual([
    'Set Authorization: the credential of corp',
    'Set X-Team: blue',
    'Impersonate ann, group dev',
    'Add X-More: b',
    'Sign for execute-api in eu-west-1: with the keys of keys, body included',
    'Sign: by the program of mine, body included',
  ]);
  expect(shown[2]).toMatchObject({
    microseconds: 30,
    changes: [
      { header: 'impersonate-user', how: 'removed' },
      { header: 'impersonate-user', how: 'added' },
      { header: 'impersonate-group', how: 'added' },
    ],
  });
  expect(shown[4]).toMatchObject({ canonicalRequest: 'GET\n/', stringToSign: 'AWS4' });
});

test('a certificate, or keys, of the cluster’s own account are in no header', () => {
  expect(wordsOf(shownSteps(ofChain, 'corp', chain))).toHaveLength(5);
  const onlySet = chainSteps(proxy.parse({ chain: [{ set: 'Authorization', account: 'b' }] }));
  expect(wordsOf(shownSteps([triedStep('set', ['authorization'])], 'corp', onlySet))).toEqual([
    'Set Authorization: Bearer and the credential of b',
  ]);
});

test('steps of another chain are named by what they did', () => {
  const other = [triedStep('remove', ['x-gone']), triedStep('set', ['x-team'])];
  expect(wordsOf(shownSteps(other, 'corp', chain))).toEqual(['Remove a header', 'Set a header']);
  expect(wordsOf(shownSteps(ofChain.slice(0, -1), 'corp', chain))).toHaveLength(ofChain.length - 1);
  expect(shownSteps([], 'corp', [])).toEqual([]);
});

import { expect, test } from 'vitest';
import { rejectedHint } from './rejected-hint.ts';

const replacedBy = { command: 'secret set', words: ['ops'], fromFile: true } as const;

test.each<[Parameters<typeof rejectedHint>[0], RegExp, RegExp]>([
  // It has neither issuer claim nor audience.
  [
    { hasCertificate: true, audiences: null, replacedBy },
    /trust the CA .*lanyard secret set ops < FILE$/,
    /audience/,
  ],
  [{ hasCertificate: true, audiences: null }, /trust the CA/, /audience|lanyard/],
  [{ hasCertificate: false, audiences: ['kubernetes'] }, /issuer, and its audience/, /CA|lanyard/],
  [
    { hasCertificate: false, audiences: null, replacedBy },
    /know this token.*lanyard secret set/,
    /audience|CA/,
  ],
])('what to check depends on the kind of credential: %j', (of, said, unsaid) => {
  expect(rejectedHint(of)).toMatch(said);
  expect(rejectedHint(of)).not.toMatch(unsaid);
});

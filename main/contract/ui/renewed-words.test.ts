import { expect, it } from 'vitest';
import { renewedWords } from './renewed-words.ts';
import { clockText } from './time-texts.ts';

const at = Date.parse('2026-03-01T10:00:00Z');
const plain = { variables: [], expiresAt: at, failure: null };

it('says until when a credential is valid, and names its variables', () => {
  expect(renewedWords('prod', [plain])).toEqual({
    text: `prod is renewed: valid until ${clockText(at)}`,
    detail: null,
    hasFailed: false,
  });
  const named = { ...plain, expiresAt: null, variables: ['AWS_CA_BUNDLE', 'AWS_PROFILE'] };
  expect(renewedWords('prod', [named])).toEqual({
    text: 'prod is renewed',
    detail: 'With AWS_CA_BUNDLE, AWS_PROFILE',
    hasFailed: false,
  });
});

it('says of each of several what became of it', () => {
  const failed = { variables: ['AWS_SESSION_TOKEN'], expiresAt: null, failure: 'the token has expired' };
  expect(renewedWords('prod', [plain, failed])).toEqual({
    text: 'prod: 1 of 2 credentials renewed',
    detail: `Without variables: valid until ${clockText(at)}. With AWS_SESSION_TOKEN: not renewed, the token has expired.`,
    hasFailed: true,
  });
  expect(renewedWords('prod', [plain, plain])).toMatchObject({
    text: 'prod: all 2 credentials renewed',
    hasFailed: false,
  });
});

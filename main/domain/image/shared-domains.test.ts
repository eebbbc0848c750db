import { expect, test } from 'vitest';
import { coversStrangers } from './shared-domains.ts';

test.each([
  ['*.azurecr.io', true],
  ['*.azurecr.io/team', true],
  ['team*.azurecr.io', true],
  ['*.dkr.ecr.eu-west-1.amazonaws.com', true],
  ['*.dkr.ecr.*.amazonaws.com', true],
  ['*.io', true],
  ['*', true],
  ['*.*', true],
  ['registry.*', true],
  ['123456789012.dkr.ecr.*.amazonaws.com', false],
  ['*.registry.corp.example', false],
  ['*.corp.example:5000', false],
  ['corp.azurecr.io', false],
  ['ghcr.io/team', false],
])('%s: %s', (pattern, expected) => {
  expect(coversStrangers(pattern)).toBe(expected);
});

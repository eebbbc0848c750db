import { expect, test } from 'vitest';
import { observePlainSecrets } from './observe-plain-secrets.ts';

test('names what is a secret in config.yaml, and never its value', () => {
  const seen = observePlainSecrets('eks', {
    args: ['get-token', '--region', 'eu-west-1', '--client-secret=hunter2'],
    env: [
      { name: 'AWS_PROFILE', value: 'prod' },
      { name: 'AWS_SECRET_ACCESS_KEY', value: 'wJalrXUtnFEMI' },
      { name: 'AWS_SESSION_TOKEN' },
    ],
  });
  expect(seen.map(({ level, message, hint }) => [level, message, hint])).toEqual([
    [
      'warning',
      'config.yaml holds --client-secret in plain text, among its arguments',
      expect.stringContaining('put it into env'),
    ],
    [
      'warning',
      'config.yaml holds AWS_SECRET_ACCESS_KEY in plain text',
      'take its value out there, then: lanyard secret set eks/env.AWS_SECRET_ACCESS_KEY',
    ],
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/hunter2|wJalr/);
});

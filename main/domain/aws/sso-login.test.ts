import { expect, test } from 'vitest';
import { quoted } from '../../../test/support/system.ts';
import { loginLine } from './sso-login.ts';

const over = ['', 'Error when retrieving token from sso: Token has expired and refresh failed'];
const plugin = { args: ['configure', 'export-credentials', '--profile', 'my work'], env: [] };

test('the session has ended: what begins a new one', () => {
  expect(loginLine(plugin, over)).toBe(`aws sso login --profile ${quoted('my work')}`);
  expect(loginLine({ args: ['--profile=work'], env: [] }, over)).toBe('aws sso login --profile work');
  expect(loginLine({ args: [], env: [{ name: 'AWS_PROFILE', value: 'work' }] }, over)).toBe(
    'aws sso login --profile work',
  );
  expect(loginLine({ args: [], env: [] }, over)).toBe('aws sso login');
});

/** What the AWS CLI 1 and 2 say. */
test.each([
  'The SSO session associated with this profile has expired or is otherwise invalid. To refresh this SSO session run aws sso login with the corresponding profile.',
  'Error loading SSO Token: Token for work does not exist',
  'aws: [ERROR]: Error when retrieving token from sso: Token has expired and refresh failed',
])('%s', (line) => {
  expect(loginLine(plugin, [line])).not.toBeNull();
});

test.each(['The config profile (work) could not be found', 'Unable to locate credentials', ''])(
  'not: %s',
  (line) => {
    expect(loginLine(plugin, [line])).toBeNull();
  },
);

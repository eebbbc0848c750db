import { expect, it } from 'vitest';
import { areHarmless } from './variables-ahead.ts';

it.each<[string, string[]]>([
  ['nothing', []],
  ['a profile and its region', ['AWS_PROFILE', 'AWS_REGION']],
  ['a configuration of gcloud', ['CLOUDSDK_ACTIVE_CONFIG_NAME']],
])('%s may be used without a caller', (_, names) => {
  expect(areHarmless(names)).toBe(true);
});

it.each<[string, string[]]>([
  ['a secret', ['AWS_SECRET_ACCESS_KEY']],
  ['a session', ['AWS_PROFILE', 'AWS_SESSION_TOKEN']],
  ['a key id, which comes with a secret', ['AWS_ACCESS_KEY_ID']],
  ['a file', ['AWS_CA_BUNDLE']],
  ['a file of settings', ['AWS_CONFIG_FILE']],
  ['a folder', ['CLOUDSDK_CONFIG']],
  ['a file of keys', ['GOOGLE_APPLICATION_CREDENTIALS']],
  ['a program', ['CLOUDSDK_PYTHON']],
  ['a pager, which is a program', ['AWS_PAGER']],
  ['an address', ['AWS_ENDPOINT_URL']],
  ['a name that nobody knows', ['AWS_SOMETHING_NEW']],
  ['another spelling', ['aws_profile']],
])('%s may not', (_, names) => {
  expect(areHarmless(names)).toBe(false);
});

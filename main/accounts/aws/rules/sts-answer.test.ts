import { expect, test } from 'vitest';
import { readStsAnswer } from './sts-answer.ts';

const credentials = `<Credentials>
  <AccessKeyId>ASIAEXAMPLE</AccessKeyId><SecretAccessKey>a&amp;b</SecretAccessKey>
  <SessionToken>
    FQoGZ/+=
  </SessionToken><Expiration>2026-11-23T13:00:00Z</Expiration>
</Credentials>`;
const answer = (inner: string) =>
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>${inner}</AssumeRoleResult></AssumeRoleResponse>`;

test('keys of a role', () => {
  const arn = 'arn:aws:sts::123456789012:assumed-role/deploy/lanyard';
  const read = readStsAnswer(
    'AssumeRole',
    answer(`<AssumedRoleUser><Arn>${arn}</Arn></AssumedRoleUser>${credentials}`),
  );
  expect(read).toMatchObject({
    kind: 'keys',
    arn,
    expiresAt: Date.UTC(2026, 10, 23, 13),
    keys: { accessKeyId: 'ASIAEXAMPLE' },
  });
  expect(read.kind === 'keys' && read.keys.secretAccessKey.reveal()).toBe('a&b');
  expect(read.kind === 'keys' && read.keys.sessionToken?.reveal()).toBe('FQoGZ/+=');
  expect(readStsAnswer('AssumeRole', answer(credentials))).toMatchObject({ kind: 'keys', arn: null });
});

test('an error, in STS’s words', () => {
  const xml = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not authorized</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
  expect(readStsAnswer('AssumeRole', xml)).toEqual({
    kind: 'error',
    code: 'AccessDenied',
    message: 'Not authorized',
  });
});

test.each([
  '',
  'not XML',
  '<html><body>proxy</body></html>',
  '<ErrorResponse/>',
  answer(''),
  answer(credentials.replace('2026-11-23T13:00:00Z', 'soon')),
  answer(credentials.replace(/<SessionToken>[\s\S]*<\/SessionToken>/, '')),
  answer(credentials).replaceAll('AssumeRole', 'GetCallerIdentity'),
  `<!DOCTYPE a [<!ENTITY x "y">]>${answer(credentials).replace('a&amp;b', '&x;')}`,
])('%j is no answer', (xml) => {
  expect(readStsAnswer('AssumeRole', xml)).toEqual({ kind: 'unreadable' });
});

import { describe, expect, test } from 'vitest';
import { validateConfig } from './validate.ts';

const findings = (oidc: object) =>
  validateConfig({
    version: 1,
    accounts: { corp: { oidc: { issuer: 'https://id.example.com', clientId: 'kubernetes', ...oidc } } },
  }).findings;

describe('extraHeaders: what is the request’s own, or holds a secret, is an error with its place', () => {
  test.each([
    'Authorization',
    'authorization',
    'Cookie',
    'Host',
    'Content-Type',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Authorization',
    'Upgrade',
    'TE',
    'Accept-Encoding',
    'DPoP',
    'X Y',
    'X:Y',
    'X\r\nY',
  ])('%j', (name) => {
    expect(findings({ extraHeaders: { [name]: 'x' } })).toMatchObject([
      { severity: 'error', path: ['accounts', 'corp', 'oidc', 'extraHeaders', name] },
    ]);
  });

  test.each(['a\r\nHost: other', 'ä', '\u0000'])('the value %j', (value) => {
    expect(findings({ extraHeaders: { 'X-Tenant': value } })).toMatchObject([
      { severity: 'error', path: ['accounts', 'corp', 'oidc', 'extraHeaders', 'X-Tenant'] },
    ]);
  });

  test('others are taken', () => {
    expect(
      findings({ extraHeaders: { 'X-Tenant': 'corp', 'User-Agent': 'lanyard', Accept: '*/*' } }),
    ).toEqual([]);
  });
});

test('token: id, written, has no sense where the client itself logs in; unsaid it means access', () => {
  expect(findings({ flow: 'clientCredentials', token: 'id' })).toMatchObject([
    {
      severity: 'error',
      path: ['accounts', 'corp', 'oidc', 'token'],
      message: expect.stringContaining('no id token'),
    },
  ]);
  expect(findings({ flow: 'clientCredentials' })).toEqual([]);
  expect(findings({ flow: 'clientCredentials', token: 'access' })).toEqual([]);
  expect(findings({ flow: 'device', token: 'id' })).toEqual([]);
});

describe('browser: a program by its name or whole path, then its arguments', () => {
  test.each([
    [['firefox']],
    [['google-chrome', '--profile-directory=Profile 1', '']],
    [['/usr/bin/open', '-a', 'Firefox']],
    [['C:\\Program Files\\Mozilla Firefox\\firefox.exe', '-P', 'work']],
  ])('%j', (browser) => expect(findings({ browser })).toEqual([]));

  test.each([
    ['firefox'],
    [[]],
    [['']],
    [['./firefox']],
    [['bin/firefox']],
    [['~/firefox']],
    [['fire\nfox']],
    [['firefox', 'a\0b']],
    [['firefox', 1]],
  ])('not %j', (browser) => {
    const [found] = findings({ browser });
    expect(found).toMatchObject({ severity: 'error' });
    expect(found?.path.slice(0, 4)).toEqual(['accounts', 'corp', 'oidc', 'browser']);
  });
});

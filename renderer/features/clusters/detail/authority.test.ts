import { describe, expect, it } from 'vitest';
import { pastedAuthority, pemOf } from './authority.ts';

const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const key = '-----BEGIN EC PRIVATE KEY-----\ncanary\n-----END EC PRIVATE KEY-----\n';

describe('a pasted CA', () => {
  it.each([
    ['PEM', pem('QUJD')],
    ['PEM with words and blanks around it', `# mine\n\n  ${pem('QUJD')}  `],
    ['PEM of another system', pem('QUJD').replaceAll('\n', '\r\n')],
    ['data of a kubeconfig', btoa(pem('QUJD'))],
    ['data of a kubeconfig, over several lines', btoa(pem('QUJD')).replace(/(.{20})/g, '$1\n  ')],
  ])('is taken as %s', (_, text) => {
    expect(pastedAuthority(text)).toEqual({ ok: true, data: btoa(pem('QUJD')) });
  });

  it('may be several', () => {
    const pasted = pastedAuthority(pem('QUJD') + pem('REVG'));
    expect(pasted).toEqual({ ok: true, data: btoa(pem('QUJD') + pem('REVG')) });
  });

  it.each([
    ['a private key beside it', pem('QUJD') + key],
    ['a private key beside it, as base64', btoa(pem('QUJD') + key)],
  ])('has none with %s, and nothing of it leaves the page', (_, text) => {
    expect(pastedAuthority(text)).toEqual({ ok: false, fault: expect.stringMatching(/private key/) });
  });

  it.each(['', 'hello', '-----BEGIN CERTIFICATE-----\nQUJD', btoa('hello')])('is none in %j', (text) => {
    expect(pastedAuthority(text)).toEqual({ ok: false, fault: expect.stringMatching(/no certificate/) });
  });

  it('is shown again as PEM', () => {
    expect(pemOf(btoa(pem('QUJD')))).toBe(pem('QUJD'));
    expect([pemOf(undefined), pemOf('%'), pemOf(7)]).toEqual(['', '', '']);
  });
});

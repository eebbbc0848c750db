import { describe, expect, test } from 'vitest';
import { createCa, issueClientCertificate } from '../../../../test/support/certificates.ts';
import { olderKey, pairOf } from '../../../../test/support/exec-answers/seeds.ts';
import { Secret } from '../../../base/secret.ts';
import { readAnswer } from './read-answer.ts';

const v1 = 'client.authentication.k8s.io/v1';
const v1beta1 = 'client.authentication.k8s.io/v1beta1';

function printed(status: unknown, fields: object = {}) {
  return JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status, ...fields });
}

function read(text: string, apiVersion: typeof v1 | typeof v1beta1 = v1) {
  return readAnswer(new Secret(text), { apiVersion });
}

const internalVersion = `exec plugin is configured to use API version ${v1}, plugin returned version client.authentication.k8s.io/__internal`;
const noObject = "decoding stdout: couldn't get version/kind; json parse error: json:";
const noTime =
  'decoding stdout: parsing time: expirationTimestamp can’t be read as "2006-01-02T15:04:05Z07:00"';

const noCredential = "exec plugin didn't return a token or cert/key pair";
const cutOff = "couldn't get version/kind; json parse error:";
const unmarshal = 'json: cannot unmarshal';

describe('an answer that is none, in client-go’s words', () => {
  const onlyOne = 'exec plugin returned only certificate or key, not both';
  const halves = { clientCertificateData: 'canary', clientKeyData: 'canary' };
  const withTime = (expirationTimestamp: string) => printed({ token: 'x', expirationTimestamp });
  const inYaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus:\n  token: "canary\n`;
  test.each([
    ['nothing', '', internalVersion],
    ['null', 'null', internalVersion],
    ['no version', '{"kind":"ExecCredential","status":{"token":"canary"}}', internalVersion],
    ['garbage', 'Logged in as canary!\n', `${noObject} cannot unmarshal string into Go value`],
    ['a list', '["canary"]', `${noObject} cannot unmarshal array into Go value`],
    // A YAML reader takes it for a whole one.
    [
      'JSON that is cut in its token',
      printed({ expirationTimestamp: '2099-01-01T00:00:00Z', token: 'canary-0123' }).slice(0, -6),
      `decoding stdout: ${cutOff} unexpected end of JSON input`,
    ],
    [
      'JSON that is cut before its last brace',
      printed({ token: 'canary' }).slice(0, -1),
      `decoding stdout: ${cutOff} unexpected end of JSON input`,
    ],
    ['a comma too many', '{"token":"canary",}', `decoding stdout: ${cutOff} invalid JSON at character 19`],
    [
      'YAML of another version',
      `%YAML 1.2\n---\n${inYaml.replace('"canary', 'canary')}`,
      'decoding stdout: yaml: found incompatible YAML document',
    ],
    ['YAML whose quotes have no end', inYaml, 'decoding stdout: yaml: line 5: it can’t be parsed'],
    [
      'another kind',
      '{"kind":"Secret","apiVersion":"v1"}',
      'decoding stdout: no kind "Secret" is registered for version "v1"',
    ],
    [
      'a kind that may be anything',
      '{"kind":"it is canary","apiVersion":"v1"}',
      'decoding stdout: no such kind is registered for an exec plugin',
    ],
    [
      'a token that is a number',
      printed({ token: 4711 }),
      `decoding stdout: ${unmarshal} number into Go struct field ExecCredentialStatus.status.token of type string`,
    ],
    [
      'a status that is a list',
      printed(['canary']),
      `decoding stdout: ${unmarshal} array into Go struct field ExecCredential.status of type v1.ExecCredentialStatus`,
    ],
    [
      'another version (KEP-541/version-mismatch)',
      printed({ token: 'canary' }, { apiVersion: v1beta1 }),
      `exec plugin is configured to use API version ${v1}, plugin returned version ${v1beta1}`,
    ],
    ['no status', printed(undefined), "exec plugin didn't return a status field"],
    ['an empty status', printed({}), noCredential],
    ['empty texts', printed({ token: '', clientKeyData: '' }), noCredential],
    ['a certificate alone', printed({ clientCertificateData: 'canary' }), onlyOne],
    ['a key alone beside a token', printed({ token: 'x', clientKeyData: 'canary' }), onlyOne],
    ['a pair that is no PEM', printed(halves), /^failed parsing client key\/certificate: /],
    [
      'a token over two lines',
      printed({ token: 'a\ncanary' }),
      /^the token that the exec plugin returned has more than one line/,
    ],
    ['a time that is none', withTime('canary'), noTime],
    ['a date alone', withTime('2026-03-01'), noTime],
    ['a month that isn’t', withTime('2026-13-01T00:00:00Z'), noTime],
  ])('%s', (_name, text, message) => {
    const answer = read(text);
    expect(answer).toMatchObject({
      ok: false,
      reason: 'provider',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(JSON.stringify(answer)).not.toContain('canary');
  });
});

describe('YAML that is made to take long is not read at all', () => {
  // Each kept the parser busy for seconds to minutes, in which the broker served no request.
  test.each([
    ['keys without an end', '? '],
    ['empty entries', '[,,,,'],
    ['brackets that close nothing', '}}}}'],
    ['lists in lists', '- - '],
    ['maps in maps', 'a: {b: '],
    ['anchors', 'a: &a 1\n'],
    ['documents', '---\n'],
    ['lines', 'a\n'],
    ['escapes', '"\\x41" '],
  ])('%s', (_name, piece) => {
    const begin = `apiVersion: ${v1}\nkind: ExecCredential\n`;
    const message = 'decoding stdout: yaml: it is too large or too intricate for a credential';
    expect(read(begin + piece.repeat((60 * 1024) / piece.length))).toMatchObject({ message });
  });
});

test('nor is a credential with thousands of keys that no one knows', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}: 1\n`).join('');
  const yaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus: {token: abc}\n${keys}`;
  expect(read(yaml)).toMatchObject({ ok: false, code: 'execPlugin.decoding' });
});

describe('an answer', () => {
  test.each([
    ['with a Z', '2026-03-01T01:00:00Z'],
    ['with a fraction', '2026-03-01T01:00:00.000Z'],
    ['with an offset', '2026-03-01T03:00:00+02:00'],
  ])('a token and its end, %s', (_name, expirationTimestamp) => {
    const answer = read(printed({ token: 'abc', expirationTimestamp }));
    expect(answer.ok && answer.answer.token?.reveal()).toBe('abc');
    expect(answer).toMatchObject({
      answer: { expirationTimestamp: Date.parse('2026-03-01T01:00:00Z'), ownExpiry: null },
    });
  });

  test('null counts as not said, and unknown fields are ignored', () => {
    const status = { token: 'abc', expirationTimestamp: null, clientCertificateData: null, proxyConfig: {} };
    expect(read(printed(status, { spec: {}, metadata: {} }))).toMatchObject({
      ok: true,
      answer: { expirationTimestamp: null },
    });
  });

  test('in YAML, which client-go takes as well', () => {
    const yaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus:\n  token: abc\n`;
    expect(read(yaml)).toMatchObject({ ok: true });
  });

  test('a certificate in YAML is read, however its lines are written', async () => {
    const pair = await issueClientCertificate(await createCa('ca'), { commonName: 'alice' });
    const block = (pem: string) => pem.trimEnd().replaceAll('\n', '\n    ');
    const yaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus:\n  clientCertificateData: |\n    ${block(`${pair.certificatePem}`.repeat(3))}\n  clientKeyData: ${JSON.stringify(pair.keyPem)}\n`;
    expect(read(yaml)).toMatchObject({ ok: true });
  });

  test('the end that a JWT tells is read', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const jwt = `${part({ alg: 'none' })}.${part({ iat: 1_772_323_200, exp: 1_772_326_800 })}.`;
    expect(read(printed({ token: jwt }))).toMatchObject({
      answer: { expirationTimestamp: null, issuedAt: 1_772_323_200_000, ownExpiry: 1_772_326_800_000 },
    });
  });

  test('Go’s zero time means no end, and a comma stands before a fraction', () => {
    expect(read(printed({ token: 'abc', expirationTimestamp: '0001-01-01T00:00:00Z' }))).toMatchObject({
      answer: { expirationTimestamp: null },
    });
    expect(read(printed({ token: 'abc', expirationTimestamp: '2026-03-01T01:00:00,25Z' }))).toMatchObject({
      answer: { expirationTimestamp: Date.parse('2026-03-01T01:00:00.250Z') },
    });
  });

  test('a key of an older form comes out in a block of the right name, and a certificate without spaces', () => {
    const { certificate } = pairOf('ec');
    const clientCertificateData = certificate.replaceAll('\n', ' \n');
    const answer = read(printed({ clientCertificateData, clientKeyData: olderKey('ec', 'PRIVATE KEY') }));
    expect(answer).toMatchObject({ ok: true, answer: { certificate: { chainPem: certificate } } });
    const pair = answer.ok ? answer.answer.certificate : null;
    expect(pair?.keyPem.reveal()).toBe(pairOf('ec').key);
  });

  test('a certificate with its key, and when it ends', async () => {
    const pair = await issueClientCertificate(await createCa('ca'), { commonName: 'alice' });
    const answer = read(printed({ clientCertificateData: pair.certificatePem, clientKeyData: pair.keyPem }));
    expect(answer).toMatchObject({ ok: true, answer: { token: null, ownExpiry: expect.any(Number) } });
  });
});

// KEP-2718/passed-on
describe('an answer with a proxy', () => {
  const proxyConfig = {
    url: 'unix:///run/canary.sock',
    'certificate-authority-data': Buffer.from(pairOf('ec').certificate).toString('base64'),
  };
  const asked = (status: unknown, passesProxy = true) =>
    readAnswer(new Secret(printed(status)), { apiVersion: v1, passesProxy });

  test('alone is one, for a client that knows it', () => {
    const [end, certificateAuthorityPem] = ['2026-03-01T01:00:00Z', pairOf('ec').certificate];
    expect(asked({ proxyConfig, expirationTimestamp: end })).toEqual({
      ok: true,
      answer: {
        token: null,
        certificate: null,
        issuedAt: null,
        ownExpiry: null,
        expirationTimestamp: Date.parse(end),
        proxy: { url: proxyConfig.url, certificateAuthorityPem },
      },
    });
  });

  test('beside a token, and in YAML', () => {
    expect(asked({ proxyConfig, token: 'abc' })).toMatchObject({
      ok: true,
      answer: { token: expect.any(Secret), proxy: { url: proxyConfig.url } },
    });
    const yaml = `apiVersion: ${v1}\nkind: ExecCredential\nstatus:\n  proxyConfig: ${JSON.stringify(proxyConfig)}\n`;
    expect(readAnswer(new Secret(yaml), { apiVersion: v1, passesProxy: true })).toMatchObject({
      answer: { proxy: { url: proxyConfig.url } },
    });
  });

  test('null is none', () => {
    expect(asked({ proxyConfig: null, token: 'abc' })).toMatchObject({ ok: true, answer: { proxy: null } });
  });

  test.each([
    ['without url', {}, 'proxyUrl', 'exec plugin returned a proxyConfig without url'],
    [
      'elsewhere',
      { ...proxyConfig, url: 'https://canary.example.com:443' },
      'proxyElsewhere',
      'exec plugin returned a proxyConfig whose url is neither unix:///PATH nor https://127.0.0.1:PORT',
    ],
    [
      'of another type',
      'canary',
      'decoding',
      `decoding stdout: ${unmarshal} string into Go struct field ExecCredentialStatus.status.proxyConfig of type v1.ProxyConfig`,
    ],
  ])('is refused, whatever stands beside it: %s', (_name, given, code, message) => {
    const refused = asked({ proxyConfig: given, token: 'canary' });
    expect(refused).toMatchObject({ ok: false, reason: 'provider', code: `execPlugin.${code}`, message });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  describe('for a client that doesn’t know it', () => {
    test.each([
      ['as it should be', proxyConfig],
      ['of another type', 5],
      ['elsewhere', { url: 'https://a:1' }],
    ])('is its token alone, as client-go reads it: %s', (_name, given) => {
      expect(asked({ proxyConfig: given, token: 'abc' }, false)).toMatchObject({
        ok: true,
        answer: { token: expect.any(Secret), proxy: null },
      });
    });

    test('is none without a token, and it is said what is missing', () => {
      expect(asked({ proxyConfig }, false)).toMatchObject({
        ok: false,
        code: 'execPlugin.noCredential',
        message: `${noCredential}, but a proxy (proxyConfig)`,
        hint: expect.stringContaining('passProxyConfig: true'),
      });
      expect(asked({ proxyConfig: 5 }, false)).toMatchObject({ message: noCredential });
    });
  });
});

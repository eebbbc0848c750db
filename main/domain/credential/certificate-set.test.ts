import { beforeAll, describe, expect, test } from 'vitest';
import { createCa, largeCaBundle } from '../../../test/support/certificates.ts';
import { createCertificateReader, fingerprintOfPem, parseCertificates } from './certificate-set.ts';

let first: string;
let second: string;
let key: string;

beforeAll(async () => {
  const [a, b] = await Promise.all([createCa('first'), createCa('second')]);
  [first, second, key] = [a.certificatePem, b.certificatePem, a.keyPem];
});

function read(text: string) {
  const found = parseCertificates(text);
  if (!found.ok) {
    throw new Error(found.fault);
  }
  return found;
}

describe('the same certificates have the same fingerprint', () => {
  test.each<[string, () => string]>([
    ['in another order', () => second + first],
    ['one of them twice', () => first + second + first],
    ['with CRLF', () => (first + second).replaceAll('\n', '\r\n')],
    ['without a line break at the end', () => (first + second).trimEnd()],
    ['with comments around', () => `# ours\n${first}\nsubject=CN = second\n${second}`],
    ['in one long line', () => first.replace(/(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])/g, '') + second],
    ['with a key among them, which is left out', () => first + key + second],
  ])('%s', (_name, text) => {
    const found = read(text());
    expect(found.fingerprint).toBe(read(first + second).fingerprint);
    expect(fingerprintOfPem(found.pem)).toBe(found.fingerprint);
  });
});

test('another set has another fingerprint', () => {
  const fingerprints = [first, second, first + second].map((text) => read(text).fingerprint);
  expect(new Set(fingerprints).size).toBe(3);
});

// As `AppendCertsFromPEM` of Go 1.26 answers to the same texts. A certificate whose base64 is padded is wanted.
describe('base64 is read as Go reads it', () => {
  const insert = (text: string) => (body: string) => `${body.slice(0, 10)}${text}${body.slice(10)}`;
  test.each<[string, boolean, (body: string) => string]>([
    ['as it is', true, (body) => body],
    ['with spaces and tabs inside', true, insert(' \t')],
    ['with a carriage return inside', true, insert('\r')],
    ['with a line end before its last padding', true, (body) => body.replace(/=$/, '\n=')],
    ['with another certificate after its padding', false, (body) => `${body}\n${body}`],
    ['with a few characters after its padding', false, (body) => `${body}AAAA`],
    ['without its padding', false, (body) => body.replace(/=+$/, '')],
    ['with too much padding', false, (body) => `${body}=`],
    ['with a group of padding alone', false, (body) => `${body}\n====`],
    ['with a form feed inside', false, insert('\f')],
    ['with a vertical tab inside', false, insert('\v')],
    ['with a no-break space inside', false, insert('\u00a0')],
  ])('%s', async (_, taken, change) => {
    const body = (await paddedCertificate()).replace(/-----[^-]+-----|\s/g, '');
    const text = `-----BEGIN CERTIFICATE-----\n${change(body)}\n-----END CERTIFICATE-----\n`;
    expect(parseCertificates(text).ok).toBe(taken);
  });

  /** Two of three lengths are padded. */
  async function paddedCertificate(): Promise<string> {
    for (let name = 'padded'; ; name += 'x') {
      const { certificatePem } = await createCa(name);
      if (certificatePem.includes('=\n-----END')) {
        return certificatePem;
      }
    }
  }
});

test('of no certificate there is none', () => {
  expect([fingerprintOfPem(''), fingerprintOfPem(key)]).toEqual([null, null]);
});

test('its text holds certificates alone: no key and no comment goes on into a kubeconfig', () => {
  expect(read(`# ours\n${first}${key}`).pem).toBe(first.endsWith('\n') ? first : `${first}\n`);
});

describe('what another reader might take for one more certificate is a fault', () => {
  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['text without a certificate', () => 'hello'],
    ['a key alone', () => key],
    ['a block without its end', () => `${first}-----BEGIN CERTIFICATE-----\nAAAA\n`],
    ['a block inside a block', () => `-----BEGIN X-----\n${first}`],
    ['a strange label', () => `${first}-----BEGIN CERTIFICATE-2-----\nAAAA\n-----END CERTIFICATE-2-----\n`],
    ['headers inside', () => first.replace('-----\n', '-----\nProc-Type: 4\n\n')],
    ['bytes that are no certificate', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    [
      'bytes after the certificate',
      () => {
        const der = Buffer.from(first.replace(/-----[^-]+-----|\s/g, ''), 'base64');
        const longer = Buffer.concat([der, Buffer.from([0])]).toString('base64');
        return `-----BEGIN CERTIFICATE-----\n${longer}\n-----END CERTIFICATE-----\n`;
      },
    ],
  ])('%s', (_name, text) => {
    expect(parseCertificates(text()).ok).toBe(false);
  });
});

test('a 90 KB bundle is read whole', async () => {
  const bundle = await largeCaBundle(await createCa('big'), 90 * 1024);
  expect(read(bundle).count).toBe(bundle.split('-----BEGIN').length - 1);
});

test('a reader gives the same result for a text it knows, and forgets the ones used longest ago', () => {
  const reader = createCertificateReader(2);
  const known = reader(first);
  expect(reader(first)).toBe(known);
  reader(second);
  expect(reader(first)).toBe(known);
  reader(first + second);
  expect(reader(first)).toBe(known);
  reader(second);
  reader(first + second);
  expect(reader(first)).not.toBe(known);
});

test('a reader keeps no more text than it may', () => {
  const reader = createCertificateReader(64, 10);
  expect(reader(first)).not.toBe(reader(first));
});

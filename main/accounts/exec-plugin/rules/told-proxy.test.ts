import { beforeAll, describe, expect, test } from 'vitest';
import { createCa } from '../../../../test/support/certificates.ts';
import { readToldProxy } from './told-proxy.ts';

// KEP-2718/passed-on
let authority: string;
let caPem: string;
beforeAll(async () => {
  caPem = (await createCa('a proxy’s CA')).certificatePem;
  authority = base64(caPem);
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('an address on this machine is passed on as it is written', () => {
  test.each([
    ['unix:///run/user/1000/proxy.sock'],
    ['unix:///tmp/with%20space/%C3%A9.sock'],
    ['unix:///tmp/é.sock'],
    ['https://127.0.0.1:6443'],
    ['https://127.0.0.1:6443/'],
    ['https://127.1.2.3:65535'],
    ['https://[::1]:1'],
    ['https://localhost:8443'],
  ])('%s', (url) => {
    expect(readToldProxy({ url, certificateAuthorityData: authority })).toEqual({
      ok: true,
      proxy: { url, certificateAuthorityPem: caPem },
    });
  });
});

describe('another is none: a client’s requests would leave this machine, or nobody could tell', () => {
  test.each([
    ['https://proxy.example.com:443'],
    ['https://10.0.0.1:6443'],
    ['https://0.0.0.0:6443'],
    ['https://[::]:6443'],
    ['https://[::ffff:10.0.0.1]:6443'],
    ['https://[::1%25eth0]:6443'],
    // Names, to a resolver.
    ['https://127.0.0.999:6443'],
    ['https://127.0.0.01:6443'],
    ['https://127.0.0.1.example.com:6443'],
    ['https://localhost.example.com:6443'],
    // Where the host ends is a matter of the parser.
    ['https://127.0.0.1:6443@evil.example.com'],
    ['https://127.0.0.1:6443\\@evil.example.com'],
    ['https://evil.example.com#@127.0.0.1:6443'],
    ['https://user@127.0.0.1:6443'],
    ['https://127.0.0.1:6443/path'],
    ['https://127.0.0.1:6443?x'],
    ['https://127.0.0.1'],
    ['https://127.0.0.1:0'],
    ['https://127.0.0.1:65536'],
    ['HTTPS://127.0.0.1:6443'],
    [' https://127.0.0.1:6443'],
    ['https://127.0.0.1:6443\n'],
    // In the clear.
    ['http://127.0.0.1:6443'],
    ['tcp://127.0.0.1:6443'],
    ['127.0.0.1:6443'],
    ['unix://evil.example.com/proxy.sock'],
    ['unix://relative.sock'],
    ['unix:/tmp/proxy.sock'],
    ['unix:///'],
    ['unix:///tmp/proxy.sock?x'],
    ['unix:///tmp/proxy.sock#x'],
    ['unix:///tmp/%00.sock'],
    ['unix:///tmp/%0a.sock'],
    ['unix:///tmp/%zz.sock'],
    ['unix:///tmp/%ff.sock'],
    ['unix:///tmp/a b.sock'],
  ])('%s', (url) => {
    expect(readToldProxy({ url, certificateAuthorityData: authority })).toMatchObject({
      ok: false,
      code: 'proxyElsewhere',
    });
  });
});

test('one that is longer than any path is none', () => {
  const read = (length: number) =>
    readToldProxy({ url: `unix:///${'x'.repeat(length)}`, certificateAuthorityData: authority });
  expect(read(4_095)).toMatchObject({ ok: true });
  expect(read(13_000)).toMatchObject({ code: 'proxyElsewhere' });
});

test('without a url', () => {
  expect(readToldProxy({ url: '', certificateAuthorityData: authority })).toMatchObject({
    code: 'proxyUrl',
    wrong: 'without url',
  });
});

describe('its CA', () => {
  const read = (certificateAuthorityData: string) =>
    readToldProxy({ url: 'unix:///s', certificateAuthorityData });

  test('is passed on without what stands beside its certificates', () => {
    const beside = `a comment\n${caPem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n${caPem}`;
    expect(read(base64(beside))).toMatchObject({ proxy: { certificateAuthorityPem: caPem + caPem } });
  });

  test('may be broken into lines, as Go takes it', () => {
    expect(read(authority.replaceAll(/.{60}/g, '$&\r\n'))).toMatchObject({ ok: true });
  });

  test.each([
    ['absent', () => '', 'without certificate-authority-data'],
    ['no base64', () => `${authority}*`, /: it is not base64$/],
    ['cut', () => authority.slice(0, -1), /: it is not base64$/],
    ['no PEM', () => base64('canary'), /: there is no certificate in it$/],
    [
      'beyond a CA’s size',
      () => base64(caPem.repeat(150)),
      'whose certificate-authority-data can’t be used: it is larger than 64 KiB',
    ],
  ])('is refused: %s', (_name, given, wrong) => {
    const refused = read(given());
    expect(refused).toMatchObject({
      ok: false,
      code: 'proxyAuthority',
      wrong: typeof wrong === 'string' ? wrong : expect.stringMatching(wrong),
    });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueClientCertificate,
} from '../../../../test/support/certificates.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { onWindows } from '../../../../test/support/system.ts';
import { Secret } from '../../../base/secret.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createOidcBench, noSignal } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

/** How a client proves itself by what another system signs, or by its certificate, at a provider that checks it. */
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const grants = { grant_types: ['refresh_token', deviceGrant], response_types: [], redirect_uris: [] };

let folder: string;
let file: string;
let clientCa: CertificateAuthority;
let provider: OpenIdProvider;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ly-proof-'));
  file = join(folder, 'token');
  clientCa = await createCa('client CA');
  provider = await startOpenIdProvider({
    clientCa,
    clients: [
      {
        ...grants,
        client_id: 'workload',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
      },
      {
        ...grants,
        client_id: 'by-certificate',
        token_endpoint_auth_method: 'tls_client_auth',
        tls_client_auth_subject_dn: 'CN=robot',
      },
    ],
  });
});
afterAll(async () => {
  await provider?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
/** As another system signs it; the provider takes each one once. */
const signed = (expiresInSeconds = 60) =>
  new SignJWT({ jti: `id-${count++}` })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer('workload')
    .setSubject('workload')
    .setAudience(provider.issuer)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + expiresInSeconds)
    .sign(privateKey);

describe('an assertion from a file', () => {
  const open = (secrets: Record<string, Secret> = {}) =>
    createOidcBench(createOidcAccount, provider, {
      config: { clientId: 'workload', clientAssertionFile: file },
      vault: new FakeVault({ secrets: { corp: secrets } }),
    });

  /** Writes one for the request to the device endpoint, and another, once the code is shown, for the poll. */
  async function logIn(bench: ReturnType<typeof open>) {
    writeFileSync(file, `${await signed()}\n`, { mode: 0o600 });
    return bench.login('alice', async (code) => {
      await provider.person.approveDevice(code);
      writeFileSync(file, await signed());
    });
  }

  test('is read again for each request, in the middle of a login too, and counts before a secret', async () => {
    const bench = open({ clientSecret: new Secret('unused') });
    expect(await logIn(bench)).toMatchObject({ ok: true });
    writeFileSync(file, await signed());
    expect(await bench.renew()).toMatchObject({ ok: true });
    expect(provider.lastRequest('token')?.form).toMatchObject({
      client_id: 'workload',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
  });

  test('one that the provider refuses is not repeated in what is said', async () => {
    const bench = open();
    await logIn(bench);
    // The file is as it was: this one has been used.
    const refused = await bench.renew();
    expect(refused).toMatchObject({ ok: false, code: 'oidc.client.rejected' });
    expect(JSON.stringify([refused, bench.log.lines])).not.toMatch(/eyJ/);
  });

  test.each<[string, () => Promise<string | null>, RegExp]>([
    ['is missing', async () => null, /token does not exist$/],
    ['holds something else', async () => 'hunter2', /token holds no signed token \(JWT\)$/],
    ['holds one that has expired', () => signed(-60), /^the token in .*token expired at /],
  ])('%s: said before anything is asked, with the file, and costs no session', async (_name, text, said) => {
    const bench = open();
    await logIn(bench);
    const before = bench.session();
    const content = await text();
    content === null ? rmSync(file) : writeFileSync(file, content);
    const asked = provider.counts.requests.token;
    const refused = await bench.renew();
    expect(refused).toMatchObject({
      ok: false,
      code: 'oidc.client.assertion',
      message: expect.stringMatching(said),
      hint: expect.stringContaining('clientAssertionFile'),
    });
    expect(provider.counts.requests.token).toBe(asked);
    expect(bench.session()).toEqual(before);
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  });

  test.skipIf(onWindows)('doctor says whether it is there, and who may read it', async () => {
    const bench = open();
    writeFileSync(file, await signed());
    chmodSync(file, 0o644);
    const found = await bench.account.examine(noSignal);
    expect(found.filter(({ check }) => ['account.assertion', 'account.file'].includes(check))).toMatchObject([
      { level: 'ok', message: `${file} holds a signed token that has not expired` },
      { level: 'warning', message: `${file} may be read by other users`, hint: `chmod 600 ${file}` },
    ]);
    rmSync(file);
    expect(await bench.account.examine(noSignal)).toContainEqual(
      expect.objectContaining({ check: 'account.assertion', level: 'problem' }),
    );
  });
});

describe('a client certificate', () => {
  const open = (secrets: Record<string, Secret>) =>
    createOidcBench(createOidcAccount, provider, {
      config: { clientId: 'by-certificate' },
      vault: new FakeVault({ secrets: { corp: secrets } }),
    });
  const issue = async (commonName: string, ca = clientCa, notAfter = new Date(Date.now() + 86_400_000)) => {
    const { chainPem, keyPem } = await issueClientCertificate(ca, { commonName, notAfter });
    return new Secret(chainPem + keyPem);
  };

  test('logs in, renews and revokes with it, where the provider wants it to come (mtls_endpoint_aliases)', async () => {
    const bench = open({ clientCertificate: await issue('robot'), clientSecret: new Secret('unused') });
    expect(await bench.login()).toMatchObject({ ok: true });
    expect(await bench.renew()).toMatchObject({ ok: true });
    expect(provider.lastRequest('token')?.form).toMatchObject({ client_id: 'by-certificate' });
    expect(provider.lastRequest('token')?.form).not.toHaveProperty('client_secret');
    expect(await bench.account.logout()).toMatchObject({ revocation: 'revoked' });
  });

  test('another user’s, and one of another authority, are not taken', async () => {
    const bench = open({ clientCertificate: await issue('somebody') });
    expect(await bench.login()).toMatchObject({ ok: false, code: 'oidc.client.rejected' });
    const strange = open({ clientCertificate: await issue('robot', await createCa('another CA')) });
    expect(await strange.login()).toMatchObject({ ok: false, code: 'oidc.client.rejected' });
  });

  test('one that has expired is said before anything is asked; doctor warns before', async () => {
    const ends = new Date(Date.now() + 3 * 86_400_000);
    const bench = open({ clientCertificate: await issue('robot', clientCa, ends) });
    bench.clock.advance(2.8 * 86_400_000);
    const found = await bench.account.examine(noSignal);
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'account.certificate',
        level: 'warning',
        hint: 'lanyard secret set corp/clientCertificate < FILE',
      }),
    );
    bench.clock.advance(86_400_000);
    expect(await bench.login()).toMatchObject({
      ok: false,
      code: 'oidc.client.certificate',
      message: expect.stringMatching(/^the clientCertificate of corp expired at /),
    });
  });
});

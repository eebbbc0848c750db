import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  createIntermediateCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../test/support/certificates.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { Secret } from '../../base/secret.ts';
import type { ClientCertificateAccountConfig } from '../../contract/config/accounts/kept-credentials.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { createSecretFileReader, type SecretFileReader } from '../secret-file.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createClientCertificateAccount } from './client-certificate-account.ts';

const noSignal = new AbortController().signal;
let ca: CertificateAuthority;
let intermediate: CertificateAuthority;
let alice: IssuedCertificate;
let bob: IssuedCertificate;
const folder = temporaryFolder();

beforeAll(async () => {
  ca = await createCa('Cluster CA');
  intermediate = await createIntermediateCa(ca, 'Users CA');
  alice = await issueClientCertificate(ca, { commonName: 'alice', intermediate });
  bob = await issueClientCertificate(ca, { commonName: 'bob' });
});

function make(
  options: {
    secrets?: Record<string, string>;
    config?: ClientCertificateAccountConfig;
    files?: SecretFileReader;
    clock?: FakeClock;
  } = {},
) {
  const secrets = Object.fromEntries(
    Object.entries(options.secrets ?? {}).map(([name, value]) => [name, new Secret(value)]),
  );
  const vault = new FakeVault({ secrets: { ops: secrets } });
  const account = createClientCertificateAccount({
    account: {
      name: 'ops',
      config: { clientCertificate: options.config ?? {} },
      certificateAuthorityPem: null,
    },
    vault,
    files: options.files ?? createSecretFileReader(),
    clock: options.clock ?? new FakeClock(),
  });
  return { account, vault };
}

describe('in the vault', () => {
  test('KEP-541/certificates: issues the chain with intermediates, the key, and the life of the leaf', async () => {
    const junk = 'Bag Attributes\r\n  x: y\r\n';
    const { account } = make({
      secrets: {
        certificate: junk + intermediate.certificatePem + junk + alice.certificatePem,
        key: junk + alice.keyPem,
      },
    });
    const held = await account.current();
    expect(held).toEqual(await account.renew(noSignal));
    expect(held).toMatchObject({
      ok: true,
      credential: { token: null, issuedAt: alice.notBefore.getTime(), expiresAt: alice.notAfter.getTime() },
    });
    const certificate = held?.ok ? held.credential.certificate : null;
    expect(certificate?.chainPem).toBe(
      new X509Certificate(alice.certificatePem).toString() +
        new X509Certificate(intermediate.certificatePem).toString(),
    );
    expect(certificate?.keyPem?.reveal()).toBe(alice.keyPem);
    expect(await account.state()).toMatchObject({ state: 'ready', subject: 'alice', problem: null });
  });

  test('KEP-541/certificates, KEP-541/valid-or-error: only while it is valid, to the millisecond', async () => {
    const secrets = { certificate: alice.chainPem, key: alice.keyPem };
    const [from, to] = [alice.notBefore.getTime(), alice.notAfter.getTime()];
    const at = (time: number) => make({ secrets, clock: new FakeClock(time) }).account;
    expect((await at(from).renew(noSignal)).ok).toBe(true);
    expect((await at(to - 1).renew(noSignal)).ok).toBe(true);
    expect(await at(from - 1).current()).toBeNull();
    expect(await at(from - 1).renew(noSignal)).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'clientCertificate.notYetValid',
      message: `the certificate of ops is not valid before ${clockText(from, from - 1)}`,
    });
    expect(await at(to).current()).toBeNull();
    expect(await at(to).renew(noSignal)).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'clientCertificate.expired',
      message: `the certificate of ops expired at ${clockText(to)}`,
    });
    expect(await at(to).state()).toMatchObject({ state: 'expired', expiresAt: to });
  });

  const encrypted = () =>
    generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' },
    }).privateKey;
  const rsa = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }).privateKey;
  const broken = (label: string) => `-----BEGIN ${label}-----\nY2FuYXJ5\n-----END ${label}-----\n`;

  const anothers = 'the private key in ops/key is not that of the certificate “alice” in ops/certificate';
  const aliceWith = (key: () => string) => () => ({ certificate: alice.chainPem, key: key() });
  const brokenChain = () => alice.chainPem + broken('CERTIFICATE');
  test.each<[string, () => Record<string, string>, string, string]>([
    ['nothing', () => ({}), 'missing', 'ops has no certificate yet'],
    ['no key', () => ({ certificate: alice.chainPem }), 'keyMissing', 'ops has a certificate and no key'],
    ['a key alone', () => ({ key: alice.keyPem }), 'certificateMissing', 'ops has a key and no certificate'],
    ['another’s key', aliceWith(() => bob.keyPem), 'mismatch', anothers],
    ['another’s key of another kind', aliceWith(rsa), 'mismatch', anothers],
    [
      'an encrypted key',
      aliceWith(encrypted),
      'keyEncrypted',
      'the private key in ops/key is encrypted with a passphrase',
    ],
    [
      'no PEM',
      () => ({ certificate: 'canary', key: alice.keyPem }),
      'noCertificate',
      'ops/certificate holds no certificate: expected PEM',
    ],
    [
      'a certificate in the key’s place',
      aliceWith(() => alice.chainPem),
      'keyMissing',
      'ops/key holds no private key: expected PEM',
    ],
    [
      'a broken certificate',
      () => ({ certificate: brokenChain(), key: alice.keyPem }),
      'badCertificate',
      'a certificate in ops/certificate can’t be read',
    ],
    [
      'a broken key',
      aliceWith(() => broken('PRIVATE KEY')),
      'badKey',
      'the private key in ops/key can’t be read',
    ],
  ])('KEP-541/valid-or-error: refuses %s', async (_name, secrets, code, message) => {
    const { account } = make({ secrets: secrets() });
    expect(await account.current()).toBeNull();
    const refusal = await account.renew(noSignal);
    expect(refusal).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: `clientCertificate.${code}`,
      message,
    });
    const isMissing = /issing$/.test(code);
    expect((await account.state()).state).toBe(isMissing ? 'secretMissing' : 'invalid');
    expect(JSON.stringify(refusal)).not.toContain('canary');
  });

  test('a locked vault is "locked"', async () => {
    const { account, vault } = make({ secrets: { certificate: alice.chainPem, key: alice.keyPem } });
    vault.locked = true;
    expect(await account.current()).toMatchObject({ reason: 'locked' });
    expect(await account.state()).toMatchObject({ state: 'locked' });
  });
});

describe('in files', () => {
  const write = async (name: string, text: string) => {
    const path = join(folder(), name);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
    return path;
  };
  const keyOf = async (account: ReturnType<typeof make>['account']) => {
    const held = await account.current();
    return held?.ok ? held.credential.certificate?.keyPem?.reveal() : held;
  };

  test('KEP-541/rotation: a rotation is seen without a restart', async () => {
    const config = {
      certificateFile: await write('tls.crt', alice.chainPem),
      keyFile: await write('tls.key', alice.keyPem),
    };
    const { account } = make({ config });
    expect(await keyOf(account)).toBe(alice.keyPem);
    await write('tls.crt', bob.chainPem);
    await write('tls.key', bob.keyPem);
    expect(await keyOf(account)).toBe(bob.keyPem);
    expect(await account.state()).toMatchObject({ subject: 'bob' });
  });

  test('in the middle of a rotation it looks once more, and only once', async () => {
    const certificateFile = await write('tls.crt', bob.chainPem);
    const keyFile = await write('tls.key', alice.keyPem);
    const clock = new FakeClock();
    let rounds = 0;
    const files: SecretFileReader = {
      async read(path) {
        rounds += path === certificateFile ? 1 : 0;
        if (rounds === 2) {
          await write('tls.key', bob.keyPem);
        }
        return createSecretFileReader().read(path);
      },
    };
    const { account } = make({ config: { certificateFile, keyFile }, files, clock });
    expect(await keyOf(account)).toBe(bob.keyPem);
    expect(clock.waits).toEqual([200]);

    await write('tls.key', alice.keyPem);
    rounds = 2;
    expect(await account.renew(noSignal)).toMatchObject({ code: 'clientCertificate.mismatch' });
    expect(rounds).toBe(4);
    expect(clock.waits).toEqual([200, 200]);
  });

  test('one file may hold both', async () => {
    const certificateFile = await write('both.pem', alice.keyPem + alice.chainPem);
    expect(await keyOf(make({ config: { certificateFile } }).account)).toBe(alice.keyPem);
  });

  test('a file that is missing is named', async () => {
    const certificateFile = await write('tls.crt', alice.chainPem);
    const keyFile = join(folder(), 'tls.key');
    const { account } = make({ config: { certificateFile, keyFile } });
    expect(await account.renew(noSignal)).toMatchObject({
      code: 'clientCertificate.unreadable',
      message: `${keyFile} does not exist`,
    });
    expect(await make({ config: { keyFile } }).account.renew(noSignal)).toMatchObject({
      code: 'clientCertificate.certificateMissing',
    });
  });
});

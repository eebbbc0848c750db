import { constants, generateKeyPairSync, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  createIntermediateCa,
  type IssuedCertificate,
  issueClientCertificate,
  type KeyKind,
} from '../support/certificates.ts';
import { KeysHost, type Told } from '../support/keys/keys-host.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { unless } from '../support/unless.ts';

/** lanyard-keys with real tokens: SoftHSM’s, and a module before it that does what broken ones do. */
let tokens: SoftHsm;
let ca: CertificateAuthority;
let middle: CertificateAuthority;
let keys: Record<KeyKind, IssuedCertificate>;
let host: KeysHost;

/** RFC 8446, section 4.2.3; its PSS has a salt as long as the digest. */
const hashes = {
  1025: ['sha256', false],
  1281: ['sha384', false],
  1537: ['sha512', false],
  1027: ['sha256', false],
  1283: ['sha384', false],
  2052: ['sha256', true],
  2053: ['sha384', true],
  2054: ['sha512', true],
} as const;
const pss = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};

const kinds = ['RSA-2048', 'P-256', 'P-384'] as const;

/** One with a module loaded. */
async function loaded(module = tokens.module): Promise<KeysHost> {
  host = new KeysHost(tokens.env);
  expect(await host.load(module)).toMatchObject({ tell: 'loaded' });
  return host;
}

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  ca = await createCa('cards');
  middle = await createIntermediateCa(ca, 'cards of one town');
  const issue = (key: KeyKind) =>
    issueClientCertificate(ca, { commonName: 'alice', intermediate: middle, key });
  keys = {
    'RSA-2048': await issue('RSA-2048'),
    'P-256': await issue('P-256'),
    'P-384': await issue('P-384'),
  };
  tokens = new SoftHsm();
  tokens.addToken('card', [
    ...kinds.map((kind, at) => ({ label: kind, id: at + 1, ...keys[kind] })),
    { label: 'issuer', id: 9, keyPem: null, certificatePem: middle.certificatePem },
    { label: 'root', id: 10, keyPem: null, certificatePem: ca.certificatePem },
  ]);
  const without = await issue('P-256');
  const other = await issue('P-256');
  tokens.addToken('odd', [
    { label: 'bare', id: 1, keyPem: without.keyPem },
    { label: 'swapped', id: 2, keyPem: without.keyPem, certificatePem: other.certificatePem },
  ]);
  const weak = (label: string, id: number, pair: { privateKey: KeyObject }) => ({
    ...{ label, id, keyPem: String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })) },
  });
  tokens.addToken('weak', [
    weak('RSA-1024', 1, generateKeyPairSync('rsa', { modulusLength: 1024 })),
    weak('P-521', 2, generateKeyPairSync('ec', { namedCurve: 'P-521' })),
  ]);
  // Two with one label: a token is then named by its serial number.
  tokens.addToken('twin', []);
  tokens.addToken('twin', []);
});
afterEach(async () => {
  await host?.dispose();
  tokens?.reset();
});
afterAll(() => tokens?.dispose());

// (rule: key-on-token)
describe('the module’s file', unless(noSoftHsm), () => {
  const folder = mkdtempSync(join(tmpdir(), 'ly-module-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is loaded behind its links, and not where it is another one', async () => {
    const link = join(folder, 'link.so');
    symlinkSync(tokens.misbehaving, link);
    host = new KeysHost(tokens.env);
    const other = await host.order({ do: 'load', module: link, sha256: '00'.repeat(32) });
    expect(other['code']).toBe('moduleChanged');
    expect(tokens.noted('read')).toEqual([]);
    expect(await host.load(link)).toMatchObject({ tell: 'loaded' });
  });

  test('is refused where it is missing, open to others, or of others', async () => {
    host = new KeysHost(tokens.env);
    const open = join(folder, 'open.so');
    copyFileSync(tokens.module, open);
    chmodSync(open, 0o666);
    /** What is wrong with the file, before its content is compared. */
    const fault = async (module: string) =>
      (await host.order({ do: 'load', module, sha256: '00'.repeat(32) }))['code'];
    expect(await fault('/nowhere/x.so')).toBe('moduleMissing');
    expect(await fault('x.so')).toBe('moduleMissing');
    expect(await fault('/dev/null')).toBe('moduleMissing');
    expect(await fault(open)).toBe('moduleUnsafe');
    chmodSync(open, 0o644);
    expect(await fault(open)).toBe('moduleChanged');
    chmodSync(folder, 0o777);
    expect(await fault(open)).toBe('moduleUnsafe');
    chmodSync(folder, 0o700);
  });

  test('is loaded where it is what was approved, and is a module', async () => {
    host = new KeysHost(tokens.env);
    const changed = await host.order({ do: 'load', module: tokens.module, sha256: '00'.repeat(32) });
    expect(changed).toMatchObject({ tell: 'failed', code: 'moduleChanged', tries: null });
    for (const file of [join(import.meta.dirname, 'keys-on-token.test.ts'), '/usr/bin/env']) {
      const failed = await host.load(file);
      expect([failed['code'], failed['text']]).toEqual(['moduleBroken', expect.stringContaining(file)]);
    }
    expect(await host.load(tokens.module)).toMatchObject({
      tell: 'loaded',
      library: { manufacturer: 'SoftHSM', version: '2.6', cryptoki: '2.40' },
    });
    expect(await host.load(tokens.module)).toMatchObject({ code: 'request' });
  });
});

describe('a list', unless(noSoftHsm), () => {
  test('names tokens, and what is to be seen there without a login', async () => {
    await loaded();
    const { slots } = await host.order({ do: 'list' });
    const card = (slots as Told[]).find(({ token }) => token?.label === 'card')?.['token'];
    expect(card.flags).toEqual({
      loginRequired: true,
      pinPad: false,
      initialized: true,
      userPinSet: true,
      triesLow: false,
      finalTry: false,
      locked: false,
      writeProtected: false,
    });
    expect(card.mechanisms).toEqual(expect.arrayContaining(['RSA_PKCS', 'RSA_PKCS_PSS', 'ECDSA']));
    expect(card.certificates).toHaveLength(5);
    const own = card.certificates.find(({ label }: Told) => label === 'P-256');
    expect(own).toEqual({ label: 'P-256', id: '02', pem: expect.any(String) });
    expect(new X509Certificate(own.pem).raw).toEqual(new X509Certificate(keys['P-256'].certificatePem).raw);
    const byLabel = (a: Told, b: Told) => (a['label'] < b['label'] ? -1 : 1);
    const at = (label: string) => card.certificates.findIndex((each: Told) => each['label'] === label);
    const isGood = { private: false, problem: null };
    expect(card.keys.sort(byLabel)).toEqual([
      {
        ...{ label: 'P-256', id: '02', kind: 'ec', bits: 256, curve: 'P-256', ...isGood },
        ...{ certificate: at('P-256'), schemes: [0x0403] },
      },
      {
        ...{ label: 'P-384', id: '03', kind: 'ec', bits: 384, curve: 'P-384', ...isGood },
        ...{ certificate: at('P-384'), schemes: [0x0503] },
      },
      {
        ...{ label: 'RSA-2048', id: '01', kind: 'rsa', bits: 2048, curve: null, ...isGood },
        ...{ certificate: at('RSA-2048'), schemes: [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601] },
      },
    ]);
    expect((slots as Told[]).filter(({ token }) => token?.label === 'twin')).toHaveLength(2);
  });

  test('tells which certificate is a key’s own, not which lies under its id', async () => {
    await loaded();
    const { slots } = await host.order({ do: 'list' });
    const odd = (slots as Told[]).find(({ token }) => token?.label === 'odd')?.['token'];
    const keyOf = (label: string) => odd.keys.find((each: Told) => each['label'] === label);
    expect(odd.certificates).toHaveLength(1);
    expect(keyOf('bare')).toMatchObject({ certificate: null, problem: null });
    expect(keyOf('swapped')).toMatchObject({ certificate: null, problem: null });
  });

  test('tells what a key can’t do', async () => {
    tokens.misbehave('no-pss');
    await loaded(tokens.misbehaving);
    const { slots } = await host.order({ do: 'list' });
    const card = (slots as Told[]).find(({ token }) => token?.label === 'card')?.['token'];
    const keyOf = (label: string) => card.keys.find((each: Told) => each['label'] === label);
    expect(keyOf('RSA-2048')).toMatchObject({ schemes: [0x0401, 0x0501, 0x0601], problem: null });
    const weak = (slots as Told[]).find(({ token }) => token?.label === 'weak')?.['token'];
    // A token lists its keys in any order.
    const said = new Map(weak.keys.map(({ label, ...of }: Told) => [label, [of['schemes'], of['problem']]]));
    expect(said.get('RSA-1024')).toEqual([[], 'the key is RSA with 1024 bits: at least 2048 are needed']);
    expect(said.get('P-521')).toEqual([
      [],
      'the key is of a kind that isn’t supported: RSA, P-256 and P-384 are',
    ]);
  });

  test('logs in nowhere', async () => {
    await loaded(tokens.misbehaving);
    await host.order({ do: 'list' });
    expect(tokens.noted('logins')).toEqual([]);
  });
});

describe('a key', unless(noSoftHsm), () => {
  test('is found by the token’s and its own names', async () => {
    await loaded();
    const { slots } = await host.order({ do: 'list' });
    const { slot, token } = (slots as Told[]).find((each) => each['token']?.label === 'card') as Told;
    for (const select of [
      { token: 'card', label: 'P-256' },
      { serial: token.serial, id: '02' },
      { slot, label: 'P-256', id: '02' },
      { manufacturer: token.manufacturer, model: token.model, token: 'card', id: '02' },
    ]) {
      expect(await host.open(select)).toMatchObject({
        tell: 'opened',
        serial: token.serial,
        tokenLabel: 'card',
        curve: 'P-256',
      });
    }
  });

  test('is not guessed: what fits several times, or not at all, is named', async () => {
    await loaded();
    const { slots } = await host.order({ do: 'list' });
    const serials = (slots as Told[]).map(({ token }) => token?.serial).filter(Boolean);
    const ofCard = (slots as Told[]).find(({ token }) => token?.label === 'card')?.['token'].serial;
    const fails = async (...words: Parameters<KeysHost['open']>) => {
      const { code, text } = await host.open(...words);
      return [code, text];
    };
    const twins = await fails({ token: 'twin' });
    expect(twins[0]).toBe('several');
    expect(serials.filter((serial) => twins[1].includes(serial))).toHaveLength(2);
    expect(await fails({ token: 'card' })).toEqual(['several', expect.stringContaining('P-384 (id 03)')]);
    expect(await fails({ token: 'lost' })).toEqual([
      'tokenMissing',
      expect.stringContaining('card (serial '),
    ]);
    expect(await fails({ token: 'card', label: 'none' })).toEqual([
      'keyMissing',
      expect.stringContaining('RSA-2048 (id 01)'),
    ]);
    expect(await fails({ token: 'twin', serial: ofCard })).toEqual(['tokenMissing', expect.anything()]);
    expect(await fails({ token: 'odd', id: '01' })).toEqual(['certificateMissing', expect.anything()]);
    expect(await fails({ token: 'odd', id: '02' })).toEqual(['mismatch', expect.anything()]);
    const file = { certificate: keys['P-256'].chainPem };
    expect(await fails({ token: 'odd', id: '01' }, file)).toEqual(['mismatch', expect.anything()]);
    expect(await fails({ token: 'card' }, { certificate: 'none' })).toEqual([
      'certificateMissing',
      expect.anything(),
    ]);
  });

  test('has its certificate from a file, which tells the key, too', async () => {
    await loaded();
    const opened = await host.open({ token: 'card' }, { certificate: keys['P-384'].certificatePem });
    expect(opened).toMatchObject({ tell: 'opened', curve: 'P-384', schemes: [0x0503] });
  });

  test.each([
    ['RSA-2048', 'rsa', 2048, null, [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]],
    ['P-256', 'ec', 256, 'P-256', [0x0403]],
    ['P-384', 'ec', 384, 'P-384', [0x0503]],
  ] as const)(
    '%s signs by each of its schemes, and comes with its chain',
    async (label, kind, bits, curve, schemes) => {
      await loaded();
      const opened = await host.open({ token: 'card', label });
      expect(opened).toMatchObject({ tell: 'opened', kind, bits, curve, schemes });
      // Its issuer, which is on the token, and not the root.
      const certificates = opened['chain'].split(/(?<=-----END CERTIFICATE-----\n)(?=-)/);
      expect(certificates.map((pem: string) => new X509Certificate(pem).subject)).toEqual([
        'CN=alice',
        'CN=cards of one town',
      ]);
      const { publicKey } = new X509Certificate(opened['chain']);
      const message = Buffer.from('a handshake’s transcript');
      for (const scheme of schemes) {
        const { signature } = await host.sign(scheme, message);
        const [hash, isPss] = hashes[scheme];
        const by = isPss ? { key: publicKey, ...pss } : publicKey;
        expect(verify(hash, message, by, Buffer.from(signature, 'base64'))).toBe(true);
      }
      expect(await host.sign(0x0807, message)).toMatchObject({ code: 'request' });
    },
  );

  test('of an old card has no PSS', async () => {
    tokens.misbehave('no-pss');
    await loaded(tokens.misbehaving);
    const opened = await host.open({ token: 'card', label: 'RSA-2048' });
    expect(opened['schemes']).toEqual([0x0401, 0x0501, 0x0601]);
  });

  test('that asks for the PIN before each signature gets it', async () => {
    tokens.misbehave('always');
    await loaded(tokens.misbehaving);
    await host.open({ token: 'card', label: 'P-256' });
    expect(await host.sign(0x0403, Buffer.from('a'))).toMatchObject({ tell: 'signed' });
    expect(await host.sign(0x0403, Buffer.from('b'))).toMatchObject({ tell: 'signed' });
    expect(tokens.noted('logins')).toEqual(['pin', 'again', 'again']);
  });

  test.each([
    ['RSA-2048', 0x0401],
    ['RSA-2048', 0x0804],
    ['P-256', 0x0403],
  ])('%s gives no signature that doesn’t fit its certificate: %d', async (label, scheme) => {
    await loaded(tokens.misbehaving);
    await host.open({ token: 'card', label });
    tokens.misbehave('wrong');
    const mismatch = { tell: 'failed', code: 'mismatch' };
    expect(await host.sign(scheme, Buffer.from('a'))).toMatchObject(mismatch);
    tokens.misbehave('wrong', false);
    expect(await host.sign(scheme, Buffer.from('a'))).toMatchObject({ tell: 'signed' });
    if (label === 'RSA-2048') {
      tokens.misbehave('wrong');
      expect(await host.sign(scheme, Buffer.from('a'))).toMatchObject(mismatch);
    }
  });
});

describe('a PIN', unless(noSoftHsm), () => {
  const card = { token: 'card', label: 'P-256' };

  test('is asked for where it is missing', async () => {
    await loaded(tokens.misbehaving);
    expect(await host.open(card, { pin: null })).toMatchObject({ code: 'pinNeeded' });
    expect(await host.open(card, { pin: null, pad: true })).toMatchObject({ code: 'pinNeeded' });
    expect(tokens.noted('logins')).toEqual([]);
  });

  test('that is wrong is tried once, and no other one by this process', async () => {
    await loaded(tokens.misbehaving);
    tokens.misbehave('three');
    expect(await host.open(card, { pin: '9999' })).toMatchObject({
      code: 'pinWrong',
      text: 'the PIN is wrong (CKR_PIN_INCORRECT)',
      tries: { low: true, final: false, locked: false },
    });
    expect(await host.open(card, { pin: '9999' })).toMatchObject({ code: 'pinWrong' });
    expect(await host.open(card)).toMatchObject({ code: 'pinWrong' });
    expect(tokens.noted('logins')).toEqual(['pin']);
  });

  test('of a locked token isn’t tried', async () => {
    tokens.misbehave('locked');
    await loaded(tokens.misbehaving);
    expect(await host.open(card)).toMatchObject({
      code: 'pinLocked',
      tries: { low: true, final: false, locked: true },
    });
    expect(tokens.noted('logins')).toEqual([]);
  });

  test('is typed at the token’s pad, where it has one', async () => {
    tokens.misbehave('pad');
    await loaded(tokens.misbehaving);
    expect(await host.open(card, { pin: null })).toMatchObject({ code: 'padNeeded' });
    expect(await host.open(card, { pin: null, pad: true })).toMatchObject({ tell: 'opened' });
    expect(await host.sign(0x0403, Buffer.from('a'))).toMatchObject({ tell: 'signed' });
    expect(tokens.noted('logins')).toEqual(['pad']);
  });

  test('is nowhere to be read', async () => {
    await loaded();
    await host.open(card);
    const of = (file: string) => readFileSync(`/proc/${host.pid}/${file}`, 'utf8');
    expect(of('cmdline').split('\0').filter(Boolean)).toEqual([expect.stringMatching(/\/lanyard-keys$/)]);
    expect(of('limits')).toMatch(/Max core file size +0 +0 /);
    expect(JSON.stringify(host.told)).not.toContain('1234');
  });
});

describe('a token that is taken out', unless(noSoftHsm), () => {
  const card = { token: 'card', label: 'P-256' };

  test('is told once, ends its key, and goes on when it is back', async () => {
    await loaded(tokens.misbehaving);
    await host.open(card);
    tokens.misbehave('gone');
    await host.nextUnasked();
    expect(host.unasked).toEqual([{ tell: 'removed' }]);
    expect(await host.sign(0x0403, Buffer.from('a'))).toMatchObject({ code: 'request' });
    expect(await host.open(card)).toMatchObject({ code: 'tokenMissing' });
    tokens.misbehave('gone', false);
    expect(await host.open(card)).toMatchObject({ tell: 'opened' });
    expect(await host.sign(0x0403, Buffer.from('a'))).toMatchObject({ tell: 'signed' });
    expect(host.unasked).toHaveLength(1);
  });

  test('while it signs, fails that and is told', async () => {
    await loaded(tokens.misbehaving);
    await host.open(card);
    tokens.misbehave('gone');
    expect(await host.sign(0x0403, Buffer.from('a'))).toMatchObject({ code: 'tokenMissing' });
    if (host.unasked.length === 0) await host.nextUnasked();
    expect(host.unasked).toEqual([{ tell: 'removed' }]);
  });
});

describe('a module', unless(noSoftHsm), () => {
  const card = { token: 'card', label: 'P-256' };

  test('that prints and reads reaches nobody', async () => {
    await loaded(tokens.misbehaving);
    expect(tokens.noted('read')).toEqual(['nothing']);
    expect(host.told.map(({ tell }) => tell)).toEqual(['loaded']);
  });

  test('that crashes ends its process, and the next one works', async () => {
    await loaded(tokens.misbehaving);
    await host.open(card);
    tokens.misbehave('crash');
    expect(await host.sign(0x0403, Buffer.from('a'))).toEqual({ tell: 'ended' });
    expect(await host.exited).toEqual({ code: null, signal: 'SIGSEGV' });
    tokens.misbehave('crash', false);
    await loaded(tokens.misbehaving);
    expect(await host.open(card)).toMatchObject({ tell: 'opened' });
  });

  test('that hangs doesn’t keep its process from ending with stdin', async () => {
    await loaded(tokens.misbehaving);
    await host.open(card);
    tokens.misbehave('sleep');
    const signed = host.sign(0x0403, Buffer.from('a'));
    await host.dispose();
    expect(await signed).toEqual({ tell: 'ended' });
    expect(await host.exited).toEqual({ code: 0, signal: null });
  });
});

test.skipIf(process.platform !== 'linux')('what is no order ends it', async () => {
  host = new KeysHost({});
  host.write('{"do":"dance","id":1}\n');
  expect(await host.exited).toEqual({ code: 0, signal: null });
});

test.skipIf(process.platform !== 'linux')('without a module there is nothing to open', async () => {
  host = new KeysHost({});
  for (const order of [{ do: 'list' }, { do: 'open', select: {}, certificate: null, pin: null }]) {
    expect(await host.order(order)).toMatchObject({ tell: 'failed', code: 'request' });
  }
});

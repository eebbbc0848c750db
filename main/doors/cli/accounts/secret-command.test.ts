import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createCa,
  createIntermediateCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../../test/support/certificates.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import type { VaultContent } from '../../../ports/vault.ts';
import { commandCall } from '../testing/command-call.ts';
import { secretSetCommand } from './secret-command.ts';

let now = Date.now();

function bench() {
  let content = { sessions: {}, secrets: {} } as unknown as VaultContent;
  const command = secretSetCommand({
    config: {
      current: () =>
        ({
          accounts: new Map([
            ['corp', { name: 'corp', config: { oidc: {} } }],
            ['ops', { name: 'ops', config: { clientCertificate: {} } }],
            ['ci', { name: 'ci', config: { staticToken: {} } }],
            ['hub', { name: 'hub', config: { registry: {} } }],
            ['ghcr', { name: 'ghcr', config: { registry: { userName: 'carol' } } }],
            ['keys', { name: 'keys', config: { aws: { accessKeyId: 'AKIA' } } }],
            ['eks', { name: 'eks', config: { execPlugin: { env: [{ name: 'TOKEN' }] } } }],
          ]),
        }) as never,
    },
    vault: {
      read: () => content,
      update: async (next) => {
        content = next(content);
      },
    },
    clock: { now: () => now },
    recorder: { record: () => undefined },
    onChanged: () => undefined,
  });
  return {
    set: (args: string[], stdin: string) => command(commandCall(args, { stdin })),
    kept: (part: string, account = 'corp') => content.secrets[account]?.[part]?.reveal(),
  };
}

const pem = String(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);

describe('an OpenID client’s own proof', () => {
  test('without a part it is the secret; both may be set', async () => {
    const at = bench();
    await at.set(['corp'], 'the secret\n');
    await at.set(['corp/clientKey'], pem);
    expect(at.kept('clientSecret')).toBe('the secret');
    expect(at.kept('clientKey')).toBe(pem.trim());
  });

  test.each([
    ['canary', /neither a private key in PEM/],
    ['-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n', /can’t be read/],
    ['{"kty":"RSA","canary":1}', /without its private part/],
  ])('a key that can’t be used is refused and not kept: %s', async (text, said) => {
    const at = bench();
    const failed = await at.set(['corp/clientKey'], text).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BrokerError);
    expect(failed).toMatchObject({
      code: 'secret.clientKey',
      reason: 'usage',
      message: expect.stringMatching(said),
    });
    expect(String((failed as Error).message)).not.toContain('canary');
    expect(at.kept('clientKey')).toBeUndefined();
  });
});

describe('an OpenID client’s certificate', () => {
  const set = async (text: string) => {
    const at = bench();
    const failed = await at.set(['corp/clientCertificate'], text).catch((error: unknown) => error);
    return { failed, kept: at.kept('clientCertificate') };
  };

  test('is kept with its key, in TLS’s order, without what stands around', async () => {
    const ca = await createCa('CA');
    const { chainPem, keyPem } = await issueClientCertificate(ca, { commonName: 'robot' });
    expect(await set(`${keyPem}bag attributes\n${chainPem}`)).toMatchObject({ kept: `${chainPem}${keyPem}` });
  });

  test('takes no place where it isn’t a pair, or has expired', async () => {
    const ca = await createCa('CA');
    const [one, other] = await Promise.all([
      issueClientCertificate(ca, { commonName: 'one' }),
      issueClientCertificate(ca, { commonName: 'other' }),
    ]);
    now = one.notAfter.getTime();
    expect(await set(one.chainPem + one.keyPem)).toMatchObject({
      failed: { code: 'secret.expired', reason: 'usage' },
      kept: undefined,
    });
    now = Date.now();
    for (const text of ['canary', one.chainPem, one.keyPem, one.chainPem + other.keyPem]) {
      const { failed, kept } = await set(text);
      expect(failed).toMatchObject({ code: 'secret.pem', reason: 'usage' });
      expect(String(failed)).not.toContain('canary');
      expect(kept).toBeUndefined();
    }
  });
});

describe('a value that no use of it could take', () => {
  test.each([
    ['ci/token', 'Bearer canary', 'secret.token'],
    ['ci/token', 'canary\ncanary', 'secret.token'],
    ['ci/token', 'canary\u200b', 'secret.token'],
    ['hub/identityToken', 'a canary', 'secret.token'],
    ['keys/secretAccessKey', 'a canary', 'secret.token'],
    ['keys/sessionToken', 'a\tcanary', 'secret.token'],
    ['ghcr/password', 'canary\ncanary', 'secret.lines'],
    ['corp/clientSecret', 'canary\ncanary', 'secret.lines'],
  ])('isn’t kept as %s, and the message says why: %j', async (word, text, code) => {
    const at = bench();
    const failed = await at.set([word], text).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code,
      reason: 'usage',
      hint: expect.stringContaining('nothing was changed'),
    });
    expect(String(failed)).not.toContain('canary');
    const [account = '', part = ''] = word.split('/');
    expect(at.kept(part, account)).toBeUndefined();
  });

  test.each([
    ['ci/token', ' eyJ.x.y\r\n', 'eyJ.x.y'],
    ['ghcr/password', ' pass phrase \n', ' pass phrase '],
    ['corp/clientSecret', ' pass phrase \n', 'pass phrase'],
  ])('is no %s with spaces where it may have them: %j', async (word, text, kept) => {
    const at = bench();
    await at.set([word], text);
    const [account = '', part = ''] = word.split('/');
    expect(at.kept(part, account)).toBe(kept);
  });
});

describe('a plugin’s variable', () => {
  test('is kept as it is given, but for the end of the last line', async () => {
    const at = bench();
    const answer = await at.set(['eks/env.TOKEN'], ' two\nlines \n');
    expect(at.kept('env.TOKEN', 'eks')).toBe(' two\nlines ');
    expect(answer.stderr).toBe('Kept env.TOKEN of eks.\n');
  });

  test.each(['a\0b', 'x'.repeat(64 * 1024 + 1)])('can’t be what no variable can hold', async (value) => {
    const at = bench();
    await expect(at.set(['eks/env.TOKEN'], value)).rejects.toMatchObject({ code: 'secret.variable' });
    expect(at.kept('env.TOKEN', 'eks')).toBeUndefined();
  });
});

describe('a client certificate with its key', () => {
  let old: IssuedCertificate;
  let fresh: IssuedCertificate;
  let caPem: string;
  let at: ReturnType<typeof bench>;
  beforeAll(async () => {
    const ca = await createCa('users');
    caPem = ca.certificatePem;
    const intermediate = await createIntermediateCa(ca, 'intermediate');
    old = await issueClientCertificate(ca, { commonName: 'old' });
    fresh = await issueClientCertificate(ca, { commonName: 'fresh', intermediate });
  });
  beforeEach(async () => {
    now = Date.now();
    at = bench();
    await at.set(['ops'], old.certificatePem + old.keyPem);
  });

  const keptPair = () => [at.kept('certificate', 'ops'), at.kept('key', 'ops')];
  const isOld = () => expect(keptPair()).toEqual([old.certificatePem, old.keyPem]);
  const failure = (args: string[], stdin: string) =>
    at.set(args, stdin).then(
      () => 'kept',
      (error: BrokerError) => [error.code, error.reason, error.message, error.hint],
    );

  test.each<[string, () => [string[], string], string, RegExp]>([
    ['of another key', () => [['ops'], fresh.certificatePem + old.keyPem], 'secret.mismatch', /“fresh”/],
    ['alone', () => [['ops/certificate'], fresh.certificatePem], 'secret.mismatch', /ops\/key/],
    ['’s key alone', () => [['ops/key'], fresh.keyPem], 'secret.mismatch', /ops\/certificate/],
    ['that is the CA’s', () => [['ops'], caPem + fresh.keyPem], 'secret.mismatch', /“users”/],
    ['that can’t be read', () => [['ops'], `${badPem}${fresh.keyPem}`], 'secret.badCertificate', /read/],
    [
      'whose key is encrypted',
      () => [['ops'], fresh.certificatePem + encrypted()],
      'secret.keyEncrypted',
      /passphrase/,
    ],
  ])('one %s is refused, and the pair in the vault stays', async (_, given, code, message) => {
    expect(await failure(...given())).toEqual([
      code,
      'usage',
      expect.stringMatching(message),
      expect.stringMatching(/nothing was changed|openssl pkey/),
    ]);
    isOld();
  });

  const badPem = '-----BEGIN CERTIFICATE-----\nY2FuYXJ5\n-----END CERTIFICATE-----\n';
  const encrypted = () =>
    generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' },
    }).privateKey;

  test('one outside of its life is refused, however it comes', async () => {
    for (const [code, time] of [
      ['secret.expired', fresh.notAfter.getTime()],
      ['secret.notYetValid', fresh.notBefore.getTime() - 1],
    ] as const) {
      now = time;
      expect((await failure(['ops'], fresh.chainPem + fresh.keyPem))[0]).toBe(code);
      expect((await failure(['ops/certificate', '--partial'], fresh.chainPem))[0]).toBe(code);
      now = Date.now();
      await at.set(['ops/key', '--partial'], fresh.keyPem);
      now = time;
      expect((await failure(['ops/certificate'], fresh.chainPem))[0]).toBe(code);
      isOld();
    }
  });

  test('a chain in any order is taken whole: its key says which is the client’s', async () => {
    const [leaf = '', issuer = ''] = fresh.chainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    await at.set(['ops'], issuer + fresh.keyPem + leaf);
    expect(keptPair()).toEqual([issuer + leaf, fresh.keyPem]);
  });

  test('a certificate that was renewed for the same key replaces it alone', async () => {
    await at.set(['ops'], old.certificatePem + old.keyPem);
    const more = old.certificatePem + caPem;
    expect((await at.set(['ops/certificate'], more)).stderr).toBe('Kept certificate of ops.\n');
    expect(keptPair()).toEqual([more, old.keyPem]);
  });

  test.each([
    ['certificate', 'key'],
    ['key', 'certificate'],
  ] as const)('with --partial the %s waits beside the pair in use, for its %s', async (first, second) => {
    const pem = { certificate: fresh.chainPem, key: fresh.keyPem };
    const { stderr } = await at.set([`ops/${first}`, '--partial'], pem[first]);
    expect(stderr).toContain(`lanyard secret set ops/${second} < FILE`);
    isOld();
    await at.set([`ops/${second}`], pem[second]);
    expect(keptPair()).toEqual([fresh.chainPem, fresh.keyPem]);
    expect(at.kept(`next.${first}`, 'ops')).toBeUndefined();
  });

  test('where there is none yet, the halves come one after the other, and the second has to fit', async () => {
    at = bench();
    expect((await at.set(['ops/key'], fresh.keyPem)).stderr).toContain(
      'lanyard secret set ops/certificate < FILE',
    );
    expect((await failure(['ops/certificate'], old.certificatePem))[0]).toBe('secret.mismatch');
    await at.set(['ops/certificate'], fresh.chainPem);
    expect(keptPair()).toEqual([fresh.chainPem, fresh.keyPem]);
  });

  test('--partial is for halves alone, and what is one word too many isn’t repeated', async () => {
    expect((await failure(['ops', '--partial'], old.keyPem))[0]).toBe('cli.usage');
    expect((await failure(['corp', '--partial'], 'x'))[0]).toBe('cli.usage');
    expect((await failure(['ops', '--partial', 'canary'], old.keyPem)).toString()).not.toContain('canary');
  });
});

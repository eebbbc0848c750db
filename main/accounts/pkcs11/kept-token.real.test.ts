import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCa, issueClientCertificate } from '../../../test/support/certificates.ts';
import { type FakeAnswer, FakeKeys } from '../../../test/support/keys/fake-keys.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Secret } from '../../base/secret.ts';
import { pkcs11Account } from '../../contract/config/accounts/pkcs11.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createRecordLog } from '../testing/record-log.ts';
import { KeptToken } from './kept-token.ts';
import { KeysProcess } from './keys-process.ts';

let keys: FakeKeys;
let clock: ManualClock;
let token: KeptToken;
let changes: number;
let removals: number;
let onChange: () => void;
let opened: FakeAnswer;
/** Another certificate of the key. */
let renewed: FakeAnswer;
/** The certificate’s file; null: there is none. */
let file: string | null;

const pin = new Secret('1234');
const signed = { tell: 'signed', signature: Buffer.from('a signature').toString('base64') };
const failed = (code: string, text: string, tries: object | null = null) => ({
  tell: 'failed',
  code,
  text,
  token: 'card',
  serial: '77',
  tries,
});
const pinNeeded = failed('pinNeeded', 'the token needs its PIN');
const message = Buffer.from('a transcript');
const sign = (signal = new AbortController().signal) => token.sign(0x0403, message, signal);

beforeAll(async () => {
  const ca = await createCa('cards');
  const openedBy = async (commonName: string) => {
    const { chainPem: chain } = await issueClientCertificate(ca, { commonName });
    return { tell: 'opened', serial: '77', tokenLabel: 'card', chain, schemes: [0x0403] };
  };
  opened = await openedBy('carol');
  renewed = await openedBy('carol renewed');
});
beforeEach(() => {
  keys = new FakeKeys();
  clock = new ManualClock(Date.now());
  [changes, removals] = [0, 0];
  onChange = () => {
    changes += 1;
  };
  file = null;
  token = makeToken();
  keys.answer('open', opened);
  keys.answer('sign', signed);
});

function makeToken(stated: { certificate?: string } = {}): KeptToken {
  const config = pkcs11Account.parse({ module: '/opt/module.so', token: 'card', ...stated });
  return new KeptToken({
    account: { name: 'work', config: { pkcs11: config }, certificateAuthorityPem: null },
    config,
    vault: new FakeVault(),
    usable: () => ({ ok: true }),
    programs: {
      find: async () => ({ ok: true, path: '/opt/module.so', target: '/opt/module.so', sha256: 'ab' }),
    },
    environment: { HOME: '/home/u' },
    startKeys: (watch) => KeysProcess.start({ ...watch, program: keys.program, clock }),
    files: {
      read: async () =>
        file === null
          ? { ok: false, problem: 'missing', message: 'is not there' }
          : { ok: true, text: new Secret(file), version: '', readByOthers: false },
    },
    clock,
    log: createRecordLog(),
    random: () => 1,
    onChange: () => onChange(),
    onRemoved: () => {
      removals += 1;
    },
  });
}
afterEach(() => {
  token.end();
  keys.dispose();
});

// (rule: key-on-token)
describe('the PIN', () => {
  it('is for the token that took it, and is given again after a crash without anybody', async () => {
    expect(await token.logIn(pin)).toMatchObject({ ok: true, opened: { serial: '77' } });
    keys.answer('sign', { crashThen: signed });
    expect(await sign()).toEqual({ ok: true, signature: Buffer.from('a signature') });
    expect(keys.of('open').map(({ pin: given, select }) => [given, select])).toEqual([
      ['1234', { token: 'card' }],
      ['1234', { token: 'card', serial: '77' }],
    ]);
  });

  it.each([
    [{ low: true, final: true, locked: false }, 'loginNeeded', 'the next wrong one locks the token'],
    [{ low: true, final: false, locked: true }, 'provider', 'the token is locked now'],
  ])('that was wrong says what is left: %j', async (tries, reason, words) => {
    keys.answer('open', failed('pinWrong', 'the PIN is wrong', tries));
    expect(await token.logIn(pin)).toMatchObject({ reason, message: `work: the PIN is wrong; ${words}` });
  });

  it('that was right and isn’t any more is tried once', async () => {
    await token.logIn(pin);
    keys.answer('sign', failed('pinNeeded', 'the token wants its PIN again'));
    keys.answer('open', failed('pinWrong', 'the PIN is wrong'));
    expect(await sign()).toMatchObject({ code: 'pkcs11.pinWrong' });
    keys.answer('open', pinNeeded);
    expect(await sign()).toMatchObject({ code: 'pkcs11.pinNeeded' });
    expect(keys.of('open').map((order) => order['pin'])).toEqual(['1234', '1234', null]);
  });
});

describe('a module that crashes', () => {
  it('as it signs is tried once more, and then rests, longer each time, until a signature is good', async () => {
    keys.answer('sign', 'crash');
    expect(await sign()).toMatchObject({
      reason: 'provider',
      code: 'pkcs11.crashed',
      message: 'the PKCS#11 module of work crashed',
    });
    expect(keys.of('load')).toHaveLength(2);
    const resting = { code: 'pkcs11.crashed', unasked: true, retryAfterSeconds: 1 };
    expect(await sign()).toMatchObject(resting);
    expect(await token.open()).toMatchObject({
      ...resting,
      message: 'the PKCS#11 module of work crashed; it is started again in 1 s',
    });
    expect(keys.of('load')).toHaveLength(2);

    clock.advance(1_000);
    // It opens, and crashes again: both of a row.
    expect(await sign()).toMatchObject({ code: 'pkcs11.crashed' });
    expect(await sign()).toMatchObject({ retryAfterSeconds: 2 });
    clock.advance(2_000);
    keys.answer('sign', signed);
    expect(await sign()).toMatchObject({ ok: true });
    // All is well again: the next crash costs no wait.
    keys.answer('sign', 'crash');
    expect(await sign()).toMatchObject({ message: 'the PKCS#11 module of work crashed' });
  });

  it('is started at once where the user asks for it', async () => {
    keys.answer('load', 'crash');
    expect(await token.open()).toMatchObject({ code: 'pkcs11.crashed' });
    expect(await token.open()).toMatchObject({ code: 'pkcs11.crashed' });
    expect(await token.open()).toMatchObject({ unasked: true });
    expect(keys.of('load')).toHaveLength(2);
    expect(await token.open('asked')).not.toHaveProperty('unasked');
    expect(keys.of('load')).toHaveLength(3);
  });
});

describe('a signature', () => {
  it('that takes a while is shown as waited for, and ends with its process after a minute', async () => {
    await token.open();
    changes = 0;
    keys.answer('sign', 'hang');
    const one = sign();
    await keys.until('sign', 1);
    // Requests on kept connections go on.
    expect(await token.current()).toMatchObject({ ok: true });
    clock.advance(1_499);
    expect([token.waitsForUser, changes]).toEqual([false, 0]);
    clock.advance(1);
    expect([token.waitsForUser, changes]).toEqual([true, 1]);
    clock.advance(58_500);
    expect(await one).toMatchObject({
      reason: 'timedOut',
      code: 'pkcs11.late',
      message: expect.stringContaining('did not answer within 60 s'),
    });
    expect(token.waitsForUser).toBe(false);
    // What may have been signed isn’t tried again by itself.
    expect(keys.of('sign')).toHaveLength(1);
    keys.answer('sign', signed);
    expect(await sign()).toMatchObject({ ok: true });
    expect(new Set(keys.of('sign').map(({ pid }) => pid)).size).toBe(2);
  });

  it('that nobody waits for any more isn’t asked for', async () => {
    await token.open();
    keys.answer('sign', 'hang');
    const first = sign();
    await keys.until('sign', 1);
    const gone = new AbortController();
    const second = sign(gone.signal);
    gone.abort();
    clock.advance(60_000);
    expect(await first).toMatchObject({ code: 'pkcs11.late' });
    expect(await second).toMatchObject({ code: 'pkcs11.busy' });
    expect(keys.of('sign')).toHaveLength(1);
  });

  it('that was cancelled at the token isn’t asked for again', async () => {
    keys.answer('sign', failed('cancelled', 'it was cancelled at the token'));
    expect(await sign()).toMatchObject({ reason: 'denied', code: 'pkcs11.cancelled' });
    expect(keys.of('sign')).toHaveLength(1);
    expect(token.opened).not.toBeNull();
  });
});

describe('a token that is taken out', () => {
  it('while it signs is told once, too', async () => {
    await token.logIn(pin);
    keys.answer('open', failed('tokenMissing', 'there is no token'));
    keys.answer('sign', failed('tokenMissing', 'the token was taken out'));
    expect(await sign()).toMatchObject({ code: 'pkcs11.tokenMissing' });
    expect([changes, removals]).toEqual([2, 1]);
  });
});

describe('a renewed certificate', () => {
  const subject = async () => {
    const now = await token.current();
    return now.ok ? now.opened.life.subject : now.code;
  };
  const pins = () => keys.of('open').map((order) => order['pin']);

  it('in the account’s file is used from then on, by the PIN that is known', async () => {
    token = makeToken({ certificate: '/etc/carol.pem' });
    file = 'before';
    expect(await token.logIn(pin)).toMatchObject({ ok: true });
    expect(await subject()).toBe('carol');
    file = 'half of it';
    keys.answer('open', failed('certificateMissing', 'the certificate’s file has no PEM certificate'));
    expect(await subject()).toBe('pkcs11.certificateMissing');
    file = 'after';
    keys.answer('open', renewed);
    expect(await sign()).toMatchObject({ ok: true });
    expect([await subject(), pins()]).toEqual(['carol renewed', ['1234', '1234', '1234']]);
    expect(keys.of('open').at(-1)).toMatchObject({ certificate: 'after' });

    // For a moment, as on a network's disk: the one that is good goes on.
    file = null;
    expect(await subject()).toBe('carol renewed');
    clock.advance(400 * 86_400_000);
    expect(await token.current()).toMatchObject({ message: '/etc/carol.pem is not there' });
    file = 'after';
    expect([await subject(), pins().at(-1)]).toEqual(['carol renewed', '1234']);
  });

  it('on the token is read at a renewal, once a minute, and once the one before has expired', async () => {
    await token.logIn(pin);
    keys.answer('open', renewed);
    clock.advance(59_999);
    await token.open('renewal');
    clock.advance(1);
    expect([await subject(), keys.of('load').length]).toEqual(['carol', 1]);
    await token.open('renewal');
    // Its module is loaded anew: some see a token’s objects as they were then.
    expect([await subject(), keys.of('load').length]).toEqual(['carol renewed', 2]);
    keys.answer('open', opened);
    clock.advance(40 * 86_400_000);
    expect([await subject(), pins()]).toEqual(['carol', ['1234', '1234', '1234']]);
  });

  it('on a token with a PIN pad costs no PIN before the one before has expired', async () => {
    await token.logIn('pad');
    clock.advance(86_400_000);
    keys.answer('open', failed('padNeeded', 'the token takes its PIN at its own pad'));
    expect(await token.open('renewal')).toMatchObject({ ok: true });
    clock.advance(40 * 86_400_000);
    expect(await subject()).toBe('pkcs11.padNeeded');
  });
});

describe('the end', () => {
  it('of the account or at the lock ends its process, and nothing is asked of it again', async () => {
    await token.logIn(pin);
    const pid = keys.ordered().at(-1)?.pid ?? 0;
    token.end();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
    const ordered = keys.ordered().length;
    for (const asked of [token.open(), token.logIn(pin), sign()]) {
      expect(await asked).toMatchObject({ reason: 'notPermitted', code: 'pkcs11.gone' });
    }
    expect(keys.ordered()).toHaveLength(ordered);
  });

  it('while it is opened keeps no PIN', async () => {
    keys.answer('open', 'hang');
    const login = token.logIn(pin);
    await keys.until('open', 1);
    token.end();
    expect(await login).toMatchObject({ ok: false });
    expect(token.opened).toBeNull();
  });

  it('just as it was opened keeps no PIN either', async () => {
    onChange = () => token.end();
    expect(await token.logIn(pin)).toMatchObject({ code: 'pkcs11.gone' });
    expect(token.opened).toBeNull();
  });
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { type CertificateAuthority, certifyPublicKey, createCa } from '../support/certificates.ts';
import { CardedStage } from '../support/keys/carded-stage.ts';
import { noSoftHsm } from '../support/keys/softhsm.ts';
import { mustBeGood, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** A key on a token, from its PIN to kubectl’s pods, with the whole broker and SoftHSM; and how long the PIN lives, and where. */
let carded: CardedStage;
const pin = 'canary-4f1c7a90-pin';

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  carded = await CardedStage.open({ pin });
});
afterEach(async () => {
  await carded?.stage.lanyard(['logout', 'card']);
  carded?.tokens.reset();
});
afterAll(() => carded?.dispose());

const logins = () => carded.tokens.noted('logins');

// KEP-2718/tls-offload, KEP-541/standard-keys (rule: key-on-token)
describe('a key on a token', unless(noSoftHsm), () => {
  test('signs kubectl’s handshake once its PIN was given', async () => {
    const before = await carded.pods();
    expect(before.code).not.toBe(0);
    expect(before.stderr.split('run: lanyard login card')).toHaveLength(2);
    expect(logins()).toEqual([]);

    const { code, shown } = await carded.logIn();
    expect(code).toBe(0);
    expect(shown).toContain('Logged in to card as carol.');
    expect(shown).not.toContain(pin);
    expect(await carded.account()).toMatchObject({ state: 'ready', subject: 'carol' });

    expect(await carded.pods()).toMatchObject({ code: 0, stdout: expect.stringContaining('web-0') });
    expect(carded.stage.api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate' });
    expect(logins()).toEqual(['pin']);
  });
});

describe('a PIN', unless(noSoftHsm), () => {
  test('that is wrong is tried once, and kubectl’s calls try none; three wrong ones lock the token, which is said before', async () => {
    carded.tokens.misbehave('three');
    const first = await carded.logIn('9999');
    expect(first.code).toBe(15);
    expect(first.shown).toContain(
      'the PIN is wrong (CKR_PIN_INCORRECT); a few more wrong ones lock the token',
    );
    expect(await carded.account()).toMatchObject({ state: 'loginNeeded' });
    expect((await carded.pods()).stderr).toContain('lanyard login card');
    expect(logins()).toEqual(['pin']);
    const second = await carded.logIn('9999');
    expect(second.shown).toContain('note: a wrong PIN was given since the last right one');
    expect(second.shown).toContain(
      'the PIN is wrong (CKR_PIN_INCORRECT); the next wrong one locks the token',
    );
    const third = await carded.logIn('9999');
    expect(third.shown).toContain('note: the next wrong PIN locks the token');
    expect(third.code).toBe(16);
    expect(third.shown).toContain('the PIN is wrong (CKR_PIN_INCORRECT); the token is locked now');
    expect(third.shown).toContain('unlock it with the token’s own tools');

    // Nobody is asked for a PIN that can’t be right.
    const fourth = await carded.stage.lanyard(['login', 'card']);
    expect(fourth).toMatchObject({ code: 16, stderr: expect.stringContaining('the PIN is locked') });
    const pods = await carded.pods();
    expect(pods.stderr).toContain('the PIN is locked; unlock it with the token’s own tools');
    expect(await carded.account()).toMatchObject({ state: 'failing' });
    expect(logins()).toEqual(['pin', 'pin', 'pin']);
  });
});

describe('kubectl', unless(noSoftHsm), () => {
  test('at a terminal asks for the PIN there, and works', async () => {
    const terminal = carded.atTerminal(['get', 'pods']);
    await terminal.waitForText('PIN of the token card (not shown): ');
    terminal.send(`${pin}\r`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.shown()).toContain('web-0');
    expect(terminal.shown()).not.toContain(pin);
    expect(logins()).toEqual(['pin']);
  });

  test('at a terminal asks once where the PIN is wrong, whatever kubectl retries', async () => {
    const terminal = carded.atTerminal(['get', 'pods']);
    await terminal.waitForText('PIN of the token card (not shown): ');
    terminal.send('9999\r');
    expect((await terminal.ended).code).not.toBe(0);
    expect(terminal.shown().split('PIN of the token card')).toHaveLength(2);
    expect(terminal.shown()).toContain('the PIN is wrong (CKR_PIN_INCORRECT)');
    expect(logins()).toEqual(['pin']);

    // The next command is another try of the user’s; one that nobody is at says what is wrong now.
    expect((await carded.pods()).stderr).toContain('card needs a login (card: the token needs its PIN)');
    const again = carded.atTerminal(['get', 'pods']);
    await again.waitForText('PIN of the token card (not shown): ');
    again.send(`${pin}\r`);
    expect(await again.ended).toMatchObject({ code: 0 });
  });

  test('that comes while the PIN is typed elsewhere is served by that login', async () => {
    const first = carded.atTerminal(['get', 'pods']);
    await first.waitForText('PIN of the token card (not shown): ');
    const second = carded.atTerminal(['get', 'pods']);
    const others = [carded.pods(), carded.pods()];
    first.send(`${pin}\r`);
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await second.ended).toMatchObject({ code: 0 });
    await Promise.all(others);
    expect(logins()).toEqual(['pin']);
  });
});

test('a login at two terminals asks at both, and tries one PIN', unless(noSoftHsm), async () => {
  const asked = 'PIN of the token card (not shown): ';
  const first = carded.stage.onTerminal(['login', 'card']);
  await first.waitForText(asked);
  const second = carded.stage.onTerminal(['login', 'card']);
  await second.waitForText(asked);
  second.send(`${pin}\r`);
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(logins()).toEqual(['pin']);
});

/** The PIN was typed, and kubectl works by it; the process that has the token open. */
async function atWork(): Promise<number> {
  expect(await carded.logIn()).toMatchObject({ code: 0 });
  expect(await carded.pods()).toMatchObject({ code: 0 });
  const [pid, ...others] = carded.keysProcesses();
  expect(others).toEqual([]);
  return pid ?? 0;
}

async function isAskedFor(): Promise<void> {
  const before = carded.tokens.noted('logins').length;
  const pods = await carded.pods();
  expect(pods.code).not.toBe(0);
  expect(pods.stderr).toContain('lanyard login card');
  expect(carded.tokens.noted('logins')).toHaveLength(before);
}

describe('a PIN is forgotten', unless(noSoftHsm), () => {
  // (rule: locked-issues-nothing)
  test('at the lock, with the process that had it, also while the token is waited for', async () => {
    const keys = await atWork();
    carded.tokens.misbehave('sleep');
    carded.stage.api.dropIdleConnections();
    const signed = carded.tokens.noted('signs').length;
    const waiting = carded.pods();
    await until(() => (carded.tokens.noted('signs').length > signed ? true : null), 'the signature');
    mustBeGood(await carded.stage.lanyard(['lock']));
    await carded.gone(keys);
    expect((await waiting).code).not.toBe(0);
    expect((await carded.pods()).stderr).toContain('lanyard unlock');
    carded.tokens.misbehave('sleep', false);
    await carded.unlock();
    await isAskedFor();
    expect(await carded.logIn()).toMatchObject({ code: 0 });
    expect(await carded.pods()).toMatchObject({ code: 0 });
  });

  test('at the logout', async () => {
    const keys = await atWork();
    mustBeGood(await carded.stage.lanyard(['logout', 'card']));
    await carded.gone(keys);
    await isAskedFor();
  });

  test('with a broker that is killed: lanyard-keys ends with it', async () => {
    const keys = await atWork();
    carded.tokens.misbehave('sleep');
    await carded.stage.agent.kill('SIGKILL');
    await carded.gone(keys);
    carded.tokens.misbehave('sleep', false);
    await carded.stage.startAgent();
    await isAskedFor();
  });
});

test('a PIN is in no log, file, command line or environment', unless(noSoftHsm), async () => {
  await carded.logIn(`${pin}-wrong`);
  const keys = await atWork();
  carded.tokens.misbehave('once');
  carded.stage.api.dropIdleConnections();
  expect(await carded.pods()).toMatchObject({ code: 0 });
  await carded.stage.lanyard(['doctor']);
  const { home } = carded.stage;
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await carded.stage.lanyard(args);
    return { where: args.join(' '), bytes: Buffer.from(stdout + stderr) };
  };
  const running = carded.keysProcesses();
  expect(running).toHaveLength(1);
  expect(running).not.toContain(keys);
  const texts = [
    { where: 'the logs', bytes: Buffer.from(carded.stage.agentLogs()) },
    ...filesBelow(home.outside),
    ...processTexts(),
    await said('audit', '--json'),
    await said('status', '--json'),
    await said('doctor', '--json'),
  ];
  // What is looked at has what is looked for where it is.
  expect(texts.some(({ where }) => where === `/proc/${running[0]}/cmdline`)).toBe(true);
  expect(
    findCanaries([{ name: 'this test’s own', value: pin }], [{ where: 'x', bytes: Buffer.from(pin) }]),
  ).toHaveLength(1);
  expect(findCanaries([{ name: 'the PIN', value: pin }], texts)).toEqual([]);
});

/** Command line and environment of each process: of a hardened one, nobody but root can read the latter. */
function* processTexts(): Generator<{ where: string; bytes: Buffer }> {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      const where = `/proc/${pid}/${file}`;
      try {
        yield { where, bytes: readFileSync(where) };
      } catch {
        // It has ended, or is another user’s.
      }
    }
  }
}

test(
  'a renewed certificate in the account’s file is used, and nobody is asked',
  unless(noSoftHsm),
  async () => {
    let file = '';
    const filed = await CardedStage.open({
      extend: (config, { home }) => {
        file = home.write('card.pem', '');
        Object.assign((config.accounts['card'] as { pkcs11: object }).pkcs11, { certificate: file });
      },
    });
    try {
      const certify = async (ca: CertificateAuthority) =>
        writeFileSync(file, await certifyPublicKey(ca, 'carol', filed.publicKey));
      await certify(await createCa('another CA'));
      expect(await filed.logIn()).toMatchObject({ code: 0 });
      expect((await filed.pods()).code).not.toBe(0);
      await certify(filed.stage.clientCa);
      expect(await filed.pods()).toMatchObject({ code: 0, stdout: expect.stringContaining('web-0') });
    } finally {
      await filed.dispose();
    }
  },
);

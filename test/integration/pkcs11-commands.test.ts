import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { Stage, stagePassphrase } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { unlock } from '../support/unlock.ts';

/** What the command line says and does of keys on tokens: the real helper, the whole broker, and SoftHSM. */
let stage: Stage;
let tokens: SoftHsm;
/** `--env` of SoftHSM. */
let envWords: string[];

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  tokens = new SoftHsm();
  stage = await Stage.open({
    extend: async (config, { api, home, clientCa }) => {
      const issue = (commonName: string, key: 'P-256' | 'RSA-2048') =>
        issueClientCertificate(clientCa, { commonName, key });
      tokens.addToken('card', [
        { label: 'me', id: 1, ...(await issue('carol', 'P-256')) },
        { label: 'old', id: 2, ...(await issue('olaf', 'RSA-2048')) },
        { label: 'bare', id: 3, keyPem: (await issue('nobody', 'P-256')).keyPem },
      ]);
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      config.accounts['card'] = { pkcs11: { module: tokens.misbehaving, token: 'card', label: 'me', env } };
      config.clusters['carded'] = { server: api.server, certificateAuthority, account: 'card', proxy: {} };
    },
  });
  envWords = Object.entries(tokens.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
});
afterEach(async () => {
  if (noSoftHsm !== null) return;
  await unlock(stage.home, stagePassphrase);
  await stage.lanyard(['account', 'remove', 'new', '--yes']);
  await stage.lanyard(['logout', 'card']);
  tokens.reset();
});
afterAll(async () => {
  await stage?.dispose();
  tokens?.dispose();
});

const run = (...args: string[]) => stage.lanyard(args);

/** The person answers the question about the module. */
async function add(words: readonly string[], answer = 'y') {
  const terminal = stage.onTerminal(['account', 'add', 'new', ...words]);
  await terminal.waitForText('Add new with this module? [y/N] ');
  terminal.send(`${answer}\r`);
  const { code } = await terminal.ended;
  return { code, shown: stripVTControlCharacters(terminal.shown()).replaceAll('\r\n', '\n') };
}

async function logIn(account: string): Promise<number | null> {
  const terminal = stage.onTerminal(['login', account]);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send('1234\r');
  return (await terminal.ended).code;
}

/** The lines of `lanyard doctor` about the account. */
async function doctor() {
  const { stdout } = await run('doctor', '--json');
  const { findings } = JSON.parse(stdout) as {
    findings: { subject: string; check: string; level: string; message: string; hint: string | null }[];
  };
  return findings
    .filter(({ subject }) => subject === 'card')
    .map(({ check, level, message }) => `${check} ${level}: ${message}`);
}

/** What belongs to another than root is asked about at the terminal first. */
const whyNotTrusted = process.geteuid?.() === 0 ? null : 'what the tests write must belong to root';

describe('lanyard pkcs11 list', unless(noSoftHsm), () => {
  test('shows tokens, keys and certificates, what fits and what an account means, without a login', async () => {
    tokens.misbehave('no-pss');
    const { code, stdout } = await run('pkcs11', 'list', 'card');
    expect(code).toBe(0);
    const [first = '', ...lines] = stdout.split('\n');
    expect(first).toBe(`${tokens.misbehaving} (SoftHSM, Implementation of PKCS11 2.6), of card`);
    expect(lines.join('\n')).toMatch(
      /^token card, serial [0-9a-f]+, slot \d+ \(SoftHSM project SoftHSM v2\): needs its PIN$/m,
    );
    expect(lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['KEY', 'ID', 'KIND', 'CERTIFICATE', 'EXPIRES', 'USABLE', 'ACCOUNT'],
      ['me', '01', 'P-256', 'carol', expect.any(String), 'TLS 1.2 and 1.3', 'card'],
      ['old', '02', 'RSA 2048', 'olaf', expect.any(String), 'TLS 1.2 only'],
      ['bare', '03', 'P-256', '-', '-', 'no: no certificate'],
    ]);
    expect(tokens.noted('logins')).toEqual([]);
  });

  test(
    'loads a module that the user names, also while Lanyard is locked',
    unless(whyNotTrusted),
    async () => {
      await run('lock');
      const locked = await run('pkcs11', 'list');
      expect(locked.stdout).toContain(`${tokens.misbehaving}, of card\n  the vault is locked`);
      expect(tokens.noted('read')).toEqual([]);
      const { code, stdout } = await run('pkcs11', 'list', '--json', '--module', tokens.module, ...envWords);
      expect(code).toBe(0);
      const { modules, installed } = JSON.parse(stdout);
      expect(installed).toEqual([]);
      expect(modules).toMatchObject([{ module: tokens.module, accounts: [], problem: null }]);
      const card = modules[0].slots.find(
        ({ token }: { token: { label: string } }) => token?.label === 'card',
      ).token;
      expect(card).toMatchObject({ pin: 'typed', tries: null, accounts: [] });
      expect(card.keys).toMatchObject([
        { label: 'me', kind: 'P-256', tls: ['1.2', '1.3'], problem: null, certificate: { subject: 'carol' } },
        { label: 'old', kind: 'RSA 2048', tls: ['1.2', '1.3'], problem: null },
        { label: 'bare', certificate: null, problem: 'no certificate' },
      ]);
    },
  );

  test(
    'loads none that others can write, and says why one can’t be loaded',
    unless(whyNotTrusted),
    async () => {
      const open = stage.home.write('open.so', readFileSync(tokens.module), 0o666);
      expect(await run('pkcs11', 'list', '--module', open, ...envWords)).toMatchObject({
        code: 13,
        stderr: expect.stringContaining(`${open} is not loaded: everybody can write ${open}`),
      });
      const text = stage.home.write('text.so', 'no library');
      expect(await run('pkcs11', 'list', '--module', text)).toMatchObject({
        code: 16,
        stderr: expect.stringContaining(`the module ${text} can’t be loaded`),
      });
      expect(await run('pkcs11', 'list', '--module', '/nowhere/x.so')).toMatchObject({
        stderr: expect.stringContaining('/nowhere/x.so: not there now'),
      });
    },
  );
});

describe('lanyard account add --pkcs11', unless(noSoftHsm), () => {
  test('shows the module, says which key is meant, and the account logs in', async () => {
    const words = ['--pkcs11', tokens.module, '--key-label', 'me', ...envWords];
    const { code, shown } = await add(words);
    expect(code).toBe(0);
    const digest = createHash('sha256').update(readFileSync(tokens.module)).digest('hex');
    expect(shown).toContain(`module of new: ${tokens.module}, owner `);
    expect(shown).toContain(`SHA-256 ${digest}\n`);
    expect(shown).toContain(
      'key of new: me (P-256), with the certificate of carol: TLS 1.2 and 1.3; on the token card\n',
    );
    expect(shown).toContain('Next: lanyard cluster add NAME --server URL --account new --proxy\n');
    expect(await logIn('new')).toBe(0);
    expect((await run('account', 'list')).stdout).toMatch(/^new +key on a token +ready +carol /m);
  });

  test('without a terminal it is pending approval, which shows the module', async () => {
    // The other account’s module is loaded meanwhile, and notes that elsewhere.
    const folder = mkdtempSync(join(stage.home.outside, 'new-'));
    const env = envWords.map((word) => word.replace(/^MISBEHAVE_FOLDER=.*/, `MISBEHAVE_FOLDER=${folder}`));
    const words = ['--pkcs11', tokens.misbehaving, '--token-label', 'card', '--key-id', '01', ...env];
    expect(await run('account', 'add', 'new', ...words)).toMatchObject({ code: 20 });
    expect((await run('pkcs11', 'list', 'new')).stderr).toContain('is pending approval');
    expect((await run('status')).stdout).toMatch(/^new +key on a token +pending approval/m);
    await run('doctor');
    await run('login', 'new');
    expect(readdirSync(folder)).toEqual([]);
    const confirm = stage.onTerminal(['confirm', 'new']);
    await confirm.waitForText('Approve this change? [y/N] ');
    confirm.send('y\r');
    await confirm.ended;
    expect(stripVTControlCharacters(confirm.shown())).toContain('! Loads a library that sees your PIN');
    expect(stripVTControlCharacters(confirm.shown())).toContain(`module: ${tokens.misbehaving}, owner `);
    expect((await run('pkcs11', 'list', 'new')).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['read']);
  });
});

test('history and audit say how it was logged in', unless(noSoftHsm), async () => {
  await logIn('card');
  expect((await run('history', 'carded')).stdout).toContain('login to card with a PIN: as carol');
  const { stdout } = await run('audit', '--json', '--account', 'card');
  const logins = stdout.split('\n').filter((line) => line.includes('"kind":"login"'));
  expect(JSON.parse(logins.at(-1) ?? '')).toMatchObject({ account: 'card', flow: 'pin', outcome: 'done' });
});

test('lanyard doctor says that the token needs its PIN', unless(noSoftHsm), async () => {
  expect(await doctor()).toEqual([
    expect.stringContaining(`account.program ok: ${tokens.misbehaving}, owner `),
    'account.token note: the token card is there, and needs its PIN',
  ]);
});

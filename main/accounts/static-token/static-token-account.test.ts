import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { Secret } from '../../base/secret.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import type { Account, Obtained } from '../../ports/account.ts';
import { createSecretFileReader } from '../secret-file.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createStaticTokenAccount } from './static-token-account.ts';

const noSignal = new AbortController().signal;
const now = Date.parse('2030-01-01T00:00:00Z');
const jwt = (lifeSeconds: number) =>
  new UnsecuredJWT({ iat: now / 1000 - 10, exp: now / 1000 + lifeSeconds }).encode();

const folder = temporaryFolder();

function make(options: { token?: string; file?: string; vault?: FakeVault } = {}) {
  const vault =
    options.vault ??
    new FakeVault(
      options.token === undefined ? {} : { secrets: { bot: { token: new Secret(options.token) } } },
    );
  const clock = new FakeClock(now);
  const account = createStaticTokenAccount({
    account: {
      name: 'bot',
      config: { staticToken: options.file === undefined ? {} : { file: options.file } },
      certificateAuthorityPem: null,
    },
    vault,
    files: createSecretFileReader(),
    clock,
  });
  return { account, vault, clock };
}

const renew = (account: Account): Promise<Obtained> => account.renew(noSignal);
const tokenOf = (found: Obtained | null) => (found?.ok ? found.credential.token?.reveal() : found);

describe('in the vault', () => {
  test('KEP-541/tokens: issues the token, without the spaces around it', async () => {
    const { account } = make({ token: '  opaque-token\n' });
    expect(tokenOf(await account.current())).toBe('opaque-token');
    expect(tokenOf(await renew(account))).toBe('opaque-token');
  });

  test('KEP-541/expiry: a JWT ends when it says so, an opaque token has no end', async () => {
    const found = await renew(make({ token: jwt(60) }).account);
    expect(found).toMatchObject({
      ok: true,
      credential: { issuedAt: now - 10_000, expiresAt: now + 60_000 },
    });
    const opaque = await renew(make({ token: 'opaque' }).account);
    expect(opaque).toMatchObject({ ok: true, credential: { issuedAt: null, expiresAt: null } });
  });

  test('KEP-541/valid-or-error: an expired token is refused, from its last millisecond on', async () => {
    const { account, clock } = make({ token: jwt(60) });
    clock.advance(59_999);
    expect((await account.current())?.ok).toBe(true);
    clock.advance(1);
    expect(await account.current()).toBeNull();
    expect(await renew(account)).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'staticToken.expired',
      message: `the token of bot expired at ${clockText(now + 60_000)}`,
      hint: 'lanyard secret set bot/token',
    });
    expect(await account.state()).toMatchObject({ state: 'expired' });
  });

  test('a missing token says which command sets it', async () => {
    const { account } = make();
    expect(await account.current()).toBeNull();
    expect(await renew(account)).toMatchObject({
      reason: 'loginNeeded',
      code: 'staticToken.missing',
      hint: 'lanyard secret set bot/token',
    });
    expect(await account.state()).toMatchObject({ state: 'secretMissing' });
  });

  test('a locked vault is "locked", not "missing"', async () => {
    const { account, vault } = make({ token: 'opaque' });
    vault.locked = true;
    expect(await account.current()).toMatchObject({ ok: false, reason: 'locked' });
    expect(await renew(account)).toMatchObject({ reason: 'locked' });
    expect(await account.state()).toMatchObject({ state: 'locked' });
  });

  test.each([
    ['', 'staticToken.empty'],
    [' \n', 'staticToken.empty'],
    ['one\ntwo', 'staticToken.multiLine'],
    ['Bearer abc', 'staticToken.notAToken'],
    ['t\u00f6ken', 'staticToken.notAToken'],
  ])('refuses %j', async (token, code) => {
    const { account } = make({ token });
    expect(await renew(account)).toMatchObject({ ok: false, code });
    expect((await account.state()).state).toBe('invalid');
  });

  test('no refusal and no state shows the token', async () => {
    for (const token of ['canary one', `${jwt(-1)}`, 'canary\ncanary']) {
      const { account } = make({ token });
      const told = JSON.stringify([await renew(account), await account.state()]);
      expect(told).not.toContain('canary');
      expect(told).not.toContain(jwt(-1));
    }
  });
});

describe('in a file', () => {
  test('KEP-541/rotation: a changed file gives the new token, without a restart', async () => {
    const file = join(folder(), 'token');
    const { account } = make({ file });
    expect(await renew(account)).toMatchObject({
      code: 'staticToken.missing',
      message: `${file} does not exist`,
    });
    await writeFile(file, 'first\n', { mode: 0o600 });
    expect(tokenOf(await account.current())).toBe('first');
    await writeFile(file, 'second\n');
    expect(tokenOf(await account.current())).toBe('second');
  });

  test('does not need the vault', async () => {
    const file = join(folder(), 'token');
    await writeFile(file, 'first', { mode: 0o600 });
    const vault = new FakeVault();
    vault.locked = true;
    expect(tokenOf(await renew(make({ file, vault }).account))).toBe('first');
  });

  // Windows’ rule is an access list’s: secret-file.test.ts.
  test.skipIf(onWindows)('that others may read is used, and warned about', async () => {
    const file = join(folder(), 'token');
    await writeFile(file, 'first');
    await chmod(file, 0o644);
    const { account } = make({ file });
    expect(tokenOf(await account.current())).toBe('first');
    expect(await account.state()).toMatchObject({
      state: 'ready',
      problem: `${file} may be read by other users: chmod 600 ${file}`,
    });
    await chmod(file, 0o600);
    expect((await account.state()).problem).toBeNull();
  });

  test('that is no text is refused by name', async () => {
    const file = join(folder(), 'token');
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    expect(await renew(make({ file }).account)).toMatchObject({
      code: 'staticToken.unreadable',
      message: `${file} is not UTF-8 text`,
    });
  });
});

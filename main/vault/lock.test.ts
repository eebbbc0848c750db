import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  FakeKeychain,
  passphrase,
  refreshTokenIn,
  temporaryHome,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { emptyContent } from './content.ts';
import { forget } from './generation.ts';
import { openVault } from './open-vault.ts';

describe('locking', () => {
  it('with a passphrase takes key and content away until the passphrase is given', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    await vault.update(withSession('canary'));
    await vault.lock();
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'passphrase' });
    expect(() => vault.read()).toThrow(expect.objectContaining({ code: 'vault.locked', reason: 'locked' }));
    await vault.retry();
    expect(await vault.unlock()).toMatchObject({ ok: false, code: 'vault.passphrase.needed' });
    expect(await vault.unlock({ passphrase: new Secret('wrong') })).toMatchObject({
      ok: false,
      reason: 'locked',
      code: 'vault.passphrase.wrong',
    });
    expect(vault.state().kind).toBe('locked');
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
    expect(refreshTokenIn(vault.read())).toBe('canary');
  });

  it('fills the key with zeros', () => {
    const dataKey = randomBytes(32);
    const header = { id: '', generation: 1, createdAt: 0, slots: [] };
    const opened = { kind: 'opened' as const, header, dataKey, content: withSession('x')(emptyContent) };
    forget(opened);
    expect(dataKey.equals(Buffer.alloc(32))).toBe(true);
    expect(opened.content).toBe(emptyContent);
  });

  it('with the keychain alone is a gate that opens without it', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    await vault.update(withSession('kept'));
    await vault.lock();
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'gate' });
    expect(() => vault.read()).toThrow(expect.objectContaining({ code: 'vault.locked' }));
    await expect(vault.update(withSession('x'))).rejects.toMatchObject({ code: 'vault.locked' });
    await vault.retry();
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'gate' });
    expect(await vault.unlock()).toEqual({ ok: true });
    expect(refreshTokenIn(vault.read())).toBe('kept');
  });

  it('finishes the updates it had accepted, and takes no more', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    const accepted = [vault.update(withSession('one')), vault.update(withSession('two'))];
    const locked = vault.lock();
    await expect(vault.update(withSession('late'))).rejects.toMatchObject({ code: 'vault.locked' });
    await Promise.all([...accepted, locked]);
    await vault.unlock({ passphrase });
    expect(refreshTokenIn(vault.read())).toBe('two');
  });

  it('wins over an unlock that is under way', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    await vault.lock();
    await Promise.all([vault.unlock({ passphrase }), vault.lock()]);
    expect(vault.state().kind).toBe('locked');
  });

  it('makes no new vault where the file of a locked one is gone', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    await vault.lock();
    await rm(join(at.home, 'vault'));
    expect(await vault.unlock({ passphrase })).toMatchObject({ ok: false, code: 'vault.none' });
  });

  it('makes no new vault where a broken file was moved away, until one is asked for', async () => {
    await using at = await temporaryHome();
    await writeFile(join(at.home, 'vault'), 'not a vault', { mode: 0o600 });
    const vault = await openVault(unitDependencies(at.home, { keychain: new FakeKeychain() }));
    expect(vault.state().kind).toBe('broken');
    await rm(join(at.home, 'vault'));
    expect(await vault.unlock({})).toMatchObject({ ok: false, code: 'vault.none' });
    await vault.retry();
    expect(vault.state().kind).toBe('open');
  });

  it('tells who listens, until they stop', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    const seen: string[] = [];
    const listening = vault.onChange(() => seen.push(vault.state().kind));
    await vault.lock();
    await vault.unlock({ passphrase });
    await listening.dispose();
    await vault.lock();
    expect(seen).toEqual(['locked', 'open']);
  });
});

describe('ending', () => {
  it('waits for the writes, then reads nothing', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase }));
    const update = vault.update(withSession('last'));
    await vault.dispose();
    await update;
    expect(() => vault.read()).toThrow();
    await vault.unlock({ passphrase });
    expect(() => vault.read()).toThrow();
    const again = await openVault(unitDependencies(at.home, { passphrase }));
    expect(refreshTokenIn(again.read())).toBe('last');
  });
});

describe('secrets', () => {
  it('are in no printed form of the vault, its state, its content, its errors or its log', async () => {
    await using at = await temporaryHome();
    const printed: unknown[] = [];
    const write = (event: string, fields?: unknown) => void printed.push(event, fields);
    const log = { debug: write, info: write, warn: write, error: write };
    const canary = new Secret('canary-passphrase');
    const vault = await openVault(unitDependencies(at.home, { passphrase: canary, log }));
    await vault.update(withSession('canary-token'));
    printed.push(vault.state(), vault.read(), vault);
    await vault.lock();
    printed.push(await vault.unlock({ passphrase: new Secret('canary-wrong') }), vault.state());
    const text = printed.map((each) => `${inspect(each, { depth: 20 })} ${JSON.stringify(each)}`).join();
    expect(text).toContain('[secret]');
    expect(text).not.toContain('canary-');
  });
});

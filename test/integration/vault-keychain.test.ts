import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run, start } from '../support/processes.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { temporaryHome } from '../support/vault-parts.ts';

const program = fileURLToPath(new URL('../support/vault-process.ts', import.meta.url));

/** What a process with a vault prints, line by line. */
async function vaultProcess(env: Readonly<Record<string, string>>, home: string, ...commands: string[]) {
  const done = await run(process.execPath, [program, home, ...commands], { env });
  expect(done.stderr).toBe('');
  return done.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('a vault whose key is in a real Secret Service', () => {
  let service: SecretService;
  beforeAll(async () => {
    service = await startSecretService();
  });
  beforeEach(() => service.unlock());
  afterAll(() => service[Symbol.asyncDispose]());

  it('is made automatically, and opened by the next process', async () => {
    await using at = await temporaryHome();
    const [made] = await vaultProcess(service.env, at.home, 'state', 'login', 'canary');
    expect(made).toMatchObject({ kind: 'open', slots: ['keychain'], generation: 1 });
    const [opened] = await vaultProcess(service.env, at.home, 'state');
    expect(opened).toMatchObject({ kind: 'open', generation: 2, token: 'canary' });
    expect((await readFile(join(at.home, 'vault'))).includes('canary')).toBe(false);
  });

  it.each([
    ['was locked', () => service.lock()],
    ['was started without its password', () => service.restartLocked()],
  ])('is locked, never new, while the keyring %s, and its file stays as it is', async (_, lock) => {
    await using at = await temporaryHome();
    await vaultProcess(service.env, at.home, 'login', 'kept');
    const before = await readFile(join(at.home, 'vault'));
    await lock();
    const [locked] = await vaultProcess(service.env, at.home, 'state', 'login', 'lost');
    expect(locked).toMatchObject({ kind: 'locked', how: 'keychain' });
    expect(await readFile(join(at.home, 'vault'))).toEqual(before);
    await service.unlock();
    const [opened] = await vaultProcess(service.env, at.home, 'state');
    expect(opened).toMatchObject({ kind: 'open', token: 'kept' });
  });

  it('opens in the same process once the keyring is unlocked and it is tried again', async () => {
    await using at = await temporaryHome();
    await vaultProcess(service.env, at.home, 'login', 'kept');
    await service.lock();
    const waiting = start(process.execPath, [program, at.home, 'state', 'wait', 'retry'], {
      env: service.env,
    });
    try {
      await waiting.waitForLine(/"locked"/);
      await service.unlock();
      waiting.write('go on\n');
      await waiting.waitForLine(/"open".*"token":"kept"/);
    } finally {
      await waiting.dispose();
    }
  });

  it('is not made while the keyring is locked', async () => {
    await using at = await temporaryHome();
    await service.lock();
    const [state] = await vaultProcess(service.env, at.home, 'state');
    expect(state).toMatchObject({ kind: 'none' });
    expect(await readdir(at.home)).toEqual([]);
  });

  it('is locked where another keyring lacks its key; its passphrase opens it there, which gets its own key from then on', async () => {
    await using at = await temporaryHome();
    await vaultProcess(service.env, at.home, 'login', 'kept', 'sets', 'state');
    const before = await readFile(join(at.home, 'vault'));
    await using another = await startSecretService();
    const [lost] = await vaultProcess(another.env, at.home, 'state');
    expect(lost).toMatchObject({ kind: 'locked', how: 'keychain', ways: ['keychain', 'passphrase'] });
    expect(await readFile(join(at.home, 'vault'))).toEqual(before);
    const [unlocked, opened] = await vaultProcess(another.env, at.home, 'unlock', 'state');
    expect(unlocked).toEqual({ ok: true, keychain: { repaired: true } });
    expect(opened).toMatchObject({ kind: 'open', token: 'kept' });
    const [again] = await vaultProcess(another.env, at.home, 'state');
    expect(again).toMatchObject({ kind: 'open', slots: ['keychain', 'passphrase'], token: 'kept' });
    // The first keyring's key is another one now: locked, and repaired again by the passphrase.
    const [back, repaired] = await vaultProcess(service.env, at.home, 'state', 'unlock');
    expect(back).toMatchObject({
      kind: 'locked',
      how: 'keychain',
      reason: expect.stringContaining('not this vault'),
    });
    expect(repaired).toEqual({ ok: true, keychain: { repaired: true } });
  });

  it('opens by its passphrase while the keyring is locked, which is said and left as it is', async () => {
    await using at = await temporaryHome();
    await vaultProcess(service.env, at.home, 'login', 'kept', 'sets');
    const before = await readFile(join(at.home, 'vault'));
    await service.lock();
    const [unlocked, state] = await vaultProcess(service.env, at.home, 'unlock', 'state');
    expect(unlocked).toMatchObject({ ok: true, keychain: { repaired: false } });
    expect(state).toMatchObject({ kind: 'open', token: 'kept' });
    expect(await readFile(join(at.home, 'vault'))).toEqual(before);
    await service.unlock();
    const [again] = await vaultProcess(service.env, at.home, 'state');
    expect(again).toMatchObject({ kind: 'open', token: 'kept' });
  });

  it('is none, or locked, where no D-Bus is', async () => {
    await using at = await temporaryHome();
    await using empty = await temporaryHome();
    await vaultProcess(service.env, at.home, 'login', 'kept');
    const without = { HOME: at.home };
    const [locked] = await vaultProcess(without, at.home, 'state');
    expect(locked).toMatchObject({ kind: 'locked', how: 'keychain' });
    const [none] = await vaultProcess(without, empty.home, 'state');
    expect(none).toMatchObject({ kind: 'none', reason: expect.stringContaining('D-Bus') });
    expect(await readdir(empty.home)).toEqual([]);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonLines } from '../support/json-lines.ts';
import { run } from '../support/processes.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { temporaryHome } from '../support/vault-parts.ts';

const program = fileURLToPath(new URL('../support/vault-process.ts', import.meta.url));

/** What a process with a vault prints, line by line. */
async function vaultProcess(env: Readonly<Record<string, string>>, home: string, ...commands: string[]) {
  const done = await run(process.execPath, [program, home, ...commands], { env });
  expect(done.stderr).toBe('');
  return jsonLines(done.stdout);
}

describe('a vault whose key is in a real Secret Service', () => {
  let service: SecretService;
  beforeAll(async () => {
    service = await startSecretService();
  });
  beforeEach(() => service.unlock());
  afterAll(() => service[Symbol.asyncDispose]());

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
});

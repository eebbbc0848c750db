import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../main/base/secret.ts';
import type { Keychain, KeychainFound } from '../../main/ports/keychain.ts';
import { silentLog } from '../../main/ports/log.ts';
import type { Session, VaultContent } from '../../main/ports/vault.ts';
import { createFileOperations, type FileOperations } from '../../main/vault/file-operations.ts';
import type { VaultDependencies } from '../../main/vault/index.ts';
import { type PassphraseKdf, scryptKdf } from '../../main/vault/seal.ts';

/** scrypt for tests: 1 MiB, a 128th of the real cost. */
export const cheapScrypt: PassphraseKdf = { ...scryptKdf, cost: { N: 2 ** 10, r: 8, p: 1 } };
/** No scrypt at all: the key is the passphrase’s alone, so that only the slot’s seal holds it to its parameters. */
export const noScrypt: PassphraseKdf = {
  ...cheapScrypt,
  derive: async (bytes) => createHash('sha256').update(bytes).digest(),
};
export const passphrase = new Secret('correct horse battery staple');

export async function temporaryHome(): Promise<{ home: string } & AsyncDisposable> {
  const home = await mkdtemp(join(tmpdir(), 'lanyard-vault-'));
  return { home, [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
}

/** A keychain in memory. `failure` answers in its place; `hidden` answers null, as a locked keyring does. */
export class FakeKeychain implements Keychain {
  readonly entries = new Map<string, string>();
  failure: Extract<KeychainFound, { ok: false }> | null = null;
  hidden = false;
  calls = 0;

  async get(service: string, name: string): Promise<KeychainFound> {
    this.calls += 1;
    const value = this.hidden ? null : (this.entries.get(`${service}/${name}`) ?? null);
    return this.failure ?? { ok: true, value };
  }

  async set(service: string, name: string, value: string) {
    this.calls += 1;
    if (!this.failure) {
      this.entries.set(`${service}/${name}`, value);
    }
    return this.failure ?? { ok: true as const };
  }

  async delete(service: string, name: string) {
    this.calls += 1;
    this.entries.delete(`${service}/${name}`);
    return this.failure ?? { ok: true as const };
  }
}

export const unavailable = { ok: false, reason: 'unavailable', message: 'no keychain here' } as const;

/** What openVault needs, with a cheap scrypt and a clock that stands. */
export function dependencies(home: string, more: Partial<VaultDependencies> = {}): VaultDependencies {
  return {
    home,
    keychain: new FakeKeychain(),
    clock: { now: () => Date.UTC(2026, 0, 1) },
    log: silentLog,
    kdf: cheapScrypt,
    ...more,
  };
}

/** The same for unit tests, which stretch no key and don’t wait for the disk. */
export const unitDependencies = (home: string, more: Partial<VaultDependencies> = {}) =>
  dependencies(home, { kdf: noScrypt, files: new FailingFiles(), ...more });

export function session(refreshToken: string): Session {
  return {
    issuer: 'https://id.example.com',
    clientId: 'kubernetes',
    subject: 'alice',
    claims: { name: 'Alice' },
    refreshToken: new Secret(refreshToken),
    token: { value: new Secret(`${refreshToken}-token`), issuedAt: 1000, expiresAt: 2000 },
    accessToken: { value: new Secret(`${refreshToken}-access`), expiresAt: 2000 },
    loggedInAt: 1000,
    generation: 1,
    intent: null,
    interrupted: false,
    ended: null,
    stale: false,
  };
}

/** The next content of an update: the account `corp` is logged in with this refresh token. */
export const withSession = (refreshToken: string) => (content: VaultContent) => ({
  ...content,
  sessions: { ...content.sessions, corp: session(refreshToken) },
});

export const refreshTokenIn = (content: VaultContent) =>
  content.sessions['corp']?.refreshToken?.reveal() ?? null;

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}

/**
 * The real file system, without its syncs, until the call number `failAt` that changes something (from 1). That one
 * fails with `code`, a write after half of its bytes; with `dead`, all later calls fail, too: the process is gone.
 */
export class FailingFiles implements FileOperations {
  readonly #real = createFileOperations();
  #plan: { failAt: number; code: string; dead: boolean };
  /** The calls that changed something, by name. */
  readonly done: string[] = [];

  constructor(plan: Partial<{ failAt: number; code: string; dead: boolean }> = {}) {
    this.#plan = { failAt: 0, code: 'EIO', dead: false, ...plan };
  }

  /** Counts from 1 again, with another plan where one is given. */
  restart(plan: Partial<{ failAt: number; code: string; dead: boolean }> = {}): void {
    this.done.length = 0;
    this.#plan = { ...this.#plan, ...plan };
  }

  ownUid = () => this.#real.ownUid();
  openForReading = (path: string) => this.#real.openForReading(path);
  names = (folder: string) => this.#real.names(folder);
  link = (from: string, to: string) => this.#step('link', () => this.#real.link(from, to));
  rename = (from: string, to: string) => this.#step('rename', () => this.#real.rename(from, to));
  unlink = (path: string) => this.#step('unlink', () => this.#real.unlink(path));
  syncFolder = () => this.#step('syncFolder', async () => undefined);

  async createNew(path: string) {
    const file = await this.#step('createNew', () => this.#real.createNew(path));
    return {
      write: (bytes: Buffer) =>
        this.#step(
          'write',
          () => file.write(bytes),
          () => file.write(bytes.subarray(0, bytes.length / 2)),
        ),
      sync: () => this.#step('sync', async () => undefined),
      // A descriptor ends with its process, too.
      close: () =>
        this.#step(
          'close',
          () => file.close(),
          () => file.close(),
        ),
    };
  }

  async #step<T>(name: string, run: () => Promise<T>, half?: () => Promise<void>): Promise<T> {
    this.done.push(name);
    const { failAt, code, dead } = this.#plan;
    const at = this.done.length;
    if (failAt > 0 && (at === failAt || (dead && at > failAt))) {
      await half?.();
      throw systemError(code);
    }
    return run();
  }
}

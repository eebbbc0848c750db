import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * The vault's file (docs/adr/0002-vault-format.md). Numbers are big-endian.
 *
 *     magic         8 bytes   "LNYVAULT"
 *     version       4 bytes   1; 2 where a slot is a recovery key's; 3 where the header has `logins`
 *     header length 4 bytes
 *     header        JSON: id, generation, createdAt, slots, logins. All up to here is the content's authenticated data
 *     content       12 bytes nonce, AES-256-GCM ciphertext under the data key, 16 bytes tag
 *     checksum      32 bytes  SHA-256 of everything before: tells damage from a wrong key without any key
 *
 * Magic, version and checksum keep their places in every later version.
 */
const magic = Buffer.from('LNYVAULT', 'latin1');
/** The newest version that is read. Each file names the oldest version that reads it, so that an older Lanyard can. */
export const formatVersion = 3;
const prefixBytes = magic.length + 8;
const checksumBytes = 32;
const sealOverheadBytes = 28;
const headerLimitBytes = 64 * 1024;
/** A vault contains tokens, keys and copies of kubeconfigs. A larger file is rejected before it is read. */
export const fileLimitBytes = 64 * 1024 * 1024;

const base64Of = (bytes: number) =>
  z.base64().refine((text) => Buffer.from(text, 'base64').length === bytes, `expected ${bytes} bytes`);

/** A data key of 32 bytes, sealed: nonce, ciphertext, tag. */
const wrappedKey = base64Of(32 + sealOverheadBytes);

const powerOfTwo = (value: number) => Number.isInteger(Math.log2(value));

/** Bounded, so that a hostile header can’t use up all memory: scrypt needs 128 · N · r bytes (RFC 7914, section 6). */
export const scryptParameters = z
  .strictObject({
    name: z.literal('scrypt'),
    N: z
      .int()
      .min(2 ** 10)
      .max(2 ** 20)
      .refine(powerOfTwo, 'expected a power of two'),
    r: z.int().min(1).max(32),
    p: z.int().min(1).max(4),
    salt: base64Of(16),
  })
  .refine((kdf) => 128 * kdf.N * kdf.r <= 256 * 1024 * 1024, 'takes too much memory');
export type ScryptParameters = z.infer<typeof scryptParameters>;

/**
 * One unlock method: what wraps the data key. At most one slot of each kind. See docs/adr/0006 for what each
 * combination means.
 */
export const slot = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('keychain'), wrapped: wrappedKey }),
  z.strictObject({ kind: z.literal('passphrase'), kdf: scryptParameters, wrapped: wrappedKey }),
  z.strictObject({
    kind: z.literal('recoveryKey'),
    /** HKDF's salt: the recovery key is random, so nothing slower is needed (RFC 5869, section 3.3). */
    salt: base64Of(16),
    /** X25519, raw, in base64: a new data key is sealed to it without the recovery key. */
    publicKey: base64Of(32),
    ephemeralKey: base64Of(32),
    wrapped: wrappedKey,
  }),
]);
export type Slot = z.infer<typeof slot>;
export type SlotOf<Kind extends Slot['kind']> = Extract<Slot, { kind: Kind }>;

/** The header: JSON in the file, unencrypted, but authenticated by the content’s seal. */
export const vaultHeader = z.strictObject({
  /** Names the vault in the keychain. */
  id: z.uuid(),
  /** Counts writes from 1. */
  generation: z.int().min(1),
  /** Milliseconds since 1970. */
  createdAt: z.int().min(0),
  slots: z.array(slot).min(1).max(8),
  /** A mark for each server that has a stored entry (`loginMark`), sorted; absent: none has. */
  logins: z.array(z.base64().length(16)).min(1).max(1_024).optional(),
});
export type VaultHeader = z.infer<typeof vaultHeader>;

/** Why a file can't be used as a vault. Nothing is overwritten then. */
export interface Broken {
  kind: 'broken';
  code: string;
  reason: string;
}

/** `what` becomes the code `vault.broken.<what>`. */
export function broken(what: string, reason: string): Broken {
  return { kind: 'broken', code: `vault.broken.${what}`, reason };
}

/** A file's parts; `authenticated` is what the content's seal binds. */
export interface VaultParts {
  kind: 'parts';
  header: VaultHeader;
  authenticated: Buffer;
  sealed: Buffer;
}

/** The oldest format version with all that the header contains. */
function versionFor(header: VaultHeader): number {
  if (header.logins) {
    return 3;
  }
  return header.slots.some((each) => each.kind === 'recoveryKey') ? 2 : 1;
}

/**
 * What the header says of a server with a stored entry: 12 bytes of a SHA-256 over the vault’s id and the server’s key,
 * in base64. It tells a locked vault which servers have an entry. Who guesses a server’s name can check the guess.
 */
export function loginMark(id: string, serverKey: string): string {
  const text = JSON.stringify(['vault.registryLogin', 1, id, serverKey]);
  return createHash('sha256').update(text).digest().subarray(0, 12).toString('base64');
}

/** The bytes before the content: what its seal binds. */
export function encodePrefix(header: VaultHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header), 'utf8');
  const prefix = Buffer.alloc(prefixBytes + text.length);
  magic.copy(prefix);
  prefix.writeUInt32BE(versionFor(header), magic.length);
  prefix.writeUInt32BE(text.length, magic.length + 4);
  text.copy(prefix, prefixBytes);
  return prefix;
}

/** A whole file: the prefix, the content sealed against it, the checksum. */
export function encodeFile(prefix: Buffer, sealed: Buffer): Buffer {
  const checksum = createHash('sha256').update(prefix).update(sealed).digest();
  return Buffer.concat([prefix, sealed, checksum]);
}

/** Takes a file apart. Needs no key, so that damage is found in a locked vault, too. */
export function decodeFile(file: Buffer): VaultParts | Broken {
  if (file.length === 0) {
    return broken('truncated', 'the file is empty');
  }
  const start = file.subarray(0, magic.length);
  if (!start.equals(magic.subarray(0, start.length))) {
    return broken('damaged', 'the file is not a vault, or its beginning is damaged');
  }
  if (file.length < prefixBytes + sealOverheadBytes + checksumBytes) {
    return broken('truncated', 'the file is cut off');
  }
  const body = file.subarray(0, file.length - checksumBytes);
  if (!createHash('sha256').update(body).digest().equals(file.subarray(body.length))) {
    return broken('damaged', 'the file is damaged or cut off: its checksum doesn’t match');
  }
  const version = file.readUInt32BE(magic.length);
  if (version < 1 || version > formatVersion) {
    return broken('newer', `the file has format version ${version}; this Lanyard reads ${formatVersion}`);
  }
  const contentStart = prefixBytes + file.readUInt32BE(magic.length + 4);
  if (contentStart - prefixBytes > headerLimitBytes || contentStart + sealOverheadBytes > body.length) {
    return broken('damaged', 'the file’s header is not as long as it says');
  }
  const header = parseHeader(body.subarray(prefixBytes, contentStart));
  if (header === null || versionFor(header) > version) {
    return broken('damaged', 'the file’s header holds what this Lanyard doesn’t know');
  }
  return {
    kind: 'parts',
    header,
    authenticated: body.subarray(0, contentStart),
    sealed: body.subarray(contentStart),
  };
}

function parseHeader(bytes: Buffer): VaultHeader | null {
  try {
    return vaultHeader.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

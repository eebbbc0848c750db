import { z } from 'zod';
import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { Backup, Session, VaultContent } from '../ports/vault.ts';

const secret = z.string().transform((value) => new Secret(value));
const time = z.number();

const session = z.strictObject({
  issuer: z.string(),
  clientId: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  refreshToken: secret.nullable(),
  token: z.strictObject({ value: secret, issuedAt: time, expiresAt: time.nullable() }).nullable(),
  loggedInAt: time,
  generation: z.int().min(1),
  intent: z.strictObject({ at: time }).nullable(),
  interrupted: z.boolean(),
  stale: z.boolean(),
});

const backup = z.strictObject({
  id: z.string(),
  file: z.string(),
  at: time,
  mode: z.int(),
  content: secret,
  writtenDigest: z.string(),
});

/**
 * What is sealed. Strict: a field of a newer Lanyard is refused, not dropped with the next write. A field that
 * is added later needs a default here, so that older vaults stay readable.
 */
const sealedContent = z.strictObject({
  /** The header's generation once more: the two must agree. */
  generation: z.int().min(1),
  sessions: z.record(z.string(), session),
  secrets: z.record(z.string(), z.record(z.string(), secret)),
  confirmed: z.strictObject({
    accounts: z.record(z.string(), z.string()),
    clusters: z.record(z.string(), z.string()),
    settings: z.record(z.string(), z.string()).default({}),
  }),
  backups: z.array(backup).default([]),
});
type SealedContent = z.input<typeof sealedContent>;

export const emptyContent: VaultContent = Object.freeze({
  sessions: Object.freeze({}),
  secrets: Object.freeze({}),
  confirmed: Object.freeze({
    accounts: Object.freeze({}),
    clusters: Object.freeze({}),
    settings: Object.freeze({}),
  }),
  backups: Object.freeze([]),
});

/**
 * The content as bytes to seal, and as it will be read back from them: what could not be read back is never
 * written. Throws BrokerError `vault.content.invalid`.
 */
export function serializeContent(
  content: VaultContent,
  generation: number,
): { plain: Buffer; content: VaultContent } {
  const sealed: SealedContent = {
    generation,
    sessions: mapValues(content.sessions, revealSession),
    secrets: mapValues(content.secrets, (named) => mapValues(named, (value) => value.reveal())),
    confirmed: content.confirmed,
    backups: content.backups.map(revealBackup),
  };
  const plain = Buffer.from(JSON.stringify(sealed), 'utf8');
  const parsed = parseContent(plain, generation);
  if (parsed === null) {
    // Not zod's issues: they may quote what they found.
    throw new BrokerError('vault.content.invalid', 'a change of the vault’s content has the wrong shape');
  }
  return { plain, content: parsed };
}

/** Null where the bytes are not a content of this generation. */
export function parseContent(plain: Buffer, generation: number): VaultContent | null {
  try {
    const { generation: own, ...content } = sealedContent.parse(JSON.parse(plain.toString('utf8')));
    return own === generation ? deepFreeze(content) : null;
  } catch {
    return null;
  }
}

function revealSession(value: Session): z.input<typeof session> {
  return {
    ...value,
    refreshToken: value.refreshToken?.reveal() ?? null,
    token: value.token && { ...value.token, value: value.token.value.reveal() },
  };
}

function revealBackup(value: Backup): z.input<typeof backup> {
  return { ...value, content: value.content.reveal() };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** What is read is shared by all who read: nobody may change it in place. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) {
      deepFreeze(inner);
    }
  }
  return value;
}

import { z } from 'zod';
import { Secret } from '../base/secret.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { byGroup, groupOf, kindNames } from '../contract/config/config.ts';
import type { EntryTexts } from '../domain/loaded-config.ts';
import type {
  DockerConfigEdit,
  RegistryLogin,
  RequestProxyKeys,
  Session,
  VaultContent,
} from '../ports/vault.ts';

const secret = z.string().transform((value) => new Secret(value));
const time = z.number();

const session = z.strictObject({
  issuer: z.string(),
  clientId: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  refreshToken: secret.nullable(),
  token: z.strictObject({ value: secret, issuedAt: time, expiresAt: time.nullable() }).nullable(),
  accessToken: z.strictObject({ value: secret, expiresAt: time.nullable() }).nullable().default(null),
  loggedInAt: time,
  generation: z.int().min(1),
  intent: z.strictObject({ at: time }).nullable(),
  interrupted: z.boolean(),
  ended: z
    .strictObject({ why: z.enum(['ended', 'person']), said: z.string(), at: time })
    .nullable()
    .default(null),
  stale: z.boolean(),
});

const registryLogin = z.strictObject({ serverUrl: z.string(), userName: z.string(), secret });

const dockerConfig = z.strictObject({
  at: time,
  mode: z.int(),
  before: secret.nullable(),
  written: z.array(z.string()),
  credsStore: z.boolean(),
  credHelpers: z.array(z.string()),
});

const backup = z.strictObject({
  id: z.string(),
  file: z.string(),
  at: time,
  mode: z.int(),
  /** Base64: nothing in it needs an escape in JSON, so `bytesOf` copies it unread. */
  content: z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .transform((value) => new Secret(value)),
  writtenDigest: z.string(),
});

/** The port that the page is served at, and the sessions of the browsers that were let in. */
const uiAccess = z.strictObject({
  port: z.int().min(1).max(65_535),
  sessions: z.array(z.strictObject({ id: z.string(), secret, goodUntil: time })),
});

const requestProxy = z.strictObject({
  port: z.int().min(1).max(65_535),
  authority: z.strictObject({ certificate: z.string(), key: secret }),
  key: secret,
  epochs: z.record(z.string(), z.string()),
});

/** A group that a kind added later has none of in an older vault: nothing of it was approved. */
const entryTexts = z.strictObject(byGroup(() => z.record(z.string(), z.string()).default({})));

/** Added after the first vaults: written only where they have entries, so that a Lanyard without them can read the rest. */
const laterGroups = kindNames()
  .map(groupOf)
  .filter((group) => group !== 'accounts' && group !== 'clusters');

/**
 * What is sealed. Strict: a field of a newer Lanyard is rejected, not dropped with the next write. Give each new field
 * a default here, so that older vaults stay readable.
 */
const sealedContent = z.strictObject({
  /** Equals the header’s generation, else the content is rejected. */
  generation: z.int().min(1),
  sessions: z.record(z.string(), session),
  secrets: z.record(z.string(), z.record(z.string(), secret)),
  confirmed: z.strictObject({
    ...entryTexts.shape,
    settings: z.record(z.string(), z.string()).default({}),
    programs: z
      .record(z.string(), z.strictObject({ path: z.string(), sha256: z.string().nullable() }))
      .default({}),
    forms: entryTexts.prefault({}),
  }),
  /** These two are written only where there are any: a vault without them stays readable for a Lanyard that doesn’t know them. */
  registryLogins: z.record(z.string(), registryLogin).default({}),
  dockerConfigs: z.record(z.string(), dockerConfig).default({}),
  backups: z.array(backup).default([]),
  ui: uiAccess.optional(),
  requestProxy: requestProxy.optional(),
});
type SealedContent = z.input<typeof sealedContent>;

export const emptyContent: VaultContent = Object.freeze({
  sessions: Object.freeze({}),
  secrets: Object.freeze({}),
  confirmed: Object.freeze({
    ...byGroup(() => Object.freeze({})),
    settings: Object.freeze({}),
    programs: Object.freeze({}),
    forms: Object.freeze(byGroup(() => Object.freeze({}))),
  }),
  registryLogins: Object.freeze({}),
  dockerConfigs: Object.freeze({}),
  backups: Object.freeze([]),
});

/**
 * The content as bytes to seal, and as it will be read back from them: what can’t be read back is never written. Parts
 * that are the same objects in `known`, an earlier reading, are not read back again: with thousands of accounts and
 * whole kubeconfigs as backups, each renewal would read all of them. Throws BrokerError `vault.content.invalid`.
 */
export function serializeContent(
  content: VaultContent,
  generation: number,
  known: VaultContent = emptyContent,
): { plain: Buffer; content: VaultContent } {
  const newBackups = content.backups.filter((each) => !known.backups.includes(each));
  const changed = parseContent(
    bytesOf(
      {
        sessions: without(content.sessions, known.sessions),
        secrets: without(content.secrets, known.secrets),
        confirmed: content.confirmed === known.confirmed ? emptyContent.confirmed : content.confirmed,
        registryLogins: without(content.registryLogins, known.registryLogins),
        dockerConfigs: without(content.dockerConfigs, known.dockerConfigs),
        backups: newBackups,
        ...(content.ui && { ui: content.ui }),
        ...(content.requestProxy && { requestProxy: content.requestProxy }),
      },
      generation,
    ),
    generation,
  );
  if (changed === null) {
    // Not zod's issues: they may quote what they found.
    throw new BrokerError('vault.content.invalid', 'a change of the vault’s content has the wrong shape');
  }
  const asRead: VaultContent = {
    sessions: together(content.sessions, known.sessions, changed.sessions),
    secrets: together(content.secrets, known.secrets, changed.secrets),
    confirmed: content.confirmed === known.confirmed ? known.confirmed : changed.confirmed,
    registryLogins: together(content.registryLogins, known.registryLogins, changed.registryLogins),
    dockerConfigs: together(content.dockerConfigs, known.dockerConfigs, changed.dockerConfigs),
    backups: content.backups.map((each) => changed.backups[newBackups.indexOf(each)] ?? each),
    ...(changed.ui && { ui: changed.ui }),
    ...(changed.requestProxy && { requestProxy: changed.requestProxy }),
  };
  return { plain: bytesOf(content, generation), content: deepFreeze(asRead) };
}

/** Null where the bytes are not the content of this generation. */
export function parseContent(plain: Buffer, generation: number): VaultContent | null {
  try {
    const {
      generation: own,
      ui,
      requestProxy: proxy,
      ...content
    } = sealedContent.parse(JSON.parse(plain.toString('utf8')));
    return own === generation
      ? deepFreeze({ ...content, ...(ui && { ui }), ...(proxy && { requestProxy: proxy }) })
      : null;
  } catch {
    return null;
  }
}

/**
 * JSON. The content of the backups is copied as it is: JSON.stringify would search megabytes for characters to escape.
 */
function bytesOf(content: VaultContent, generation: number): Buffer {
  const sealed: Omit<SealedContent, 'backups'> = {
    generation,
    sessions: mapValues(content.sessions, revealSession),
    secrets: mapValues(content.secrets, (named) => mapValues(named, (value) => value.reveal())),
    confirmed: withoutEmptyGroups({
      ...content.confirmed,
      forms: withoutEmptyGroups(content.confirmed.forms),
    }),
    ...(Object.keys(content.registryLogins).length > 0 && {
      registryLogins: mapValues(content.registryLogins, revealLogin),
    }),
    ...(Object.keys(content.dockerConfigs).length > 0 && {
      dockerConfigs: mapValues(content.dockerConfigs, revealDockerConfig),
    }),
    ...(content.ui && {
      ui: {
        port: content.ui.port,
        sessions: content.ui.sessions.map((each) => ({ ...each, secret: each.secret.reveal() })),
      },
    }),
    ...(content.requestProxy && { requestProxy: revealProxy(content.requestProxy) }),
  };
  const pieces = content.backups.map((backup, index) => {
    const { content: base64, ...others } = backup;
    return [
      Buffer.from(`${index === 0 ? '' : ','}${opened(others)},"content":"`, 'utf8'),
      Buffer.from(base64.reveal(), 'latin1'),
      Buffer.from('"}', 'utf8'),
    ];
  });
  const all = [
    Buffer.from(`${opened(sealed)},"backups":[`, 'utf8'),
    ...pieces.flat(),
    Buffer.from(']}', 'utf8'),
  ];
  const plain = Buffer.concat(all);
  for (const piece of all) {
    piece.fill(0);
  }
  return plain;
}

/** An object as JSON, without its closing brace. */
function opened(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

type Named<T> = Readonly<Record<string, T>>;

function isKnown<T>(name: string, values: Named<T>, known: Named<T>): boolean {
  return Object.hasOwn(known, name) && values[name] === known[name];
}

function without<T>(values: Named<T>, known: Named<T>): Named<T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isKnown(name, values, known)));
}

/** In the order of `values`: each as it was read back, now or earlier. */
function together<T>(values: Named<T>, known: Named<T>, changed: Named<T>): Named<T> {
  if (values === known) {
    return known;
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isKnown(name, values, known) ? value : (changed[name] as T),
    ]),
  );
}

function withoutEmptyGroups<T extends Partial<EntryTexts>>(texts: T): T {
  const written = { ...texts };
  for (const group of laterGroups) {
    if (Object.keys(written[group] ?? {}).length === 0) {
      delete written[group];
    }
  }
  return written;
}

function revealSession(value: Session): z.input<typeof session> {
  return {
    ...value,
    refreshToken: value.refreshToken?.reveal() ?? null,
    token: value.token && { ...value.token, value: value.token.value.reveal() },
    accessToken: value.accessToken && { ...value.accessToken, value: value.accessToken.value.reveal() },
  };
}

function revealLogin({ secret: value, ...rest }: RegistryLogin): z.input<typeof registryLogin> {
  return { ...rest, secret: value.reveal() };
}

function revealProxy({ authority, key, ...rest }: RequestProxyKeys): z.input<typeof requestProxy> {
  return {
    ...rest,
    authority: { certificate: authority.certificate, key: authority.key.reveal() },
    key: key.reveal(),
  };
}

function revealDockerConfig(value: DockerConfigEdit): z.input<typeof dockerConfig> {
  return {
    ...value,
    before: value.before?.reveal() ?? null,
    written: [...value.written],
    credHelpers: [...value.credHelpers],
  };
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** All readers share one object: a change in place would change it for all of them. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) {
      deepFreeze(inner);
    }
  }
  return value;
}

import type { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { jwtLife } from '../../domain/credential/jwt-life.ts';
import type { Credential } from '../../ports/account.ts';
import type { Session, Vault, VaultContent } from '../../ports/vault.ts';
import { noRefreshToken } from './login/refresh-token-note.ts';
import type { TokenSet } from './provider/token-request.ts';

/** The session of account `name` that its configuration still speaks of; null where there is none such. */
export function sessionOf(content: VaultContent, name: string, config: OidcAccountConfig): Session | null {
  const session = Object.hasOwn(content.sessions, name) ? content.sessions[name] : undefined;
  return session && session.issuer === config.issuer && session.clientId === config.clientId ? session : null;
}

/** `content` with `session` in place of the account's; null takes it out. */
export function withSession(content: VaultContent, name: string, session: Session | null): VaultContent {
  const { [name]: _, ...others } = content.sessions;
  return { ...content, sessions: session === null ? others : { ...others, [name]: session } };
}

/**
 * Writes the session that `next` makes of the one in the vault, where that still is `start`: same login, same
 * generation, same intent. Throws `oidc.session.changed` where a logout, a login or another renewal came in between.
 */
export async function replaceSession(
  vault: Pick<Vault, 'update'>,
  name: string,
  start: Session,
  next: (session: Session) => Session,
): Promise<Session> {
  let written: Session | null = null;
  await vault.update((content) => {
    const now = content.sessions[name];
    if (!now || !isSame(now, start)) {
      throw sessionChanged(name);
    }
    written = next(now);
    return withSession(content, name, written);
  });
  return written ?? start;
}

function isSame(one: Session, other: Session): boolean {
  return (
    one.issuer === other.issuer &&
    one.clientId === other.clientId &&
    one.subject === other.subject &&
    one.loggedInAt === other.loggedInAt &&
    one.generation === other.generation &&
    one.intent?.at === other.intent?.at
  );
}

export function sessionChanged(name: string): BrokerError {
  return new BrokerError(
    'oidc.session.changed',
    `the login of ${name} changed meanwhile, so the provider’s answer was dropped`,
    { reason: 'loginNeeded', hint: `try again; else: lanyard login ${name}` },
  );
}

/**
 * The token that the cluster takes, with its life. An id token ends at its `exp`, an access token when the answer
 * or (where it is a JWT) the token says, the earlier of both. `exp` is taken as it is, by the wall clock.
 */
export function chooseToken(
  kind: OidcAccountConfig['token'],
  tokens: TokenSet,
  requestedAt: number,
): Session['token'] {
  const value = kind === 'id' ? tokens.idToken : tokens.accessToken;
  if (!value) {
    return null;
  }
  const life = jwtLife(value.reveal());
  const ends = [life?.expiresAt ?? null];
  if (kind === 'access' && tokens.expiresInSeconds !== null) {
    const end = requestedAt + tokens.expiresInSeconds * 1000;
    // What no date can tell says as little as nothing.
    ends.push(end <= latestDate ? end : null);
  }
  const known = ends.filter((end) => end !== null);
  return {
    value,
    issuedAt: life?.issuedAt ?? requestedAt,
    expiresAt: known.length === 0 ? null : Math.min(...known),
  };
}

/** The access token beside the one that the cluster takes; null where that is it. */
export function otherToken(
  kind: OidcAccountConfig['token'],
  tokens: TokenSet,
  requestedAt: number,
): Session['accessToken'] {
  const token = kind === 'id' ? chooseToken('access', tokens, requestedAt) : null;
  return token && { value: token.value, expiresAt: token.expiresAt };
}

/** The last moment that a Date can hold, in milliseconds since 1970. */
const latestDate = 8.64e15;

/** The current token, until it expires. */
export function validToken(session: Session, now: number): Session['token'] {
  const { token } = session;
  return token && (token.expiresAt === null || token.expiresAt > now) ? token : null;
}

/** Why a session can't be renewed without the user; null: it can. */
export function loginNeeded(
  name: string,
  session: Session | null,
  config: Pick<OidcAccountConfig, 'issuer' | 'clientId' | 'scopes'>,
): Refusal | null {
  const refusal = (code: string, message: string, hint = `lanyard login ${name}`) =>
    ({ ...refuse('loginNeeded', code, message, hint), unasked: true }) as const;
  if (!session) {
    return refusal('oidc.login.needed', `you are not logged in to ${name}`);
  }
  if (session.interrupted) {
    return refusal(
      'oidc.session.interrupted',
      `the login of ${name} was interrupted in the middle of a renewal`,
    );
  }
  if (session.stale) {
    return refusal('oidc.session.stale', `the login of ${name} comes from an older copy of the vault`);
  }
  if (session.ended) {
    const { why, said } = session.ended;
    const { host } = new URL(session.issuer);
    return why === 'person'
      ? refusal(
          'oidc.session.interactionRequired',
          `the provider requires you to log in to ${name} again (${host}): ${said}`,
        )
      : refusal(
          'oidc.session.ended',
          `the provider ended the session of ${name} (${host}): ${said}`,
          /claimed by another client/i.test(said)
            ? `lanyard login ${name}; if it ends again: another program, such as kubelogin, logs in as the same client`
            : undefined,
        );
  }
  if (!session.refreshToken) {
    const { why, remedy } = noRefreshToken(name, config);
    const hint = `lanyard login ${name}; to be spared that: ${remedy}`;
    return refusal('oidc.login.needed', `the login of ${name} can’t be renewed: ${why}`, hint);
  }
  return null;
}

/** The client's secret, if the user set one. */
export function clientSecretOf(content: VaultContent, name: string): Secret | null {
  return clientPart(content, name, 'clientSecret');
}

/** The client's private key, if the user set one; it takes precedence over the secret. */
export function clientKeyOf(content: VaultContent, name: string): Secret | null {
  return clientPart(content, name, 'clientKey');
}

/** The client's certificate with its key (RFC 8705), if the user set one. */
export function clientCertificateOf(content: VaultContent, name: string): Secret | null {
  return clientPart(content, name, 'clientCertificate');
}

function clientPart(content: VaultContent, name: string, part: string): Secret | null {
  const parts = Object.hasOwn(content.secrets, name) ? content.secrets[name] : undefined;
  const secret = parts?.[part];
  return secret && !secret.isEmpty ? secret : null;
}

/** A session's token as a credential. */
export function credentialOf({ value, issuedAt, expiresAt }: NonNullable<Session['token']>): Credential {
  return { token: value, certificate: null, issuedAt, expiresAt };
}

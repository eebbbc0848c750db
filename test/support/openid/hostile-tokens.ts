import {
  createHash,
  createHmac,
  createPublicKey,
  createSign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { newRsaKey } from '../keys/new-rsa-key.ts';

/** How an id token differs from a true one. */
export interface IdTokenOptions {
  /** Put over the claims; null takes one out. */
  claims?: Readonly<Record<string, unknown>>;
  /** Put over the claims as it is: null stays. */
  written?: Readonly<Record<string, unknown>>;
  /** Put over the header. */
  header?: Readonly<Record<string, unknown>>;
  /** `none` and `hmac` (with the public key as the secret) are what an attacker signs; `stranger` is unpublished. */
  sign?: 'true' | 'none' | 'hmac' | 'stranger';
}

/** What a true id token says. */
export interface IdTokenSubject {
  issuer: string;
  clientId: string;
  accessToken: string;
  nonce?: string | undefined;
}

/** Makes id tokens by hand: no library would make these. */
export interface TokenMint {
  readonly jwks: { keys: readonly JsonWebKey[] };
  /** The published part of a key that isn't published. */
  readonly strangerJwk: JsonWebKey;
  idToken(subject: IdTokenSubject, options?: IdTokenOptions): string;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function newKeys() {
  const privateKey = newRsaKey();
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export function makeTokenMint(): TokenMint {
  const [own, stranger] = [newKeys(), newKeys()];
  const keyId = 'hostile-1';
  const publish = (key: KeyObject, kid: string) => ({
    ...key.export({ format: 'jwk' }),
    kid,
    use: 'sig',
    alg: 'RS256',
  });
  const publicPem = own.publicKey.export({ format: 'pem', type: 'spki' });

  const sign = (text: string, how: NonNullable<IdTokenOptions['sign']>) => {
    switch (how) {
      case 'none':
        return '';
      case 'hmac':
        return createHmac('sha256', publicPem).update(text).digest('base64url');
      case 'true':
      case 'stranger':
        return createSign('RSA-SHA256')
          .update(text)
          .sign(how === 'true' ? own.privateKey : stranger.privateKey, 'base64url');
    }
  };

  return {
    jwks: { keys: [publish(own.publicKey, keyId)] },
    strangerJwk: publish(stranger.publicKey, 'stranger'),
    idToken(
      { issuer, clientId, accessToken, nonce },
      { claims = {}, written = {}, header = {}, sign: how = 'true' } = {},
    ) {
      const now = Math.floor(Date.now() / 1000);
      const digest = createHash('sha256').update(accessToken).digest();
      const all = {
        iss: issuer,
        sub: 'alice',
        aud: clientId,
        iat: now,
        exp: now + 600,
        at_hash: digest.subarray(0, digest.length / 2).toString('base64url'),
        ...(nonce === undefined ? {} : { nonce }),
        email: 'alice@example.com',
        ...claims,
      };
      const said = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      const alg = how === 'none' ? 'none' : how === 'hmac' ? 'HS256' : 'RS256';
      const text = `${part({ alg, kid: keyId, typ: 'JWT', ...header })}.${part({ ...said, ...written })}`;
      return `${text}.${sign(text, how)}`;
    },
  };
}

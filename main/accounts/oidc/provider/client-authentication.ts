import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  None,
  type ServerMetadata,
  TlsClientAuth,
} from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { ClientKey } from '../../../domain/credential/client-key.ts';
import type { ClientProof } from '../client/client-proof.ts';
import type { HeldClientKey } from '../client/held-client-key.ts';

/** An assertion is made for one request; a minute covers a slow network. */
const assertionSeconds = 60;

/**
 * How the client proves itself: by another system's assertion, by its key, by its certificate (RFC 8705, 2), by its
 * secret, or not at all (a public client): the first that there is.
 */
export function authenticateClient(
  metadata: ServerMetadata,
  { assertion, key, certificate }: ClientProof,
  secret: Secret | null,
): ClientAuth {
  if (assertion !== null) {
    return byAssertion(async () => assertion.reveal());
  }
  if (key !== null) {
    return byAssertion((issuer, clientId) => signAssertion(metadata, key, issuer, clientId));
  }
  if (certificate !== null) {
    return TlsClientAuth();
  }
  return secret === null ? None() : bySecret(metadata, secret);
}

/** RFC 8414: without a list, client_secret_basic. */
function bySecret(metadata: ServerMetadata, clientSecret: Secret): ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const post = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  const secret = clientSecret.reveal();
  return post ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

/** RFC 7521, 4.2. */
function byAssertion(assertion: (issuer: string, clientId: string) => Promise<string>): ClientAuth {
  return async (server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', await assertion(server.issuer, client.client_id));
  };
}

/**
 * `private_key_jwt` (RFC 7523, section 3). Its audience is the issuer alone, never an endpoint's address: of several
 * providers a client has, a bad one could name another's endpoint as its own and use the assertion there
 * (draft-ietf-oauth-rfc7523bis, and OpenID Foundation's notice of January 2025).
 */
async function signAssertion(
  metadata: ServerMetadata,
  key: ClientKey | HeldClientKey,
  issuer: string,
  clientId: string,
): Promise<string> {
  const { keyId, algorithms } = key;
  const offered = metadata.token_endpoint_auth_signing_alg_values_supported;
  // Where none fits, the provider's own refusal says it best: its list is often older than the provider.
  const alg = algorithms.find((each) => offered?.includes(each)) ?? algorithms[0] ?? 'RS256';
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    jti: randomUUID(),
    iss: clientId,
    sub: clientId,
    aud: issuer,
    iat: now,
    exp: now + assertionSeconds,
  };
  const header = { alg, ...(keyId !== null && { kid: keyId }) };
  if ('key' in key) {
    return new SignJWT(claims).setProtectedHeader(header).sign(key.key);
  }
  const input = [{ ...header, ...key.thumbprints }, claims].map(encoded).join('.');
  return `${input}.${Buffer.from(await key.sign(alg, input)).toString('base64url')}`;
}

/** RFC 7515, section 2. */
function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

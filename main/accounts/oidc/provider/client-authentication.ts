import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  None,
  type ServerMetadata,
} from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { ClientKey } from '../../../domain/client-key.ts';

/** An assertion is made for one request; a minute covers a slow network. */
const assertionSeconds = 60;

/** How the client proves itself: by its key, else by its secret, else not at all (a public client). */
export function authenticateClient(
  metadata: ServerMetadata,
  key: ClientKey | null,
  secret: Secret | null,
): ClientAuth {
  if (key !== null) {
    return byAssertion(metadata, key);
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

/**
 * `private_key_jwt` (RFC 7523, section 3). Its audience is the issuer alone, never an endpoint's address: of several
 * providers a client has, a bad one could name another's endpoint as its own and use the assertion there
 * (draft-ietf-oauth-rfc7523bis, and OpenID Foundation's notice of January 2025).
 */
function byAssertion(metadata: ServerMetadata, { key, keyId, algorithms }: ClientKey): ClientAuth {
  const offered = metadata.token_endpoint_auth_signing_alg_values_supported;
  // Where none fits, the provider's own refusal says it best: its list is often older than the provider.
  const algorithm = algorithms.find((each) => offered?.includes(each)) ?? algorithms[0] ?? 'RS256';
  return async (server, client, body) => {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: algorithm, ...(keyId === null ? {} : { kid: keyId }) })
      .setIssuer(client.client_id)
      .setSubject(client.client_id)
      .setAudience(server.issuer)
      .setIssuedAt()
      .setExpirationTime(`${assertionSeconds}s`)
      .sign(key);
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', assertion);
  };
}

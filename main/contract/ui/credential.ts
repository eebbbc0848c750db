import { z } from 'zod';

/** Milliseconds since 1970. */
const at = z.number();

/** One certificate of a chain, by its own fields. */
export const certificateView = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** Hex. */
  serial: z.string(),
  notBefore: at,
  notAfter: at,
  /** `EC P-256`, `RSA 2048`. */
  key: z.string(),
  /** SHA-256 of the DER encoding: hex pairs with colons. */
  fingerprint: z.string(),
});

/** One claim of a token’s payload, as text. Never its signature. */
export const claimView = z.object({ name: z.string(), value: z.string() });

/** A cluster’s cached credential, without token, key and signature. */
export const credentialView = z.object({
  kind: z.enum(['token', 'certificate', 'both', 'password', 'awsKeys']),
  /** The user’s name, where the credential itself has it. */
  subject: z.string().nullable(),
  groups: z.array(z.string()),
  audiences: z.array(z.string()),
  issuer: z.string().nullable(),
  from: at.nullable(),
  /** When it expires; null: never, or unknown. */
  until: at.nullable(),
  /** The plugin named no expiry: this one was read from the credential. */
  endIsRead: z.boolean(),
  /** The claims of a JWT; null: the token is opaque, or there is none. */
  claims: z.array(claimView).nullable(),
  /** The user’s certificate first, then the rest of its chain. */
  certificates: z.array(certificateView),
});
export type CredentialView = z.infer<typeof credentialView>;
export type CertificateView = z.infer<typeof certificateView>;

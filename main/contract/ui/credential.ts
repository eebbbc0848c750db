import { z } from 'zod';

/** Milliseconds since 1970. */
const at = z.number();

/** One certificate of a chain, as it says of itself. */
export const certificateView = z.object({
  subject: z.string(),
  issuer: z.string(),
  /** Hex. */
  serial: z.string(),
  notBefore: at,
  notAfter: at,
  /** `EC P-256`, `RSA 2048`. */
  key: z.string(),
  /** SHA-256 of its DER: hex pairs with colons. */
  fingerprint: z.string(),
});

/** One claim of a token's payload, as text. Never of its signature. */
export const claimView = z.object({ name: z.string(), value: z.string() });

/** What is held for a cluster, as far as anybody may see it: no token, key or signature. */
export const credentialView = z.object({
  kind: z.enum(['token', 'certificate', 'both', 'password']),
  /** As whom, where the credential itself says so. */
  subject: z.string().nullable(),
  groups: z.array(z.string()),
  audiences: z.array(z.string()),
  issuer: z.string().nullable(),
  from: at.nullable(),
  /** Null: no end, or none that can be seen. */
  until: at.nullable(),
  /** A plugin promised no end: this one is read from the credential. */
  endIsRead: z.boolean(),
  /** Of a token that is a JWT; null: it is opaque, or there is none. */
  claims: z.array(claimView).nullable(),
  /** The person's own certificate first. */
  certificates: z.array(certificateView),
});
export type CredentialView = z.infer<typeof credentialView>;
export type CertificateView = z.infer<typeof certificateView>;

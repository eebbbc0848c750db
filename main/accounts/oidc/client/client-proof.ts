import type { Secret } from '../../../base/secret.ts';
import type { ClientKey } from '../../../domain/credential/client-key.ts';
import type { ReadPair } from '../../../domain/credential/read-pair.ts';

/** What a client certificate is in TLS (RFC 8705). */
export type ClientCertificate = Pick<Extract<ReadPair, { ok: true }>, 'chainPem' | 'keyPem' | 'life'>;

/** What the client proves itself with before its secret, the first first. A certificate is shown in TLS in any case. */
export interface ClientProof {
  /** A JWT that another system has signed (RFC 7523). */
  assertion: Secret | null;
  key: ClientKey | null;
  certificate: ClientCertificate | null;
}

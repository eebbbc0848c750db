import type { Secret } from '../../../base/secret.ts';
import type { CertificateLife } from '../../../domain/credential/certificate-life.ts';
import type { ClientKey } from '../../../domain/credential/client-key.ts';
import type { HeldKey } from '../../../platform/network/held-tls.ts';
import type { CertificateWithKey } from '../../../ports/account.ts';
import type { HeldClientKey } from './held-client-key.ts';

/** What a client certificate is in TLS (RFC 8705): its key is there, or stays on a token. */
export type ClientCertificate = (CertificateWithKey | HeldKey) & { life: CertificateLife };

/** What the client proves itself with before its secret, the first first. A certificate is shown in TLS in any case. */
export interface ClientProof {
  /** A JWT that another system has signed (RFC 7523). */
  assertion: Secret | null;
  key: ClientKey | HeldClientKey | null;
  certificate: ClientCertificate | null;
}

import { X509Certificate } from 'node:crypto';
import { certificateLife } from '../domain/credential/certificate-life.ts';
import type { Credential } from '../ports/account.ts';
import type { HistoryEvent } from '../ports/history.ts';

/**
 * The age of the certificate of `before`, from its NotBefore, in milliseconds, where `next` has another one or none;
 * null: there was none, or it stays. The first of the chain counts, as in client-go.
 */
export function replacedCertificateAge(
  before: Credential,
  next: Credential,
  why: Extract<HistoryEvent, { kind: 'generation' }>['why'],
  now: number,
): number | null {
  const chain = before.certificate?.chainPem;
  if (chain === undefined || chain === next.certificate?.chainPem) {
    return null;
  }
  if ((before.noExpiry?.onlyFor ?? null) !== null && why !== 'rejected') {
    // Kept for the life of one client (KEP-541): the next client's is another one, and replaces nothing.
    return null;
  }
  try {
    return now - certificateLife(new X509Certificate(chain)).issuedAt;
  } catch {
    // Doors don't issue invalid certificates, as accounts don't accept them.
    return null;
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../base/secret.ts';
import { proofText } from '../../../contract/ui/handshake.ts';

/** What a proof is over: recorded on one connection, or at one port, it is of no use on another. */
export interface ProofParts {
  host: string;
  brokerNonce: string;
  pageNonce: string;
}

/** The proof that its maker has `secret`, 32 bytes in base64url; in base64url. */
export function prove(secret: Secret, what: 'page' | 'broker' | 'session', parts: ProofParts): string {
  const key = Buffer.from(secret.reveal(), 'base64url');
  return createHmac('sha256', key).update(proofText(what, parts)).digest('base64url');
}

/** Takes the same time however much of it is right. */
export function isProof(given: string, secret: Secret, parts: ProofParts): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(prove(secret, 'page', parts))];
  return one.length === other.length && timingSafeEqual(one, other);
}

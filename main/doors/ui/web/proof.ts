import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../base/secret.ts';
import { proofText } from '../../../contract/ui/handshake.ts';

/** The parts that a proof covers: recorded on one connection or port, it is useless on another. */
export interface ProofParts {
  host: string;
  brokerNonce: string;
  pageNonce: string;
}

/** The proof that its sender has `secret`. Secret and proof are 32 bytes in base64url. */
export function prove(secret: Secret, what: 'page' | 'broker' | 'session', parts: ProofParts): string {
  const key = Buffer.from(secret.reveal(), 'base64url');
  return createHmac('sha256', key).update(proofText(what, parts)).digest('base64url');
}

/** Takes constant time, however much of the proof is right. */
export function isProof(given: string, secret: Secret, parts: ProofParts): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(prove(secret, 'page', parts))];
  return one.length === other.length && timingSafeEqual(one, other);
}

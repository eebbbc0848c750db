import { proofText } from '../../main/contract/ui/handshake.ts';

/** The content that a proof covers. */
export interface ProofParts {
  host: string;
  brokerNonce: string;
  pageNonce: string;
}

/** Proofs by one secret (32 bytes in base64url), with WebCrypto. */
export interface Proofs {
  /** The page's proof. */
  page(parts: ProofParts): Promise<string>;
  /** Whether the broker has the same secret. Compares in constant time. */
  isBrokers(proof: string, parts: ProofParts): Promise<boolean>;
  /** The secret of the session that replaces the ticket. */
  sessionSecret(parts: ProofParts): Promise<string>;
}

export async function proofsOf(secret: string, { subtle }: Pick<Crypto, 'subtle'>): Promise<Proofs> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', fromBase64Url(secret), algorithm, false, ['sign', 'verify']);
  const text = (what: 'page' | 'broker' | 'session', parts: ProofParts) =>
    new TextEncoder().encode(proofText(what, parts));
  const sign = async (what: 'page' | 'session', parts: ProofParts) =>
    toBase64Url(new Uint8Array(await subtle.sign('HMAC', key, text(what, parts))));
  return {
    page: (parts) => sign('page', parts),
    isBrokers: (proof, parts) => subtle.verify('HMAC', key, fromBase64Url(proof), text('broker', parts)),
    sessionSecret: (parts) => sign('session', parts),
  };
}

export function newNonce(crypto: Pick<Crypto, 'getRandomValues'>): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

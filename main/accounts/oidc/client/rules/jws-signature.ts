/** TLS’s signature schemes (RFC 8446, section 4.2.3) as JWS names them (RFC 7518, section 3.1), in the order that most providers accept. */
const schemes: readonly (readonly [algorithm: string, scheme: number, ecdsaBytes?: number])[] = [
  ['ES256', 0x0403, 32],
  ['ES384', 0x0503, 48],
  // The one that all must support (OpenID Connect Core, 15.1).
  ['RS256', 0x0401],
  ['PS256', 0x0804],
  ['RS384', 0x0501],
  ['PS384', 0x0805],
  ['RS512', 0x0601],
  ['PS512', 0x0806],
];

/** What a key that signs by these schemes of TLS can sign in JWS, best first. */
export function jwsAlgorithms(of: readonly number[]): string[] {
  return schemes.flatMap(([algorithm, scheme]) => (of.includes(scheme) ? [algorithm] : []));
}

/** Null: a token’s key has no such signature. */
export function schemeOf(algorithm: string): number | null {
  return schemes.find(([name]) => name === algorithm)?.[1] ?? null;
}

/**
 * The signature as JWS has it: ECDSA’s r and s, each as long as the curve’s numbers (RFC 7518, section 3.4), of its DER
 * (RFC 3279, section 2.2.3). Null: it is no such DER.
 */
export function jwsSignature(algorithm: string, signature: Uint8Array): Uint8Array | null {
  const bytes = schemes.find(([name]) => name === algorithm)?.[2];
  return bytes === undefined ? signature : joined(signature, bytes);
}

const sequence = 0x30;
const integer = 0x02;

function joined(der: Uint8Array, bytes: number): Uint8Array | null {
  const whole = element(der, sequence);
  const r = whole && whole.rest.length === 0 ? element(whole.content, integer) : null;
  const s = r && element(r.rest, integer);
  if (!r || !s || s.rest.length > 0) {
    return null;
  }
  const numbers = [r.content, s.content].map((number) => sized(number, bytes));
  return numbers.some((number) => number === null) ? null : Buffer.concat(numbers.filter((each) => !!each));
}

/** Short lengths alone: the longest is that of two numbers of P-384 (104 bytes). */
function element(der: Uint8Array, tag: number): { content: Uint8Array; rest: Uint8Array } | null {
  const [found, length] = der;
  return found === tag && length !== undefined && length < 0x80 && der.length >= 2 + length
    ? { content: der.subarray(2, 2 + length), rest: der.subarray(2 + length) }
    : null;
}

function sized(number: Uint8Array, bytes: number): Uint8Array | null {
  // A zero before it says that it isn’t negative.
  const bare = number[0] === 0 ? number.subarray(1) : number;
  return bare.length > bytes ? null : Buffer.concat([Buffer.alloc(bytes - bare.length), bare]);
}

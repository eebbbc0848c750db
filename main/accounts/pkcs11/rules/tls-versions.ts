/** RSA’s PKCS#1: TLS 1.3 takes no signature of that (RFC 8446, section 4.2.3). */
const pkcs1: readonly number[] = [0x0401, 0x0501, 0x0601];

/** The versions of TLS in which a key connects that signs by these schemes. */
export function tlsVersions(schemes: readonly number[]): ('1.2' | '1.3')[] {
  return schemes.length === 0 ? [] : schemes.every((each) => pkcs1.includes(each)) ? ['1.2'] : ['1.2', '1.3'];
}

/** RFC 8446, section 4.4.3: what a client signs begins so, and a hash of the handshake follows. */
const tls13 = Buffer.from(`${' '.repeat(64)}TLS 1.3, client CertificateVerify\0`, 'latin1');
/** SHA-256 and SHA-384: those of TLS 1.3’s cipher suites. */
const hashLengths: readonly number[] = [32, 48];
/** Handshake types of RFC 5246, section 7.4. */
const [clientHello, serverHello] = [1, 2] as const;
/** A handshake’s message: its type, and its length in three bytes. */
const headLength = 4;

/**
 * Whether a text to be signed is what a client signs in a TLS handshake, of TLS 1.3 or 1.2 (all messages so far, RFC 5246,
 * section 7.4.8). A key that signs for TLS must sign nothing else for whoever asks, such as a JWT.
 */
export function isHandshakeText(message: Buffer): boolean {
  if (message.subarray(0, tls13.length).equals(tls13)) {
    return hashLengths.includes(message.length - tls13.length);
  }
  if (message.length < headLength || message[0] !== clientHello) {
    return false;
  }
  return message[headLength + message.readUIntBE(1, 3)] === serverHello;
}

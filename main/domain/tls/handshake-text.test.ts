import { expect, it } from 'vitest';
import { isHandshakeText } from './handshake-text.ts';

const tls13 = (context: string, hash: number) =>
  Buffer.concat([Buffer.from(' '.repeat(64)), Buffer.from(`${context}\0`), Buffer.alloc(hash, 0xab)]);
/** A handshake’s message: type, length, body. */
const part = (type: number, length: number) => {
  const head = Buffer.from([type, 0, length >> 8, length & 255]);
  return Buffer.concat([head, Buffer.alloc(length, 7)]);
};

// RFC 8446, section 4.4.3; RFC 5246, sections 7.4 and 7.4.8.
it.each<[string, Buffer, boolean]>([
  ['a client’s of TLS 1.3, SHA-256', tls13('TLS 1.3, client CertificateVerify', 32), true],
  ['a client’s of TLS 1.3, SHA-384', tls13('TLS 1.3, client CertificateVerify', 48), true],
  ['a server’s of TLS 1.3', tls13('TLS 1.3, server CertificateVerify', 32), false],
  ['of TLS 1.3 with more behind its hash', tls13('TLS 1.3, client CertificateVerify', 33), false],
  ['of TLS 1.2', Buffer.concat([part(1, 300), part(2, 80), part(11, 900)]), true],
  ['that ends with a hello', part(1, 300), false],
  ['whose second message is no server’s hello', Buffer.concat([part(1, 300), part(11, 80)]), false],
  ['a JWT’s', Buffer.from('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJrdWJlIn0'), false],
  ['nothing', Buffer.alloc(0), false],
  ['two bytes', Buffer.from([1, 0]), false],
])('tells a handshake’s text: %s', (_, message, isOne) => {
  expect(isHandshakeText(message)).toBe(isOne);
});

import { expect, test } from 'vitest';
import { httpFailureOf } from './http-failure.ts';

test.each([
  // Of OpenSSL 3.5, and of those before.
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'clientCertificate'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'clientCertificate'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'clientCertificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'clientCertificate'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['CERT_HAS_EXPIRED', 'certificateDates'],
])('%s is %s', (code, kind) => {
  expect(httpFailureOf(Object.assign(new Error('x'), { code }), true).kind).toBe(kind);
});

import type { CertificateView } from '../../main/contract/ui/credential.ts';

/** An invented certificate. */
export function sampleCertificate(about: Partial<CertificateView>): CertificateView {
  return {
    subject: 'CN=dev',
    issuer: 'CN=kubernetes',
    serial: '3f9a27c481',
    notBefore: 0,
    notAfter: 0,
    key: 'EC P-256',
    fingerprint: Array.from({ length: 32 }, (_, index) =>
      ((index * 37 + 59) % 256).toString(16).padStart(2, '0'),
    ).join(':'),
    ...about,
  };
}

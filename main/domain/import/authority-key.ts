/**
 * A CA as text to compare by: its certificates sorted, each once; empty for the system's CAs. `pem` is in the form of
 * `parseCertificates`, in which equal certificates are equal texts, so nothing is parsed here.
 */
export function authorityKey(pem: string | null): string {
  const end = '-----END CERTIFICATE-----\n';
  if (pem === null || pem.indexOf(end) === pem.length - end.length) {
    return pem ?? '';
  }
  return [...new Set(pem.split(end))].sort().join(end);
}

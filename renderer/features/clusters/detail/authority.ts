/** The CAs of a pasted text in the form of config.yaml, or why there are none. */
export type PastedAuthority = { ok: true; data: string } | { ok: false; fault: string };

const certificate = /-----BEGIN CERTIFICATE-----\s[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * Reads PEM, or base64 of PEM as in kubeconfigs. Takes only certificates, so that nothing else that was copied with
 * them leaves the page.
 */
export function pastedAuthority(text: string): PastedAuthority {
  const pem = text.includes('-----BEGIN') ? text : (fromBase64(text.replace(/\s/g, '')) ?? '');
  if (pem.includes('PRIVATE KEY-----')) {
    return { ok: false, fault: 'there is a private key in it: only certificates belong here' };
  }
  const found = pem.match(certificate);
  return found
    ? { ok: true, data: btoa(found.map((each) => `${each.replace(/\r/g, '')}\n`).join('')) }
    : { ok: false, fault: 'there is no certificate in it: paste PEM, or certificate-authority-data' };
}

/** The PEM in the data of config.yaml. Empty if it isn't PEM. */
export function pemOf(data: unknown): string {
  return typeof data === 'string' ? (fromBase64(data) ?? '') : '';
}

function fromBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}

import { type Advice, adviceText } from './advice.ts';

/** What to check when a cluster answers 401: what its API server trusts depends on the kind of credential. */
export function rejectedHint(of: {
  hasCertificate: boolean;
  /** The audience of its token; null: none is stated, or there is no token. */
  audiences: readonly string[] | null;
  /** How the user replaces it; undefined: by a login, or a plugin gets it. */
  replacedBy?: Advice | undefined;
}): string {
  const { hasCertificate, audiences, replacedBy } = of;
  const another = replacedBy ? `; to replace it: ${adviceText(replacedBy)}` : '';
  if (hasCertificate) {
    return `does the server trust the CA that issued the certificate (--client-ca-file)?${another}`;
  }
  return audiences === null
    ? `does the server still know this token?${another}`
    : `does the server trust this token’s issuer, and its audience?${another}`;
}

import { Secret } from '../../../base/secret.ts';

/** A client's assertion, an exchanged token: what is signed for one request has no name here. */
const anyJwt = /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)*/g;

/** What may be base64 of a client's name and secret (RFC 6749, 2.3.1). */
const anyBase64 = /[\w+/-]{12,}={0,2}/g;

const hidden = String(new Secret(''));

/**
 * `text` of a provider without `secrets`, in any form that the provider was told them: as they are, as a form has
 * them, within Basic authentication. Before anything is cut off: half a token is a secret, too.
 */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const forms = secrets
    .filter((secret) => !secret.isEmpty)
    .flatMap((secret) => formsOf(secret.reveal()))
    // The longest first: one form may be a part of another.
    .sort((one, other) => other.length - one.length);
  return forms
    .reduce((rest, form) => rest.replaceAll(form, hidden), text)
    .replace(anyJwt, hidden)
    .replace(anyBase64, (word) => {
      const decoded = Buffer.from(word, 'base64').toString();
      return forms.some((form) => decoded.includes(form)) ? hidden : word;
    });
}

function formsOf(value: string): string[] {
  return [
    ...new Set([value, encodeURIComponent(value), new URLSearchParams([['', value]]).toString().slice(1)]),
  ];
}

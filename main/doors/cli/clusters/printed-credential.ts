import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { plainJson } from '../../../domain/text/plain-json.ts';
import type { Grant } from '../../../grants/grant.ts';
import type { Clock } from '../../../ports/clock.ts';
import { execCredentialText } from '../../exec-credential-text.ts';

/** What `exec-credential` can print. */
export const outputForms = ['json', 'token', 'header'] as const;
export type OutputForm = (typeof outputForms)[number];

export function isOutputForm(text: string): text is OutputForm {
  return outputForms.some((form) => form === text);
}

/** The credential as text for stdout; a refusal where it has no such form. */
export function printed(
  form: OutputForm,
  { account }: { account: string },
  grant: Grant,
  clock: Clock,
): { ok: true; text: string } | Refusal {
  const { token } = grant.credential;
  if (form === 'json') {
    const made = execCredentialText('client.authentication.k8s.io/v1', grant, account, clock);
    return made.ok ? { ok: true, text: plainJson(made.text) } : made;
  }
  const value = token?.reveal();
  if (value === undefined) {
    return noToken(form, account);
  }
  // RFC 9110, section 5.5: a line's end in it would begin another header, and a space another word.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    return refuse(
      'provider',
      'execCredential.token',
      `the token of ${account} holds characters that no token may have`,
      'ask for it with --output json',
    );
  }
  return { ok: true, text: form === 'token' ? `${value}\n` : `Authorization: Bearer ${value}\n` };
}

export function noToken(form: OutputForm, account: string): Refusal {
  return refuse(
    'usage',
    'execCredential.noToken',
    `exec-credential: --output ${form} is for tokens, and the credential of ${account} is a certificate with its key`,
    'ask for it with --output json, or let the client use the kubeconfig',
  );
}

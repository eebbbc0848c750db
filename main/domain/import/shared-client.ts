import { visibleText } from '../text/visible-text.ts';

/** The note for an account that logs in as the same client of a provider as another program. */
export function sharedClientNote(clientId: string): string {
  return `kubelogin and Lanyard log in as the same client (${visibleText(clientId, 100)}): where the provider keeps one refresh token per client and user, as Dex does, a login of one ends the session of the other. Use one of them, or give Lanyard its own client ID`;
}

import type { RenewedGrantView } from '../../main/contract/ui/calls/clusters.ts';
import { renewedWords } from '../../main/contract/ui/renewed-words.ts';
import type { Toasts } from './toast.tsx';

/** Reports what became of a click on Renew now. It stays until it is closed where something wasn’t renewed. */
export function showRenewed(toast: Toasts, cluster: string, renewed: readonly RenewedGrantView[]): void {
  const { text, detail, hasFailed } = renewedWords(cluster, renewed);
  if (hasFailed) {
    toast.fail({ message: text, ...(detail !== null && { hint: detail }) });
  } else {
    toast.show(text, detail ?? undefined);
  }
}

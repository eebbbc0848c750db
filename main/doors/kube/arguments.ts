import { parseArgs } from 'node:util';
import { type Refusal, refuse } from '../../contract/refusal.ts';

const usage = 'lanyard kube-credential --account NAME [--cluster NAME]';

/** What follows `kube-credential` in a kubeconfig's `args`. */
export function parseKubeArguments(
  args: readonly string[],
): { ok: true; account: string; cluster: string | null } | Refusal {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { account: { type: 'string' }, cluster: { type: 'string' } },
      strict: true,
    });
    return values.account
      ? { ok: true, account: values.account, cluster: values.cluster ?? null }
      : refuse('usage', 'kube.usage', 'kube-credential needs --account', `usage: ${usage}`);
  } catch (error) {
    const what = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    return refuse('usage', 'kube.usage', `kube-credential: ${what}`, `usage: ${usage}`);
  }
}

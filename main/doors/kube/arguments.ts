import { parseArgs } from 'node:util';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { argumentFault } from '../../domain/text/argument-fault.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Names in config.yaml are shorter (contract/config/names.ts). */
const longestName = 256;
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
    // Longer than any name: it is a stranger's, and goes into the log.
    if ([values.account, values.cluster].some((name) => name !== undefined && name.length > longestName)) {
      return refuse('usage', 'kube.usage', 'kube-credential: a name is too long', `usage: ${usage}`);
    }
    return values.account
      ? { ok: true, account: values.account, cluster: values.cluster ?? null }
      : refuse('usage', 'kube.usage', 'kube-credential needs --account', `usage: ${usage}`);
  } catch (error) {
    return refuse(
      'usage',
      'kube.usage',
      `kube-credential: ${visibleText(argumentFault(error), 300)}`,
      `usage: ${usage}`,
    );
  }
}

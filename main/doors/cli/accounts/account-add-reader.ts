import { type AccountKind, accountKinds } from '../../../contract/config/accounts/account.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { type CommandCall, usageError } from '../command.ts';
import { addedAnswer, clusterAddLine, type EditDeps, editConfig, given } from '../edit-config.ts';
import { seconds } from './exec-plugin-options.ts';

/** What makes an account that reads Secrets of a hub. One of the first two is given. */
export interface ReaderOptions {
  'secret-reader'?: string | undefined;
  'kubeconfig-secret-reader'?: string | undefined;
  namespace?: string | undefined;
  key?: string | undefined;
  cache?: string | undefined;
}

/** `lanyard account add NAME --secret-reader CLUSTER …`, or `--kubeconfig-secret-reader` */
export async function addSecretReader(
  call: CommandCall,
  name: string,
  options: ReaderOptions,
  deps: EditDeps,
): Promise<DoorAnswer> {
  const { 'secret-reader': token, 'kubeconfig-secret-reader': kubeconfig, namespace, key, cache } = options;
  const kind = token === undefined ? 'kubeconfigSecretReader' : 'secretReader';
  if (namespace === undefined) {
    throw usageError('account add', 'it needs --namespace: the namespace of the Secrets');
  }
  if (kind === 'kubeconfigSecretReader' && key !== undefined) {
    throw usageError('account add', '--key: each cluster’s execConfig names the key of its kubeconfig');
  }
  const reader = given({
    cluster: token ?? kubeconfig,
    namespace,
    key,
    cacheSeconds: seconds('cache', cache),
  });
  mustSuit(kind, reader, { cluster: token === undefined ? '--kubeconfig-secret-reader' : '--secret-reader' });
  const saved = await editConfig(
    call,
    { kind: 'set', what: 'account', name, value: { [kind]: reader } },
    deps,
  );
  const execConfig = token === undefined ? '{"name":"SECRET","key":"KEY"}' : '{"clusterName":"SECRET"}';
  return addedAnswer(`account ${name}`, `${clusterAddLine(name)} --exec-config '${execConfig}'`, saved);
}

/** What config.yaml would not take, by the option that said it. */
function mustSuit(kind: AccountKind, value: object, options: Readonly<Record<string, string>>): void {
  const [issue] = accountKinds[kind].safeParse(value).error?.issues ?? [];
  if (issue) {
    const field = String(issue.path[0]);
    const option = options[field] ?? (field === 'cacheSeconds' ? '--cache' : `--${field}`);
    throw usageError('account add', `${option}: ${issue.message}`);
  }
}

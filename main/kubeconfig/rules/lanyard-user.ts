import { parseArgs } from 'node:util';
import type { KubeExec } from '../../domain/import/kubeconfig.ts';

/** For whom a kubeconfig's user asks Lanyard; null: it runs something else. */
export function lanyardUser(exec: KubeExec | null): { account: string; cluster: string | null } | null {
  const program = exec?.command.replaceAll('\\', '/').split('/').at(-1);
  if (!exec || !/^lanyard(\.exe)?$/i.test(program ?? '')) {
    return null;
  }
  const [word, ...rest] = exec.args.map((each) => each.reveal());
  if (word !== 'kube-credential') {
    return null;
  }
  const { values } = parseArgs({
    args: rest,
    options: { account: { type: 'string' }, cluster: { type: 'string' } },
    strict: false,
  });
  const { account, cluster } = values;
  return typeof account === 'string' && account !== ''
    ? { account, cluster: typeof cluster === 'string' ? cluster : null }
    : null;
}

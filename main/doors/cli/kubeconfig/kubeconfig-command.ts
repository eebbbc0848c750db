import type { WriteManagedKubeconfig } from '../../../kubeconfig/write-managed-kubeconfig.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, parseWords, usageError } from '../command.ts';

export interface KubeconfigCommandDeps {
  directory: Pick<Directory, 'clusters' | 'cluster'>;
  gate: Gate;
  write: WriteManagedKubeconfig;
  path: string;
}

/** `lanyard kubeconfig write [--api-version v1|v1beta1]`: prints the path of the managed kubeconfig. */
export function kubeconfigWriteCommand(deps: KubeconfigCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('kubeconfig write', call.args, [], { 'api-version': { type: 'string' } });
    const apiVersion = values['api-version'] ?? 'v1';
    if (apiVersion !== 'v1' && apiVersion !== 'v1beta1') {
      throw usageError('kubeconfig write', '--api-version is v1 or v1beta1');
    }
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const clusters = deps.directory.clusters();
    const usable = clusters.filter((cluster) => deps.directory.cluster(cluster.name).ok);
    const warnings = await deps.write(usable, apiVersion);
    const left = clusters.length - usable.length;
    if (left > 0) {
      warnings.push(
        `${left === 1 ? '1 cluster of config.yaml is pending approval and was' : `${left} clusters of config.yaml are pending approval and were`} left out: lanyard confirm`,
      );
    }
    return done(
      deps.path,
      warnings.length > 0 ? warnings.map((line) => `lanyard: ${line}`).join('\n') : undefined,
    );
  };
}

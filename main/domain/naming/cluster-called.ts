import { BrokerError } from '../../contract/broker-error.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import { visibleText } from '../text/visible-text.ts';

/** A cluster of config.yaml, by what is asked of it here. */
interface Called {
  name: string;
  config: Pick<ClusterConfig, 'aliases'>;
}

/**
 * The name of the cluster that a user calls `said`: a name goes before any alias. `said` itself where no cluster has it.
 * Throws BrokerError where it is an alias of several. A page can set aliases without an approval: it is only for what
 * shows or filters, and for the user’s own login. What issues or sends a credential, or removes, takes the name alone.
 */
export function clusterCalled(said: string, clusters: Iterable<Called>): string {
  const all = [...clusters];
  if (all.some(({ name }) => name === said)) {
    return said;
  }
  const found = all.filter(({ config }) => config.aliases?.includes(said)).map(({ name }) => name);
  if (found.length > 1) {
    throw new BrokerError('cluster.alias', `"${visibleText(said)}" is an alias of ${found.join(' and ')}`, {
      reason: 'usage',
      hint: 'use the name of the one that you mean',
    });
  }
  return found[0] ?? said;
}

/** `said` as the name alone: an alias could name another cluster than the user means. Throws BrokerError for an alias. */
export function clusterNamed(said: string, clusters: Iterable<Called>): string {
  const name = clusterCalled(said, clusters);
  if (name !== said) {
    throw new BrokerError('cluster.alias', `"${visibleText(said)}" is an alias of ${name}: use the name`, {
      reason: 'usage',
    });
  }
  return name;
}

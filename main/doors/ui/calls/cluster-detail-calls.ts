import { raceAbort } from '../../../base/abort.ts';
import { SingleFlight } from '../../../base/single-flight.ts';
import { refusalError } from '../../../contract/broker-error.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { type AskWhoAmIDeps, askWhoAmI, type WhoAmIAnswer } from '../../../operations/ask-who-am-i.ts';
import { readLastCalls } from '../../../operations/last-calls.ts';
import type { Account, Obtained } from '../../../ports/account.ts';
import type { ConfigStore, LoadedCluster } from '../../../ports/config-store.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import type { UiHandlers } from '../handlers.ts';
import { viewCredential } from '../rules/credential-view.ts';

export interface ClusterDetailCallsDeps extends AskWhoAmIDeps {
  config: Pick<ConfigStore, 'current'>;
  history: { reader: Pick<HistoryReader, 'events'> };
  /** The cached credential, even an expired one. Contacts no provider, plugin or user. */
  look(account: Account, cluster: LoadedCluster): Promise<Obtained>;
  /** With which variables its callers requested what is in use: names alone. */
  variablesInUse(cluster: LoadedCluster): readonly (readonly string[])[];
}

type Names = 'cluster.credential' | 'cluster.whoAmI' | 'cluster.lastCalls';

/** The details of one cluster. */
export function createClusterDetailCalls(deps: ClusterDetailCallsDeps): Pick<UiHandlers, Names> {
  // However often a page asks, one request at a time per cluster sends the credential.
  const asking = new SingleFlight<string, WhoAmIAnswer>();
  const clusterOf = (name: string): LoadedCluster => {
    const { clusters } = deps.config.current();
    const found = clusters.get(name);
    if (!found) {
      throw unknownName('cluster', name, clusters.keys());
    }
    return found;
  };
  return {
    'cluster.credential': async ({ cluster: name }) => {
      const cluster = clusterOf(name);
      const shut = deps.gate();
      if (shut) {
        throw refusalError(shut);
      }
      const account = deps.directory.account(cluster.config.account);
      const held = account.ok ? await deps.look(account.account, cluster) : account;
      const configured = deps.config.current().accounts.get(cluster.config.account)?.config;
      return {
        credential: held.ok ? viewCredential(held.credential) : null,
        nothing: held.ok ? null : { message: held.message, hint: held.hint ?? null },
        plugin:
          configured && 'execPlugin' in configured
            ? {
                command: configured.execPlugin.command,
                forItsClientsAlone: held.ok && (held.credential.noExpiry?.onlyFor ?? null) !== null,
                variables: deps.variablesInUse(cluster).map((names) => [...names]),
              }
            : null,
      };
    },
    'cluster.whoAmI': ({ cluster }, { signal }) =>
      raceAbort(
        asking.run(cluster, () => askWhoAmI(cluster, deps)),
        signal,
      ),
    'cluster.lastCalls': ({ cluster, most }) =>
      readLastCalls(clusterName(cluster), most, deps.history.reader),
  };
}

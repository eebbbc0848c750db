import { hash } from 'node:crypto';
import { RecentValues } from '../../base/recent-values.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { createKeptShapes, shapeOfKind } from '../../domain/approval/kind-rules.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import {
  type SecretReference,
  secretReaderOf,
  secretReferenceOf,
} from '../../domain/inventory/secret-reader.ts';
import type { ServerRewriteConfig } from '../../domain/inventory/server-rewrite.ts';
import type { LoadedAccount, LoadedCluster } from '../../domain/loaded-config.ts';
import { createDestinationMatcher } from '../../domain/server/destination.ts';
import { clusterName } from '../../domain/target/target.ts';
import { observe } from '../../domain/text/finding.ts';
import type { Account, AccountState, Attendant, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HubSecrets } from '../../ports/hub-secrets.ts';
import { observeRefusal } from '../observe.ts';
import { withoutExpiry } from '../plugins/without-expiry.ts';
import { credentialInKubeconfig, tokenIn } from './read-value.ts';

export interface SecretReaderDeps {
  account: LoadedAccount;
  clock: Pick<Clock, 'now'>;
  hubs: HubSecrets;
  /** `serverRewrites` of an inventory. */
  rewritesOf(inventory: string): readonly ServerRewriteConfig[];
}

/** So many clusters are known at a time. */
const clusterLimit = 2_048;

/** The hub’s own credential may have to come first, from a provider or a plugin. */
const renewalLimitMilliseconds = 90_000;

/**
 * The community’s plugins secretreader and kubeconfig-secretreader as accounts (KEP-4322): for each cluster a Secret of a
 * hub has its credential. The hub and the namespace are the account’s; the Secret’s name is in the cluster’s `execConfig`.
 * It caches nothing: the grants cache what it reads, in memory.
 */
export function createSecretReaderAccount({ account, clock, hubs, rewritesOf }: SecretReaderDeps): Account {
  const { name } = account;
  const reader = secretReaderOf(account.config);
  if (reader === null) {
    throw new BrokerError('account.kind', `account ${name} reads no Secrets`);
  }
  const { kind } = reader;
  const ownShape = shapeOfKind('account', account);
  // Asked for with each call: a cluster's CA is read once.
  const shapeOf = createKeptShapes();
  const matcher = createDestinationMatcher();
  const shaped = new RecentValues<Account>(clusterLimit);
  /** What was wrong at the last reading, whichever cluster it was for; undefined: nothing was read yet. */
  let last: string | null | undefined;

  const read = async (
    reference: SecretReference,
    cluster: LoadedCluster,
    clients: () => readonly string[],
    signal: AbortSignal,
  ): Promise<Obtained> => {
    const found = await hubs.read(name, reader.cluster, reference, signal);
    if (!found.ok) {
      return found;
    }
    const value =
      kind === 'secretReader'
        ? tokenIn(found.text, reference)
        : credentialInKubeconfig(found.text, reference, cluster, {
            matcher,
            rewrites: cluster.origin ? rewritesOf(cluster.origin.inventory) : [],
          });
    const where = `the Secret ${reference.namespace}/${reference.name} of the hub ${reader.cluster}`;
    if (!value.ok) {
      return refuse('provider', `secretReader.${value.code}`, `${where} ${value.fault}`);
    }
    const now = clock.now();
    const made = withoutExpiry(value.credential, {
      now,
      cacheSeconds: reader.cacheSeconds,
      clients: clients(),
    });
    return made.ok
      ? made
      : refuse(
          'provider',
          'secretReader.expired',
          `${where} has a credential that expired at ${clockText(made.expiredAt, now)}`,
          'is this machine’s clock right? else the hub has to renew the Secret',
        );
  };

  const state = async (): Promise<AccountState> => {
    const about = { kind, subject: null, issuer: null, expiresAt: null } as const;
    const hub = hubs.hub(name, reader.cluster);
    if (!hub.ok) {
      return { ...about, state: hub.reason === 'locked' ? 'locked' : 'invalid', problem: hub.message };
    }
    const problem = last ?? null;
    return { ...about, state: problem === null ? 'ready' : 'failing', problem };
  };

  const forCluster = (key: string, cluster: LoadedCluster, reference: SecretReference): Account => {
    const waiting = new Set<Attendant>();
    return {
      name,
      kind,
      shape: { key, target: clusterName(cluster.name) },
      keepsNothing: true,
      backoff: shortBackoff,
      renewalLimitMilliseconds,
      attend(attendant) {
        // Each entry is its own: one caller may wait twice.
        const own = { ...attendant };
        waiting.add(own);
        return () => waiting.delete(own);
      },
      current: async () => null,
      async renew(signal) {
        const clients = () => [...waiting].flatMap(({ client }) => (client === null ? [] : [client]));
        const obtained = await read(reference, cluster, clients, signal);
        last = obtained.ok ? null : obtained.message;
        return obtained;
      },
      state,
    };
  };

  return {
    name,
    kind,
    keepsNothing: true,
    async shapedBy({ target }) {
      const { cluster } = target;
      if (cluster === null) {
        return refuse(
          'notPermitted',
          'secretReader.noCluster',
          `${name} has credentials of clusters, and ${target.name} is none`,
        );
      }
      const found = secretReferenceOf(reader, cluster.config.execConfig);
      if (!found.ok) {
        return refuse(
          'notPermitted',
          'secretReader.noSecret',
          `the cluster ${cluster.name} ${found.fault}`,
          `${name} reads a Secret for each cluster: see execConfig in the guide, Secrets of a hub`,
        );
      }
      const hub = hubs.hub(name, reader.cluster);
      if (!hub.ok) {
        return hub;
      }
      // With the hub and the account as they are: what an earlier configuration reads late is not this one's.
      const inputs = [ownShape, shapeOf('cluster', hub.cluster), cluster.name, shapeOf('cluster', cluster)];
      const key = hash('sha256', JSON.stringify(inputs), 'base64');
      return { ok: true, account: shaped.of(key, () => forCluster(key, cluster, found.reference)) };
    },
    current: async () => null,
    renew: async () =>
      refuse(
        'internal',
        'secretReader.unshaped',
        `what ${name} reads depends on the cluster, and no cluster was given`,
      ),
    state,
    async examine() {
      const hub = hubs.hub(name, reader.cluster);
      if (!hub.ok) {
        return [observeRefusal('account.hub', hub)];
      }
      const found = observe('account.hub').ok(
        `it reads Secrets in the namespace ${reader.namespace} of the hub ${reader.cluster}`,
      );
      const secret = observe('account.secret');
      return last === undefined
        ? [found]
        : [found, last === null ? secret.ok('the last Secret had a credential') : secret.warning(last)];
    },
  };
}

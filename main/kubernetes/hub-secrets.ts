import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import { readerLoop } from '../domain/inventory/secret-reader.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Grants } from '../grants/grants.ts';
import { statusVerdict } from '../grants/status-verdict.ts';
import { failureText } from '../platform/network/failure-text.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { Credential } from '../ports/account.ts';
import type { HubSecrets, SecretValue } from '../ports/hub-secrets.ts';
import { askableCluster, type ClusterCredentialDeps, clusterCredential } from './cluster-credential.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { type ReadSecret, readSecret } from './read-secret.ts';

export interface HubSecretsDeps extends ClusterCredentialDeps {
  grants: Pick<Grants, 'obtain' | 'saw'>;
  /** The broker’s, for its proxies. */
  reach: ClusterReach;
  /** The account of an account’s hub, as both are active; null: it reads no Secrets, or its hub is unknown. */
  accountOfHub(account: string): string | null;
}

/** How long to wait for the hub’s answer, in milliseconds: a client waits behind it. */
const limitMilliseconds = 15_000;

/** Reads Secrets of hubs. Each answer counts like one to a client of that cluster (rule: inferred-401). */
export function createHubSecrets(deps: HubSecretsDeps): HubSecrets {
  let asked = 0;

  const hub = (account: string, cluster: string) => {
    // config.yaml has none, but what is active of it may be of two readings.
    const loop = readerLoop(account, deps.accountOfHub);
    return loop ? refuseLoop(loop) : askableCluster(cluster, deps);
  };

  const once = async (name: string, asker: string, value: SecretValue, signal: AbortSignal) => {
    const found = await clusterCredential(name, asker, deps, signal);
    if (!found.ok) {
      return { ...found, message: `the hub ${name} can’t be asked for a Secret: ${found.message}` };
    }
    const { cluster, credential } = found;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMilliseconds)]);
    const seen = await readSecret(cluster, credential, deps.reach, value, limited);
    const verdict = statusVerdict(seen.kind === 'status' ? seen.status : 200);
    await deps.grants.saw(clusterTarget(cluster), credential, verdict);
    return { ok: true, cluster, credential, seen } as const;
  };

  return {
    hub,
    async read(account, name, value, signal) {
      const known = hub(account, name);
      if (!known.ok) {
        return known;
      }
      const asker = `secret reader ${++asked}`;
      try {
        let answer = await once(name, asker, value, signal);
        if (answer.ok && isRejected(answer.seen)) {
          // The same asker: what a client does that was told 401.
          const again = await once(name, asker, value, signal);
          answer = again.ok ? again : answer;
        }
        return answer.ok ? resultOf(answer, value) : answer;
      } catch (error) {
        return error instanceof HttpFailure ? unreachable(known.cluster, error) : toRefusal(error);
      }
    },
  };
}

function isRejected(seen: ReadSecret): boolean {
  return seen.kind === 'status' && seen.status === 401;
}

function resultOf(
  { cluster, seen }: { cluster: LoadedCluster; credential: Credential; seen: ReadSecret },
  { namespace, name, key }: SecretValue,
): Awaited<ReturnType<HubSecrets['read']>> {
  const where = `the Secret ${namespace}/${name} of the hub ${cluster.name}`;
  switch (seen.kind) {
    case 'found':
      return { ok: true, text: seen.text };
    case 'noKey':
      return wrong('noKey', `${where} has no key ${key}`, 'its administrator has to add it');
    case 'notText':
      return wrong('notText', `the key ${key} in ${where} is not UTF-8 text`);
    case 'notASecret':
      return wrong('notASecret', `the hub ${cluster.name} answered with something else than ${where}`);
    case 'status':
      return { ...refusedBy(cluster, seen.status, { namespace, name }), ...waitOf(seen.retryAfterSeconds) };
  }
}

function waitOf(retryAfterSeconds: number | null) {
  return retryAfterSeconds === null ? {} : { retryAfterSeconds };
}

/** What a status means for the user. The server’s own words are not shown: who runs the hub chooses them. */
function refusedBy(
  { name: hub, config }: LoadedCluster,
  status: number,
  { namespace, name }: Pick<SecretValue, 'namespace' | 'name'>,
): Refusal {
  switch (status) {
    case 401:
      return wrong(
        'unauthorized',
        `the hub ${hub} doesn’t take the credential of ${config.account} (401)`,
        'check it: lanyard doctor',
      );
    case 403:
      return wrong(
        'forbidden',
        `the hub ${hub} doesn’t let ${config.account} read the Secret ${namespace}/${name} (403)`,
        `its administrator can allow it: the verb get on secrets in the namespace ${namespace}`,
      );
    case 404:
      return wrong('notFound', `the hub ${hub} has no Secret ${namespace}/${name} (404)`);
    case 429:
      return wrong('throttled', `the hub ${hub} has too many requests, and asks to wait (429)`);
    default:
      return wrong(
        'status',
        `the hub ${hub} answered with HTTP status ${status} to the question for the Secret ${namespace}/${name}`,
      );
  }
}

function unreachable({ name, config }: LoadedCluster, failure: HttpFailure): Refusal {
  const { host } = new URL(config.server);
  const reason = failure.kind === 'timeout' ? 'timedOut' : 'provider';
  const refusal = refuse(
    reason,
    'secretReader.unreachable',
    `the hub ${name} can’t be asked for a Secret: ${host} ${failureText(failure)}`,
    'see what is wrong: lanyard doctor',
  );
  return { ...refusal, ...waitOf(failure.retryAfterSeconds ?? null) };
}

function refuseLoop(loop: readonly string[]): Refusal {
  return refuse(
    'notPermitted',
    'secretReader.loop',
    `the credential for the hub would come from the account itself: ${loop.join(' → ')}`,
    'change the hub, or its account, in config.yaml',
  );
}

/** Not permitted or not found is the hub’s answer, not Lanyard’s: it may be another a minute later. */
function wrong(code: string, message: string, hint?: string): Refusal {
  return refuse('provider', `secretReader.${code}`, message, hint);
}

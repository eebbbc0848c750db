import type { Refusal } from '../../contract/refusal.ts';
import { tokenAudiences } from '../../domain/credential/token-audiences.ts';
import { observe } from '../../domain/text/finding.ts';
import { rejectedHint } from '../../domain/text/rejected-hint.ts';
import type { WhoAmI } from '../../kubernetes/who-am-i.ts';
import type { HttpFailure } from '../../platform/network/http-failure.ts';
import type { Account, Credential, Obtained } from '../../ports/account.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import { type Check, isPending, listed, type Observed } from '../check.ts';
import { observeFailure } from './unreachable.ts';

export interface ClusterCheckDeps {
  /** It is a profile of an inventory, which has a check for what is pending of all of them. */
  isProfile: boolean;
  gate(): Refusal | null;
  /** The approved cluster, or why it can’t be used. */
  cluster(name: string): { ok: true; cluster: LoadedCluster } | Refusal;
  account(name: string): { ok: true; account: Account } | Refusal;
  /** The cached credential; an expired one is renewed first, but never by a login. */
  credential(account: Account, cluster: LoadedCluster, signal: AbortSignal): Promise<Obtained>;
  reach(cluster: LoadedCluster, signal: AbortSignal): Promise<HttpFailure | null>;
  whoAmI(cluster: LoadedCluster, credential: Credential, signal: AbortSignal): Promise<WhoAmI>;
}

/** Checks one cluster: whether it can be reached, and the user’s name that it finds in the credential. */
export function clusterCheck(name: string, deps: ClusterCheckDeps): Check {
  return {
    group: 'clusters',
    name: 'cluster',
    subject: name,
    run: async (signal) => {
      const shut = deps.gate();
      if (shut) {
        return [observe('cluster').note(`not looked at: ${shut.message}`, shut.hint ?? null)];
      }
      // No request goes to a server that isn’t approved (rule: confirmed-binding).
      const known = deps.cluster(name);
      if (!known.ok) {
        return deps.isProfile || isPending(known)
          ? []
          : [observe('cluster').warning(known.message, known.hint ?? null)];
      }
      const { cluster } = known;
      const credential = await credentialFor(cluster, deps, signal);
      const seen = credential.ok
        ? await deps.whoAmI(cluster, credential.credential, signal)
        : await reached(cluster, deps, signal);
      if (seen !== null && seen.kind === 'unreachable') {
        return [...observeTrust(cluster), observeFailure(cluster, seen.failure)];
      }
      const found = [
        ...observeTrust(cluster),
        observe('cluster.reachable').ok(`${cluster.config.server} answers`),
      ];
      if (!credential.ok && isPending(credential)) {
        return found;
      }
      if (!credential.ok || seen === null) {
        const why = credential.ok ? '' : `: ${credential.message}`;
        const hint = credential.ok ? null : (credential.hint ?? null);
        return [...found, observe('cluster.identity').note(`identity not checked${why}`, hint)];
      }
      const audiences = tokenAudiences(credential.credential);
      const account = deps.account(cluster.config.account);
      const hint = rejectedHint({
        hasCertificate: credential.credential.certificate !== null,
        audiences,
        replacedBy: account.ok ? account.account.replacedBy : undefined,
      });
      return [
        ...found,
        observeIdentity(cluster, seen, { audiences, hint }),
        ...observeAudience(cluster, audiences),
      ];
    },
  };
}

async function credentialFor(
  cluster: LoadedCluster,
  deps: ClusterCheckDeps,
  signal: AbortSignal,
): Promise<Obtained> {
  const found = deps.account(cluster.config.account);
  return found.ok ? deps.credential(found.account, cluster, signal) : found;
}

async function reached(cluster: LoadedCluster, deps: ClusterCheckDeps, signal: AbortSignal) {
  const failure = await deps.reach(cluster, signal);
  return failure && ({ kind: 'unreachable', failure } as const);
}

function observeTrust({ config }: LoadedCluster): Observed[] {
  const found = observe('cluster.tls');
  if (config.server.startsWith('http:')) {
    return [found.warning('it is reached without TLS: the token goes over the wire as it is')];
  }
  return config.insecureSkipTlsVerify
    ? [
        found.warning(
          'TLS verification is off: the token can be intercepted',
          'set certificateAuthority of the cluster, and remove insecureSkipTlsVerify',
        ),
      ]
    : [];
}

function observeIdentity(
  { config }: LoadedCluster,
  seen: Exclude<WhoAmI, { kind: 'unreachable' }>,
  rejected: { audiences: readonly string[] | null; hint: string },
): Observed {
  const found = observe('cluster.identity');
  switch (seen.kind) {
    case 'known':
      return seen.userName === 'system:anonymous'
        ? found.warning('it sees you as anonymous (system:anonymous)', 'it may not know this way to log in')
        : found.ok(`it sees you as ${seen.userName}${groupText(seen.groups)}`);
    case 'rejected': {
      const { audiences, hint } = rejected;
      const meant = audiences === null ? '' : `, a token for ${listed(audiences)}`;
      return found.problem(`it answers 401 to the credential of ${config.account}${meant}`, hint);
    }
    case 'untold':
      return found.note(
        seen.status === 404
          ? 'it can’t tell who you are: it is older than Kubernetes 1.26'
          : `it does not tell who you are (HTTP status ${seen.status})`,
      );
  }
}

function groupText(groups: readonly string[]): string {
  const own = groups.filter((group) => group !== 'system:authenticated');
  return own.length === 0 ? '' : ` (${listed(own, 5)})`;
}

function observeAudience({ config }: LoadedCluster, audiences: readonly string[] | null): Observed[] {
  if (audiences === null) {
    return [];
  }
  const found = observe('cluster.audience');
  const named = listed(audiences);
  return config.audience === undefined || audiences.includes(config.audience)
    ? [found.ok(`its token is for ${named}`)]
    : [
        found.warning(
          `its token is for ${named}, not for ${config.audience}, as config.yaml says`,
          'the provider’s token exchange gives another audience: ask its administrator',
        ),
      ];
}

import type { ClusterView } from '../../../contract/ui/state.ts';
import { credentialKind } from '../../../domain/credential/credential-kind.ts';
import { clusterName, type TargetName, targetKey } from '../../../domain/target/target.ts';
import type { CachedCredential } from '../../../grants/grants.ts';

type CredentialView = NonNullable<ClusterView['credential']>;

/** Finds a target’s cached credential without a search through all of them. */
export interface CredentialIndex {
  /** The credential that this cluster would be issued. Of a plugin’s several shapes, the one that expires last. */
  of(cluster: { name: string; account: string; audience: string | null }): CredentialView | null;
  /** The same for a target of any kind. */
  ofTarget(target: TargetName, of: { account: string; audience: string | null }): CredentialView | null;
  /** Of an account’s credentials, one that could not be renewed, else the one that expires last. */
  ofAccount(account: string): CredentialView | null;
}

interface OfAccount {
  /** Credentials shaped by nothing but an audience, by that audience. */
  readonly plain: Map<string | null, CachedCredential>;
  /** By `targetKey`. */
  readonly byTarget: Map<string, CachedCredential>;
  /** Shaped, and valid for any cluster. */
  forAny: CachedCredential | null;
  /** The one that its health is told by. */
  told: CachedCredential | null;
}

export function indexCredentials(held: readonly CachedCredential[]): CredentialIndex {
  const accounts = new Map<string, OfAccount>();
  for (const each of held) {
    const of = accounts.get(each.account) ?? {
      plain: new Map(),
      byTarget: new Map(),
      forAny: null,
      told: null,
    };
    accounts.set(each.account, of);
    of.told = moreUrgent(of.told, each);
    if (!each.isShaped) {
      of.plain.set(each.audience, each);
    } else if (each.target === null) {
      of.forAny = later(of.forAny, each);
    } else {
      const key = targetKey(each.target);
      of.byTarget.set(key, later(of.byTarget.get(key) ?? null, each));
    }
  }
  const ofTarget: CredentialIndex['ofTarget'] = (target, { account, audience }) => {
    const of = accounts.get(account);
    const own = of?.byTarget.get(targetKey(target)) ?? null;
    const shaped = of?.forAny ? later(own, of.forAny) : own;
    const found = of?.plain.get(audience) ?? shaped;
    return found ? credentialView(found) : null;
  };
  return {
    of: (cluster) => ofTarget(clusterName(cluster.name), cluster),
    ofTarget,
    ofAccount(name) {
      const told = accounts.get(name)?.told;
      return told ? credentialView(told) : null;
    },
  };
}

function moreUrgent(one: CachedCredential | null, other: CachedCredential): CachedCredential {
  return one && (one.trouble === null) !== (other.trouble === null)
    ? one.trouble === null
      ? other
      : one
    : later(one, other);
}

function credentialView({ credential, generation, renewsAt, trouble }: CachedCredential): CredentialView {
  const { token, certificate, awsKeys, issuedAt } = credential;
  return {
    kind: credentialKind({ token, certificate, awsKeys }),
    issuedAt,
    expiresAt: endOf(credential),
    renewsAt,
    trouble,
    generation,
  };
}

/** The expiry to show: also one that the plugin didn’t promise. */
function endOf({ expiresAt, noExpiry }: CachedCredential['credential']): number | null {
  return noExpiry ? noExpiry.ownExpiry : expiresAt;
}

function later(one: CachedCredential | null, other: CachedCredential): CachedCredential {
  const lasts = (each: CachedCredential) => endOf(each.credential) ?? Number.POSITIVE_INFINITY;
  return one && lasts(one) > lasts(other) ? one : other;
}

import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import type { RegistryConfig } from '../../contract/config/registry.ts';
import type { BoundSettings } from '../../contract/config/settings.ts';
import { durationMilliseconds } from '../../contract/duration.ts';
import type { LoadedAccount, LoadedCluster, LoadedInventory, LoadedRegistry } from '../loaded-config.ts';
import { askedScopes } from '../login/asked-scopes.ts';
import { approvalPolicy } from './approval.ts';

/**
 * What of a pending change applies before it is approved: only what takes permissions away. Each rule keeps the
 * approved value unless the pending one allows less, so that no mix of the two allows what neither did. Where a
 * credential goes, whose it is and what runs for it are never mixed: those come from the approved form alone.
 */
export function narrowedCluster(approved: LoadedCluster, pending: LoadedCluster): LoadedCluster {
  const { approval, withoutInfo, execCredential, proxy } = approved.config;
  const { displayName, aliases, labels } = pending.config;
  const config: ClusterConfig = {
    ...approved.config,
    // What it is called needs no approval.
    ...{ displayName, aliases, labels },
    approval: isStricterApproval(pending.config.approval, approval) ? pending.config.approval : approval,
    withoutInfo: stricter(withoutInfo, pending.config.withoutInfo, ['allow', 'refuse']),
    execCredential: stricter(execCredential, pending.config.execCredential, ['allow', 'ask', 'refuse']),
    ...(proxy?.cookies === 'pass' &&
      pending.config.proxy?.cookies !== 'pass' && {
        proxy: { ...proxy, cookies: 'strip' as const },
      }),
  };
  return { ...approved, config };
}

/**
 * A stricter approval, a shorter time that a kubelet caches. Not fewer patterns: another registry’s pattern may cover the
 * images of one that is gone, with another credential or without asking.
 */
export function narrowedRegistry(approved: LoadedRegistry, pending: LoadedRegistry): LoadedRegistry {
  const { approval, cacheDuration } = approved.config;
  const config: RegistryConfig = {
    ...approved.config,
    approval: isStricterApproval(pending.config.approval, approval) ? pending.config.approval : approval,
    cacheDuration:
      cacheMilliseconds(pending) < cacheMilliseconds(approved) ? pending.config.cacheDuration : cacheDuration,
  };
  return { ...approved, config };
}

/**
 * Each changed profile is asked about again, and fewer become contexts. No provider, policy or selector is taken away:
 * another provider or none would be used, and so another credential.
 */
export function narrowedInventory(approved: LoadedInventory, pending: LoadedInventory): LoadedInventory {
  const { trusted, contexts } = approved.config;
  return {
    ...approved,
    config: {
      ...approved.config,
      trusted: trusted && pending.config.trusted,
      contexts: Math.min(contexts, pending.config.contexts),
    },
  };
}

function cacheMilliseconds({ config }: LoadedRegistry): number {
  return durationMilliseconds(config.cacheDuration) ?? 0;
}

export function narrowedAccount(approved: LoadedAccount, pending: LoadedAccount): LoadedAccount {
  const config = narrowedKind(approved.config, pending.config);
  return config === approved.config ? approved : { ...approved, config };
}

type Biometrics = NonNullable<BoundSettings['lock']['biometrics']>;

/** Not `history.keep`: a shorter one deletes records. */
export function narrowedSettings(approved: BoundSettings, pending: BoundSettings): BoundSettings {
  const { lock, metrics } = approved;
  const afterIdle = shorter(lock.afterIdle, pending.lock.afterIdle);
  const biometrics = stricter<Biometrics>(lock.biometrics ?? 'unlock', pending.lock.biometrics ?? 'unlock', [
    'never',
    'unlock',
    'always',
  ]);
  return {
    ...approved,
    lock: {
      ...(afterIdle !== undefined && { afterIdle }),
      ...((lock.withScreen || pending.lock.withScreen) && { withScreen: true }),
      ...(biometrics !== 'unlock' && { biometrics }),
    },
    metrics: pending.metrics.listen === undefined ? {} : metrics,
  };
}

function narrowedKind(approved: AccountConfig, pending: AccountConfig): AccountConfig {
  if (!('oidc' in approved) || !('oidc' in pending)) {
    return approved;
  }
  const oidc: OidcAccountConfig = {
    ...approved.oidc,
    scopes: narrowedScopes(approved.oidc, pending.oidc),
    loginWithoutTerminal: approved.oidc.loginWithoutTerminal && pending.oidc.loginWithoutTerminal,
  };
  return { oidc };
}

/**
 * Fewer scopes narrow the request to the same provider. Another provider has its own scopes, and a replaced scope is
 * not fewer: then the approved ones stay, as a login with only what both have could be useless. No scopes at all are
 * not fewer either: the provider then gives its own.
 */
function narrowedScopes(approved: OidcAccountConfig, pending: OidcAccountConfig): string[] {
  const isSameClient = approved.issuer === pending.issuer && approved.clientId === pending.clientId;
  const left = approved.scopes.filter((scope) => pending.scopes.includes(scope));
  const asks = (scopes: readonly string[]) => askedScopes(approved.flow, scopes).length > 0;
  const isFewer =
    pending.scopes.every((scope) => left.includes(scope)) && (asks(left) || !asks(approved.scopes));
  return isSameClient && isFewer ? left : approved.scopes;
}

/** A time and `perTerminal` can't be compared: each asks where the other doesn't. */
function isStricterApproval(pending: string, approved: string): boolean {
  const [next, now] = [approvalPolicy(pending), approvalPolicy(approved)];
  if (now.kind === 'never' || next.kind === 'always') {
    return true;
  }
  return next.kind === 'duration' && now.kind === 'duration' && next.milliseconds < now.milliseconds;
}

/** `order`: from the most permissive to the least. */
function stricter<Value>(approved: Value, pending: Value, order: readonly Value[]): Value {
  return order.indexOf(pending) > order.indexOf(approved) ? pending : approved;
}

function shorter(approved: string | undefined, pending: string | undefined): string | undefined {
  if (approved === undefined || pending === undefined) {
    return approved ?? pending;
  }
  const [now, next] = [durationMilliseconds(approved), durationMilliseconds(pending)];
  return now !== null && next !== null && next < now ? pending : approved;
}

import { hash } from 'node:crypto';
import { raceAbort } from '../../base/abort.ts';
import type { Secret } from '../../base/secret.ts';
import { WeakValues } from '../../base/weak-values.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { registryOf } from '../../domain/target/registry-target.ts';
import { nameOf, type Target } from '../../domain/target/target.ts';
import type { Observation } from '../../domain/text/finding.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { Log } from '../../ports/log.ts';
import type { Vault } from '../../ports/vault.ts';
import { examineOidc } from './examine.ts';
import { logOut } from './logout/log-out.ts';
import { refused } from './refused.ts';
import { type ExchangeDeps, exchangeToken } from './renewal/exchange.ts';
import { requestParameters } from './renewal/request-parameters.ts';
import type { RefreshDeps, UnsavedAnswer } from './renewal/save-answer.ts';
import { surveyOidc } from './survey.ts';
import { clockOff, unopenedState } from './unopened-state.ts';

export interface ServiceAccountDeps extends Omit<ExchangeDeps, 'kind' | 'vault' | 'config'> {
  config: RefreshDeps['config'];
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  log: Log;
  unsaved: UnsavedAnswer;
  isPublic(): boolean;
  /** What doctor sees of what it has on this machine. */
  client(): Promise<readonly Observation[]>;
  /** Why the client’s key, which is on a token, can’t sign; null: it can, or isn’t there. */
  keyFault(): Refusal | null;
  limit: Pick<Account, 'renewalLimitMilliseconds'>;
}

/**
 * An account whose token is exchanged for the token of a pod's service account, which comes with a kubelet's request
 * (flow `serviceAccountToken`; KEP-4412, RFC 8693). Nothing of that token is read here, for nothing in it is verified: the
 * provider decides. Issuer, client, audience and scopes are those of config.yaml; annotations choose nothing. What comes
 * of it is cached by the whole token, for as long as the provider says (rule: service-account-token).
 */
export function createServiceAccountAccount(deps: ServiceAccountDeps): Account {
  const { name, config, provider, vault, log } = deps;
  const shaped = new WeakValues<Account>();

  async function exchange(token: Secret, audience: string | null, signal: AbortSignal): Promise<Obtained> {
    const obtained = await refused(signal, () =>
      raceAbort(
        exchangeToken(
          { ...deps, kind: 'access' },
          { token, type: 'jwt' },
          audience,
          signal,
          requestParameters(config),
        ),
        signal,
      ),
    );
    if (!obtained.ok) {
      log.warn('oidc.serviceAccount.failed', { account: name, host: provider.host, code: obtained.code });
      return obtained;
    }
    const { credential } = obtained;
    // Without a stated life it is for those who wait for it alone.
    return credential.expiresAt === null
      ? { ok: true, credential: { ...credential, noExpiry: { ownExpiry: null, onlyFor: [] } } }
      : obtained;
  }

  async function state(): Promise<AccountState> {
    const unopened = unopenedState(config.issuer, vault.state(), 'secretMissing');
    if (unopened) {
      return unopened;
    }
    const fault = deps.keyFault();
    return {
      kind: 'oidc',
      // That of each token.
      subject: null,
      issuer: config.issuer,
      expiresAt: null,
      state: fault ? 'failing' : 'ready',
      problem: fault?.message ?? provider.clockSentence(),
      ...clockOff(provider),
    };
  }

  const common = {
    name,
    kind: 'oidc',
    ...deps.limit,
    keepsNothing: true,
    // A token of a pod that is gone must not be used.
    renewsAhead: false,
    current: async () => null,
    state,
  } as const;

  const forToken = (token: Secret, target: Target): Account => {
    const key = hash('sha256', JSON.stringify([target.name, target.audience, token.reveal()]), 'base64');
    return shaped.of(key, () => ({
      ...common,
      shape: { key, target: nameOf(target) },
      givesAudience: true,
      renew: (signal) => exchange(token, target.audience, signal),
    }));
  };

  return {
    ...common,
    async shapedBy({ target, serviceAccount }) {
      if (registryOf(target) === null) {
        return refuse(
          'notPermitted',
          'oidc.serviceAccount.target',
          `${name} exchanges the token that a kubelet passes on, and ${target.name} is no registry`,
        );
      }
      return serviceAccount ? { ok: true, account: forToken(serviceAccount.token, target) } : noToken(name);
    },
    renew: async () => noToken(name),
    logout: (onForgotten = () => undefined, { isHere = false } = {}) =>
      // A user's session may be left from before the flow was changed.
      logOut({ ...deps, renewal: () => null, onForgotten, isHere }),
    examine: (signal) => examineOidc({ ...deps, state }, signal),
    survey: (signal) => surveyOidc(deps, signal),
  };
}

function noToken(name: string): Refusal {
  return refuse(
    'notPermitted',
    'oidc.serviceAccount.none',
    `${name} exchanges a pod’s service account token, and the request has none`,
    'give the kubelet the output of: lanyard image config (to try it: lanyard image get IMAGE --service-account-token-file FILE)',
  );
}

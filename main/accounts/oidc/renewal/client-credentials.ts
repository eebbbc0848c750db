import { clientCredentialsGrant } from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { AccountState, Obtained } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { Session, Vault, VaultContent } from '../../../ports/vault.ts';
import { type ClientKeysConfig, keyAccounts } from '../client/client-keys.ts';
import { displayText } from '../display-text.ts';
import type { Provider } from '../provider/provider.ts';
import { requestTokens } from '../provider/token-request.ts';
import { chooseToken, clientCertificateOf, clientKeyOf, clientSecretOf, credentialOf } from '../session.ts';
import { clockOff, unopenedState } from '../unopened-state.ts';
import { requestParameters } from './request-parameters.ts';

export interface ClientCredentialsDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  vault: Pick<Vault, 'state' | 'read'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  isCurrent(): boolean;
  /** Why the client’s key, which is on a token, can’t sign; null: it can, or isn’t there. */
  keyFault(): Refusal | null;
}

/**
 * The client’s own token (RFC 6749, 4.4): no user, no session. It is only in memory: the secret or key gets another at
 * any time, so on disk it would only be a risk. It is dropped with that secret (another was set, the vault was locked),
 * and with the account’s object when the configuration changes.
 */
export class ClientCredentials {
  readonly #deps: ClientCredentialsDeps;
  #forgotten = 0;
  /** What a renewal brought after it was forgotten. */
  #orphan: Secret | null = null;
  #kept: { token: NonNullable<Session['token']>; by: Proof } | null = null;

  constructor(deps: ClientCredentialsDeps) {
    this.#deps = deps;
  }

  /** The token, while it lives. Throws BrokerError while the vault isn't open. */
  held(): Obtained | null {
    const token = this.#current();
    return token && (token.expiresAt === null || token.expiresAt > this.#deps.clock.now())
      ? { ok: true, credential: credentialOf(token) }
      : null;
  }

  /** Asks the provider for another one. */
  async renew(): Promise<Obtained> {
    const { name, config, provider, vault, clock, log } = this.#deps;
    const content = vault.read();
    const by = proofOf(content, name, config);
    if (!by) {
      return secretMissing(name);
    }
    const known = await provider.know();
    if (!known.ok) {
      return known;
    }
    const requestedAt = clock.now();
    const forgotten = this.#forgotten;
    const answer = await requestTokens(
      provider,
      known,
      { grant: null, clientSecret: clientSecretOf(content, name) },
      (configuration) => clientCredentialsGrant(configuration, requestParameters(config)),
    );
    if (answer.kind !== 'tokens') {
      log.warn('oidc.clientCredentials.failed', {
        account: name,
        host: provider.host,
        code: answer.refusal.code,
      });
      return answer.refusal;
    }
    const token = chooseToken('access', answer.tokens, requestedAt);
    if (!token || (token.expiresAt !== null && token.expiresAt <= clock.now())) {
      return provider.refuseProblem(
        { kind: 'tokenClock', detail: null, oauthError: null, status: null },
        'token',
      );
    }
    // Checked again after the wait: a logout, another secret, another configuration, a lock.
    if (forgotten !== this.#forgotten) {
      this.#orphan = token.value;
    }
    if (
      forgotten !== this.#forgotten ||
      !this.#deps.isCurrent() ||
      proofOf(vault.read(), name, config) !== by
    ) {
      return refuse(
        'provider',
        'oidc.client.changed',
        `the client of ${name} changed meanwhile, so the provider’s answer was dropped`,
        'try again',
      );
    }
    this.#kept = { token, by };
    log.info('oidc.clientCredentials', { account: name, host: provider.host });
    return { ok: true, credential: credentialOf(token) };
  }

  /** Removes the token, and returns it so that it can be revoked. */
  forget(): Secret | null {
    const kept = this.#kept;
    this.#kept = null;
    this.#forgotten += 1;
    return kept?.token.value ?? null;
  }

  /** What a renewal that was under way at `forget` has brought since: to be revoked, too. */
  takeOrphan(): Secret | null {
    const orphan = this.#orphan;
    this.#orphan = null;
    return orphan;
  }

  state(): AccountState {
    const { name, config, provider, vault, keyFault } = this.#deps;
    const unopened = unopenedState(config.issuer, vault.state(), 'secretMissing');
    if (unopened) {
      return unopened;
    }
    const common = {
      kind: 'oidc',
      subject: displayText(config.clientId),
      issuer: config.issuer,
      expiresAt: this.#current()?.expiresAt ?? null,
    } as const;
    const fault = keyFault();
    if (fault && !this.held()) {
      const state = fault.reason === 'loginNeeded' ? 'loginNeeded' : 'failing';
      return { ...common, state, problem: fault.message };
    }
    return proofOf(vault.read(), name, config)
      ? { ...common, state: 'ready', problem: provider.clockSentence(), ...clockOff(provider) }
      : { ...common, state: 'secretMissing', problem: secretMissing(name).message };
  }

  #current(): Session['token'] {
    const { vault, name, config } = this.#deps;
    try {
      if (this.#kept && proofOf(vault.read(), name, config) !== this.#kept.by) {
        this.#kept = null;
      }
    } catch (error) {
      this.#kept = null;
      throw error;
    }
    return this.#kept?.token ?? null;
  }
}

/** What a token was had by. A file that is renewed all the while stays the same proof, and so does an account’s key. */
type Proof = Secret | 'assertionFile' | 'heldKey';

/** In the order in which they count (provider/client-authentication.ts). */
function proofOf(
  content: VaultContent,
  name: string,
  config: ClientKeysConfig & Pick<OidcAccountConfig, 'clientAssertionFile'>,
): Proof | null {
  if (config.clientAssertionFile !== undefined) {
    return 'assertionFile';
  }
  return keyAccounts(config).length > 0
    ? 'heldKey'
    : (clientKeyOf(content, name) ?? clientCertificateOf(content, name) ?? clientSecretOf(content, name));
}

function secretMissing(name: string): Refusal {
  return refuse(
    'notFound',
    'oidc.client.secretMissing',
    `the client of ${name} has neither a secret nor a key or certificate yet`,
    `set one with: lanyard secret set ${name}/clientSecret, lanyard secret set ${name}/clientKey < FILE, or lanyard secret set ${name}/clientCertificate < FILE`,
  );
}

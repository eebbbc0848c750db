import { raceAbort } from '../../base/abort.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ProxyEnvironment } from '../../domain/choose-proxy.ts';
import type { Account, Obtained } from '../../ports/account.ts';
import type { Browser } from '../../ports/browser.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { Log } from '../../ports/log.ts';
import type { Vault } from '../../ports/vault.ts';
import { defaultHttpLimits, type HttpLimits } from './http.ts';
import { logIn } from './login.ts';
import { createProvider } from './provider.ts';
import { refresh } from './refresh.ts';
import type { UnsavedAnswer } from './save-answer.ts';
import { clientKeyOf, credentialOf, heldToken, sessionOf, withSession } from './session.ts';
import { oidcState } from './state.ts';

export interface OidcDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  clock: Clock;
  log: Log;
  browser: Browser;
  /**
   * False once the account's configuration is another one: what a login or a renewal that began before brings is
   * then not handed out (rule 7).
   */
  isCurrent(): boolean;
  /**
   * Renewals under way, by account. One for all accounts of a broker: an account made anew by a config change must
   * not use a refresh token that its predecessor is using (rule 1).
   */
  renewals?: SingleFlight<string, Obtained>;
  limits?: HttpLimits;
  /** Where HTTPS_PROXY, ALL_PROXY and NO_PROXY are looked up; no proxy but the account's own without it. */
  environment?: ProxyEnvironment;
}

/** A login at an OpenID provider: in a browser (RFC 8252) or by device code (RFC 8628), renewed with its refresh token. */
export function createOidcAccount(deps: OidcDeps): Account {
  const { account, vault, clock, log, browser, isCurrent } = deps;
  const { name, certificateAuthorityPem } = account;
  if (!('oidc' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no OIDC login`);
  }
  const config = account.config.oidc;
  const renewals = deps.renewals ?? new SingleFlight<string, Obtained>();
  const unsaved: UnsavedAnswer = { save: null };
  const provider = createProvider({
    account: name,
    issuer: config.issuer,
    clientId: config.clientId,
    certificateAuthorityPem,
    proxyUrl: config.proxyUrl,
    environment: deps.environment ?? {},
    extraHeaders: config.extraHeaders,
    clientKey: () => clientKeyOf(vault.read(), name),
    limits: deps.limits ?? defaultHttpLimits,
    clock,
  });
  let logouts = 0;

  return {
    name,
    kind: 'oidc',
    async held() {
      try {
        const session = sessionOf(vault.read(), name, config);
        const token = session && heldToken(session, clock.now());
        return token && { ok: true, credential: credentialOf(token) };
      } catch (error) {
        return toRefusal(error);
      }
    },
    async renew(signal) {
      // A refresh that has begun ends in its own time, whoever waits: its answer must reach the disk.
      const work = renewals.run(name, () =>
        refresh({ name, config, provider, vault, clock, log, isCurrent, unsaved }),
      );
      return refused(signal, () => raceAbort(work, signal));
    },
    async login(prompter, wish, signal) {
      const login = { name, config, provider, vault, clock, browser, isCurrent, logouts: () => logouts };
      const outcome = await refused(signal, () => raceAbort(logIn(login, prompter, wish, signal), signal));
      if (outcome.ok) {
        log.info('oidc.loggedIn', { account: name, host: provider.host });
      } else {
        log.warn('oidc.login.failed', { account: name, host: provider.host, code: outcome.code });
      }
      return outcome;
    },
    async logout() {
      logouts += 1;
      unsaved.save = null;
      let found = false;
      await vault.update(
        (content) => {
          found = Object.hasOwn(content.sessions, name);
          return withSession(content, name, null);
        },
        { bothGenerations: true },
      );
      return { hadSession: found, revocation: 'nothing', endSessionUrl: null };
    },
    async state() {
      return oidcState({ name, config, vault, now: clock.now() });
    },
  };
}

/** What `work` throws as a refusal: an abort, a lock, a vault that can't be written. */
async function refused<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && !(error instanceof BrokerError)) {
      return refuse('timedOut', 'oidc.cancelled', 'nobody waits for the provider any longer');
    }
    return toRefusal(error);
  }
}

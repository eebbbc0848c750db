import { raceAbort } from '../../base/abort.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { createPairReader } from '../../domain/credential/read-pair.ts';
import { defaultHttpLimits, type HttpLimits } from '../../platform/network/bounded-fetch.ts';
import type { ProxyEnvironment } from '../../platform/network/choose-proxy.ts';
import type { Account, LoginPrompter, Obtained } from '../../ports/account.ts';
import type { Browser } from '../../ports/browser.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { HeldKeys } from '../../ports/held-keys.ts';
import type { Log } from '../../ports/log.ts';
import type { LookUpPeer } from '../../ports/peer-user.ts';
import type { Vault } from '../../ports/vault.ts';
import { createSecretFileReader, type SecretFileReader } from '../secret-file.ts';
import { keyAccounts, keyFault, openClientKeys } from './client/client-keys.ts';
import { examineClient } from './client/examine-client.ts';
import { readClientProof } from './client/read-client-proof.ts';
import { createClientAccount } from './client-account.ts';
import { examineOidc } from './examine.ts';
import type { LateTabs } from './login/late-tabs.ts';
import { logIn } from './login/login.ts';
import { renewUnlocked } from './login/renew-unlocked.ts';
import { logOut } from './logout/log-out.ts';
import { createProvider } from './provider/provider.ts';
import { refused } from './refused.ts';
import { exchangeSession } from './renewal/exchange-session.ts';
import { refresh } from './renewal/refresh.ts';
import type { UnsavedAnswer } from './renewal/save-answer.ts';
import { createServiceAccountAccount } from './service-account-account.ts';
import {
  clientCertificateOf,
  clientKeyOf,
  clientSecretOf,
  credentialOf,
  sessionChanged,
  sessionOf,
  validToken,
} from './session.ts';
import { oidcState } from './state.ts';
import { surveyOidc } from './survey.ts';

export interface OidcDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  clock: Clock;
  log: Log;
  browser: Browser;
  lookUpPeer: LookUpPeer;
  /** One for all accounts of a broker: the next login may need the port of the last. */
  lateTabs: LateTabs;
  /**
   * Returns false once the account's configuration has changed: the result of a login or a renewal that began before
   * is then not issued (rule: nothing-lost).
   */
  isCurrent(): boolean;
  /**
   * Renewals under way, by account. One for all accounts of a broker: an account that a config change has replaced
   * must not use a refresh token that its predecessor is using (rule: single-flight).
   */
  renewals?: SingleFlight<string, Obtained>;
  /** Answers that the disk didn't take, by account: they outlive an account's object as well. */
  unsaved?: Map<string, UnsavedAnswer>;
  /** Reads the client's assertion; one for all accounts of a broker. */
  files?: SecretFileReader;
  limits?: HttpLimits;
  /** Where HTTPS_PROXY, ALL_PROXY and NO_PROXY are looked up; no proxy but the account's own without it. */
  environment?: ProxyEnvironment;
  /** The keys on tokens, where the client has one there. */
  heldKeys: Pick<HeldKeys, 'fault' | 'open' | 'logIn' | 'sign'>;
  /** The file of lanyard-proxy, which speaks TLS with such a key; absolute. */
  proxyProgram: string;
}

/** With a client’s key on a token: someone may have to touch it. */
const renewalLimitMilliseconds = 120_000;

/** A login at an OpenID provider: in a browser (RFC 8252) or by device code (RFC 8628), renewed with its refresh token. */
export function createOidcAccount(deps: OidcDeps): Account {
  const { account, vault, clock, log, browser, lookUpPeer, lateTabs, isCurrent, heldKeys, proxyProgram } =
    deps;
  const { name, certificateAuthorityPem } = account;
  if (!('oidc' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no OIDC login`);
  }
  const config = account.config.oidc;
  const renewals = deps.renewals ?? new SingleFlight<string, Obtained>();
  const proof = {
    name,
    config,
    vault,
    files: deps.files ?? createSecretFileReader(),
    readPair: createPairReader(),
    heldKeys,
    proxyProgram,
    clock,
  };
  const client = () => examineClient(proof, { config, browser });
  const unsaved = unsavedOf(deps.unsaved ?? new Map(), name);
  const readProof = () => readClientProof(proof);
  const provider = createProvider({
    account: name,
    issuer: config.issuer,
    clientId: config.clientId,
    certificateAuthorityPem,
    proxyUrl: config.proxyUrl,
    environment: deps.environment ?? {},
    extraHeaders: config.extraHeaders,
    keys: config,
    readProof,
    limits: deps.limits ?? defaultHttpLimits,
    clock,
  });
  const fault = () => keyFault(config, heldKeys);
  const state = async () =>
    oidcState({ name, config, vault, now: clock.now(), clock: provider, keyFault: fault });
  const isPublic = () => {
    const isConfigured = config.clientAssertionFile !== undefined || keyAccounts(config).length > 0;
    if (vault.state().kind !== 'open' || isConfigured) {
      return false;
    }
    const content = vault.read();
    const proofs = [clientSecretOf, clientKeyOf, clientCertificateOf].map((of) => of(content, name));
    return proofs.every((proof) => proof === null);
  };
  const limit = keyAccounts(config).length > 0 ? { renewalLimitMilliseconds } : {};
  let logouts = 0;
  const common = { name, config, provider, vault, clock, log, isCurrent, keyFault: fault, limit };
  const openKeys = (prompter: LoginPrompter, signal: AbortSignal) =>
    openClientKeys(config, heldKeys, prompter, signal);
  const renew = async (signal: AbortSignal): Promise<Obtained> => {
    // A refresh that has begun is never cancelled: its answer must reach the disk.
    const before = renewals.running(name);
    if (before) {
      // Begun under an earlier configuration or session: what it brings may not be for this one.
      const outcome = await refused(signal, () => raceAbort(before, signal));
      if (outcome.ok || outcome.code !== sessionChanged(name).code || !isCurrent()) {
        return outcome;
      }
    }
    const work = renewals.run(name, () => refresh({ ...common, unsaved }));
    return refused(signal, () => raceAbort(work, signal));
  };
  if (config.flow === 'clientCredentials') {
    return createClientAccount({ ...common, unsaved, client, openKeys });
  }
  if (config.flow === 'serviceAccountToken') {
    return createServiceAccountAccount({ ...common, unsaved, client, isPublic });
  }

  return {
    name,
    kind: 'oidc',
    ...limit,
    async current() {
      try {
        const session = sessionOf(vault.read(), name, config);
        const token = session && validToken(session, clock.now());
        return token && { ok: true, credential: credentialOf(token) };
      } catch (error) {
        return toRefusal(error);
      }
    },
    renew,
    async exchange(subject, audience, signal) {
      const exchange = { ...common, renew, kind: config.token };
      return refused(signal, () => raceAbort(exchangeSession(exchange, subject, audience, signal), signal));
    },
    async login(prompter, wish, signal) {
      const login = { ...common, browser, lookUpPeer, lateTabs, logouts: () => logouts };
      const outcome = await refused(signal, async () => {
        const opened = await openKeys(prompter, signal);
        if (!opened.ok) {
          return opened;
        }
        const unlocked =
          opened.asked && wish.flow === null ? await renewUnlocked(common, () => renew(signal)) : null;
        return unlocked ?? raceAbort(logIn(login, prompter, wish, signal), signal);
      });
      if (outcome.ok) {
        log.info('oidc.loggedIn', { account: name, host: provider.host });
      } else {
        log.warn('oidc.login.failed', { account: name, host: provider.host, code: outcome.code });
      }
      return outcome;
    },
    async logout(onForgotten = () => undefined, { isHere } = {}) {
      logouts += 1;
      return logOut({ ...common, unsaved, renewal: () => renewals.running(name), onForgotten, isHere });
    },
    async state() {
      return state();
    },
    examine: (signal) => examineOidc({ name, config, state, provider, client, isPublic }, signal),
    survey: (signal) => surveyOidc({ name, config, provider, isPublic }, signal),
  };
}

function unsavedOf(all: Map<string, UnsavedAnswer>, name: string): UnsavedAnswer {
  const known = all.get(name) ?? { save: null, refreshToken: null };
  all.set(name, known);
  return known;
}

import {
  calculatePKCECodeChallenge,
  genericGrantRequest,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { raceAbort } from '../../../base/abort.ts';
import type { Disposable } from '../../../base/disposables.ts';
import { Secret } from '../../../base/secret.ts';
import { toRefusal } from '../../../contract/broker-error.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { redirectPlace, registeredAddress } from '../../../domain/login/redirect-address.ts';
import type { LoggedIn, LoginPrompter } from '../../../ports/account.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LookUpPeer } from '../../../ports/peer-user.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';
import { requestTokens, type TokenAnswer } from '../provider/token-request.ts';
import { authorizationUrl } from './authorization-request.ts';
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts';
import type { Callback } from './callback-request.ts';
import { endPage } from './end-page.ts';
import type { LateTabs } from './late-tabs.ts';
import { probePage } from './probe-page.ts';

/** How long the user has at the provider's pages. */
const personSeconds = 300;

export interface BrowserLoginDeps {
  name: string;
  config: OidcAccountConfig;
  provider: Provider;
  known: { ok: true } & KnownProvider;
  clientSecret: Secret | null;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Null: the address is only shown. */
  browser: Pick<Browser, 'open'> | null;
  lookUpPeer: LookUpPeer;
  lateTabs: LateTabs;
  /** Stores what the provider gave, or ends it there; the browser shows its outcome to the user. */
  complete(answer: TokenAnswer, requestedAt: number): Promise<LoggedIn>;
}

/** What protects one login; none of it leaves the broker but as the authorization request says. */
interface Proofs {
  state: Secret;
  nonce: Secret;
  verifier: Secret;
}

/**
 * Authorization code with PKCE on a loopback redirect (RFC 8252, RFC 7636, RFC 9700): opens the provider's page, waits
 * for the code, exchanges it, and tells the browser how it ended. Rejects with the signal's reason.
 */
export async function logInWithBrowser(
  deps: BrowserLoginDeps,
  prompter: LoginPrompter,
  signal: AbortSignal,
): Promise<LoggedIn> {
  const { name, config, provider, known } = deps;
  const proofs: Proofs = {
    state: new Secret(randomState()),
    nonce: new Secret(randomNonce()),
    verifier: new Secret(randomPKCECodeVerifier()),
  };
  const over = new AbortController();
  signal.throwIfAborted();
  const receiver = await openCallbackReceiver(
    redirectPlace(config),
    {
      state: proofs.state,
      issuer: config.issuer,
      issuerRequired: known.metadata.authorization_response_iss_parameter_supported === true,
    },
    deps.lookUpPeer,
    deps.lateTabs,
  );
  if (!receiver) {
    return portsTaken(name, config);
  }
  try {
    signal.throwIfAborted();
    const url = authorizationUrl(known.metadata.authorization_endpoint ?? '', provider.loopbackHttp, {
      config,
      redirectUri: receiver.redirectUri,
      state: proofs.state,
      nonce: proofs.nonce,
      codeChallenge: await calculatePKCECodeChallenge(proofs.verifier.reveal()),
    });
    if (url === null) {
      return refuse(
        'provider',
        'oidc.authorization.insecureAddress',
        `${provider.host} names a login page that is no https address`,
      );
    }
    const [opened, trouble] = await raceAbort(
      Promise.all([
        deps.browser?.open(url, config.browser) ?? false,
        probePage(url, { config, provider, redirectUri: receiver.redirectUri }, signal),
      ]),
      signal,
    );
    const failed = deps.browser && !opened ? (config.browser?.[0] ?? null) : null;
    prompter.showBrowserPage({
      url,
      opened,
      failed,
      trouble,
      expiresInSeconds: personSeconds,
      bring: receiver.bring,
      over: over.signal,
    });
    const callback = await waitForPerson(receiver, deps.clock, signal);
    over.abort();
    const outcome = callback
      ? await raceAbort(conclude(deps, callback, { ...proofs, receiver }), signal)
      : expired(name, config);
    await raceAbort(receiver.finish(endPage(name, outcome)), signal);
    return outcome;
  } finally {
    over.abort();
    // Showing the cancellation in the browser must not delay the caller.
    void (signal.aborted ? receiver.finish(endPage(name, cancelled(name))) : receiver.dispose());
  }
}

/** The provider's answer; null: the user took too long. */
async function waitForPerson(
  receiver: CallbackReceiver,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<Callback | null> {
  let timer: Disposable | null = null;
  const over = new Promise<null>((resolve) => {
    timer = clock.after(personSeconds * 1000, () => resolve(null));
  });
  try {
    return await raceAbort(Promise.race([receiver.callback, over]), signal);
  } finally {
    await (timer as Disposable | null)?.dispose();
  }
}

/**
 * Never rejects: the browser is waiting to be told. Goes on when the login is cancelled: a code that was sent may be
 * a session at the provider, which is then ended.
 */
async function conclude(
  deps: BrowserLoginDeps,
  callback: Callback,
  login: Proofs & { receiver: CallbackReceiver },
): Promise<LoggedIn> {
  const { name, provider, known, clientSecret, clock } = deps;
  if (callback.kind !== 'code') {
    return refuseCallback(name, provider.host, callback);
  }
  const { code } = callback;
  const requestedAt = clock.now();
  try {
    const answer = await requestTokens(
      provider,
      await provider.prove(known),
      { grant: code, clientSecret, verifier: login.verifier, nonce: login.nonce },
      (configuration) =>
        genericGrantRequest(configuration, 'authorization_code', {
          code: code.reveal(),
          redirect_uri: login.receiver.redirectUri,
          code_verifier: login.verifier.reveal(),
        }),
    );
    return await deps.complete(answer, requestedAt);
  } catch (error) {
    return toRefusal(error);
  }
}

function refuseCallback(name: string, host: string, callback: Exclude<Callback, { kind: 'code' }>): Refusal {
  switch (callback.kind) {
    case 'otherIssuer':
      return refuse(
        'provider',
        'oidc.callback.issuer',
        `the answer to the login of ${name} does not come from ${host}`,
        'this may be a mix-up attack: tell the provider’s operator',
      );
    case 'malformed':
      return refuse(
        'provider',
        'oidc.callback.malformed',
        `${host} sent the browser back without a code, or with more than one answer`,
      );
    case 'error': {
      if (callback.error === 'access_denied') {
        const said = callback.description === '' ? '' : ` (${callback.description})`;
        const message = `the login of ${name} was denied at ${host}${said}`;
        return refuse('denied', 'oidc.browser.denied', message);
      }
      const detail =
        callback.description === '' ? callback.error : `${callback.error}: ${callback.description}`;
      return refuse(
        'provider',
        'oidc.authorization.error',
        `${host} refused: ${detail}`,
        Object.hasOwn(hints, callback.error) ? hints[callback.error] : undefined,
      );
    }
  }
}

/** What helps, by OAuth's and OpenID's error codes. */
const hints: Readonly<Record<string, string>> = {
  invalid_scope: 'check the account’s scopes',
  unauthorized_client: 'the provider must allow the authorization code flow for this client',
  unsupported_response_type: 'the provider must allow the authorization code flow for this client',
  login_required: 'check prompt among the account’s extraParams',
  interaction_required: 'check prompt among the account’s extraParams',
  consent_required: 'check prompt among the account’s extraParams',
  temporarily_unavailable: 'try again later',
  server_error: 'try again; if it stays, tell the provider’s operator',
};

function portsTaken(name: string, config: OidcAccountConfig): Refusal {
  const { ports } = redirectPlace(config);
  const which = ports.length === 0 ? 'no port is free' : `${listed(ports)} can’t be had`;
  return refuse(
    'notPermitted',
    'oidc.redirect.portsTaken',
    `the login of ${name} has no way back to this machine: ${which}`,
    ports.length === 0
      ? undefined
      : `end what listens there, or give ${name} more redirectPorts that the provider allows`,
  );
}

function listed(ports: readonly number[]): string {
  return ports.length === 1 ? `port ${ports[0]}` : `the ports ${ports.join(', ')}`;
}

function expired(name: string, config: OidcAccountConfig): Refusal {
  return refuse(
    'timedOut',
    'oidc.browser.expired',
    `no one finished the login of ${name} in the browser within ${personSeconds / 60} minutes`,
    `lanyard login ${name}; if the provider’s page complains of the redirect address, register ${registeredAddress(config)} there`,
  );
}

function cancelled(name: string): Refusal {
  return refuse('timedOut', 'oidc.cancelled', `the caller no longer waits for the login of ${name}`);
}

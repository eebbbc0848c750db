import {
  calculatePKCECodeChallenge,
  genericGrantRequest,
  initiateDeviceAuthorization,
  randomPKCECodeVerifier,
} from 'openid-client';
import { raceAbort } from '../../../base/abort.ts';
import type { Disposable } from '../../../base/disposables.ts';
import { Secret } from '../../../base/secret.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { LoginPrompter } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import { displayText } from '../display-text.ts';
import { withDeviceFields } from '../provider/answers.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';
import { type ProviderProblem, problemOf } from '../provider/provider-problem.ts';
import { requestTokens, type TokenAnswer } from '../provider/token-request.ts';
import { pageAddress } from './page-address.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const defaultIntervalSeconds = 5;
const longestIntervalSeconds = 60;
const longestLifeSeconds = 3600;

export interface DeviceLoginDeps {
  name: string;
  clientId: string;
  scopes: readonly string[];
  extraParams: Readonly<Record<string, string>>;
  provider: Provider;
  known: { ok: true } & KnownProvider;
  clientSecret: Secret | null;
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
}

interface DeviceCode {
  ok: true;
  deviceCode: Secret;
  /** Goes with each poll (RFC 7636): some providers require it for device codes, too; the others ignore it. */
  verifier: Secret;
  intervalSeconds: number;
  expiresInSeconds: number;
  shown: Parameters<LoginPrompter['showDeviceCode']>[0];
}

/** What the approved code brought: tokens, good or not. */
type Approved = {
  ok: true;
  answer: Extract<TokenAnswer, { kind: 'tokens' | 'unusable' }>;
  requestedAt: number;
};

/** RFC 8628: shows a code to the user and waits until it is approved. Rejects with the signal's reason. */
export async function logInWithDevice(
  deps: DeviceLoginDeps,
  prompter: LoginPrompter,
  signal: AbortSignal,
): Promise<Approved | Refusal> {
  const code = await raceAbort(startDevice(deps, signal), signal);
  if (!code.ok) {
    return code;
  }
  const end = deps.clock.boottime() + code.expiresInSeconds * 1000;
  prompter.showDeviceCode(code.shown);
  return poll(deps, code, end, signal);
}

async function startDevice(deps: DeviceLoginDeps, signal: AbortSignal): Promise<DeviceCode | Refusal> {
  const { provider, known, clientSecret, scopes, extraParams } = deps;
  const verifier = new Secret(randomPKCECodeVerifier());
  try {
    const configuration = provider.configure(
      known,
      clientSecret,
      (_url, send) => send().then(withDeviceFields),
      signal,
    );
    const answer = await initiateDeviceAuthorization(configuration, {
      ...extraParams,
      scope: scopes.join(' '),
      code_challenge: await calculatePKCECodeChallenge(verifier.reveal()),
      code_challenge_method: 'S256',
    });
    const verificationUri = pageAddress(answer.verification_uri, provider.loopbackHttp);
    if (verificationUri === null) {
      return refuse(
        'provider',
        'oidc.device.insecureAddress',
        `${provider.host} names a login page that is no https address`,
      );
    }
    const complete = answer.verification_uri_complete;
    const expiresInSeconds = Math.min(answer.expires_in, longestLifeSeconds);
    return {
      ok: true,
      deviceCode: new Secret(answer.device_code),
      verifier,
      // No longer than the code lives: a timer that is set too far ahead fires at once, again and again.
      intervalSeconds: Math.min(Math.max(1, answer.interval ?? defaultIntervalSeconds), expiresInSeconds),
      expiresInSeconds,
      shown: {
        verificationUri,
        verificationUriComplete: complete === undefined ? null : pageAddress(complete, provider.loopbackHttp),
        userCode: displayText(answer.user_code, 64),
        expiresInSeconds,
      },
    };
  } catch (error) {
    const { assertion, key, certificate } = known.proof;
    const presented = [clientSecret, assertion].filter((secret) => secret !== null);
    const problem = problemOf(error, presented);
    const refusal = withOtherWays(deps, provider.refuseProblem(problem, 'device'));
    const provesNothing = presented.length === 0 && key === null && certificate === null;
    return provesNothing && isAboutClient(problem) ? { ...refusal, hint: secretNeeded(deps) } : refusal;
  }
}

/** Entra ID's first endpoints have a device flow of their own, from before RFC 8628. */
function withOtherWays({ name, known }: Pick<DeviceLoginDeps, 'name' | 'known'>, refusal: Refusal): Refusal {
  return /\/oauth2\/devicecode$/.test(known.metadata.device_authorization_endpoint ?? '')
    ? {
        ...refusal,
        hint: `lanyard login ${name} --browser, or --paste: the first endpoints of Entra ID poll in another form; or set issuer to https://login.microsoftonline.com/TENANT/v2.0, where the cluster accepts its tokens`,
      }
    : refusal;
}

function isAboutClient({ kind, oauthError, status }: ProviderProblem): boolean {
  return kind === 'clientRejected' || oauthError === 'unauthorized_client' || status === 401;
}

/** Some providers (Spring, Keycloak) want a proof of the client before they give it a device code. */
function secretNeeded({ name, clientId }: Pick<DeviceLoginDeps, 'name' | 'clientId'>): string {
  return `check clientId (${displayText(clientId, 100)}); where the provider wants a secret of it here: lanyard secret set ${name}/clientSecret, or lanyard login ${name} --browser`;
}

async function poll(
  deps: DeviceLoginDeps,
  code: DeviceCode,
  end: number,
  signal: AbortSignal,
): Promise<Approved | Refusal> {
  const { name, provider, known, clientSecret, clock } = deps;
  let seconds = code.intervalSeconds;
  let lastFailure: Refusal | null = null;
  for (;;) {
    await pause(clock, seconds * 1000, signal);
    if (clock.boottime() >= end) {
      return lastFailure ?? expired(name);
    }
    const requestedAt = clock.now();
    // Goes on when the login is cancelled: what it brings is ended at the provider, not left there.
    const answer = await requestTokens(
      provider,
      await provider.prove(known),
      { grant: code.deviceCode, clientSecret, verifier: code.verifier },
      (configuration) =>
        genericGrantRequest(configuration, deviceGrant, {
          device_code: code.deviceCode.reveal(),
          code_verifier: code.verifier.reveal(),
        }),
    );
    lastFailure = null;
    switch (answer.kind) {
      case 'tokens':
      case 'unusable':
        return { ok: true, answer, requestedAt };
      case 'refused':
        switch (answer.problem.oauthError) {
          case 'authorization_pending':
            continue;
          case 'slow_down':
            seconds = Math.max(seconds, Math.min(seconds + 5, longestIntervalSeconds));
            continue;
          case 'expired_token':
          // Entra ID's words for it.
          case 'code_expired':
          case 'bad_verification_code':
            return expired(name);
          case 'access_denied':
          case 'authorization_declined':
            return refuse(
              'denied',
              'oidc.device.denied',
              `the login of ${name} was denied at ${provider.host}`,
            );
        }
    }
    if (!isTransient(answer.problem)) {
      return withOtherWays(deps, answer.refusal);
    }
    // RFC 8628, 3.5: poll less often after a timeout; the user may still be typing.
    seconds = Math.max(
      seconds,
      Math.min(seconds * 2, longestIntervalSeconds),
      Math.min(answer.problem.retryAfterSeconds ?? 0, code.expiresInSeconds),
    );
    lastFailure = answer.refusal;
  }
}

/** A network that comes back, or a provider that restarts, needn't end a login. */
function isTransient({ kind, status, oauthError }: ProviderProblem): boolean {
  // The provider says that the login has ended, with any status (RFC 8628, 3.5).
  if (oauthError === 'server_error') {
    return false;
  }
  switch (kind) {
    case 'unreachable':
    case 'connectionRefused':
    case 'unknownHost':
    case 'timeout':
    case 'broken':
      return true;
    default:
      return status === 429 || (status ?? 0) >= 500;
  }
}

function expired(name: string): Refusal {
  return refuse(
    'timedOut',
    'oidc.device.expired',
    `the code for the login of ${name} ran out before it was approved`,
    `lanyard login ${name}`,
  );
}

/** Waits, or rejects at once with the signal's reason. */
async function pause(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: Disposable | null = null;
  const over = new Promise<void>((resolve) => {
    timer = clock.after(milliseconds, resolve);
  });
  try {
    await raceAbort(over, signal);
  } finally {
    await (timer as Disposable | null)?.dispose();
  }
}

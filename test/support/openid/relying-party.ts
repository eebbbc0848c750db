import { createServer } from 'node:http';
import * as client from 'openid-client';
import { Agent, fetch } from 'undici';
import type { OpenIdProvider } from '../openid-provider.ts';
import { close, listen } from './listener.ts';

const scope = 'openid offline_access profile email groups';

/** A plain OAuth client of the provider: for tests that want tokens without Lanyard. */
export interface RelyingParty {
  discover(): Promise<client.Configuration>;
  startDeviceLogin(): Promise<client.DeviceAuthorizationResponse>;
  /** Polls until it is approved, denied or over. */
  finishDeviceLogin(started: client.DeviceAuthorizationResponse): Promise<Tokens>;
  /** A whole device login. */
  logIn(as?: { login?: string }): Promise<Tokens>;
  /**
   * A whole authorization code login with PKCE, without a browser: the person's last page is the client's own
   * address, which nobody need serve. `parameters` go into the authorization request.
   */
  logInWithCode(as?: { login?: string }, parameters?: Readonly<Record<string, string>>): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  dispose(): Promise<void>;
}

export interface Tokens {
  idToken: string;
  accessToken: string;
  refreshToken: string;
  claims: Readonly<Record<string, unknown>>;
}

/** A page for the last redirect to end at. */
async function startCallback() {
  const server = createServer((_request, response) => response.end('done'));
  const port = await listen(server, 0);
  return { address: `http://127.0.0.1:${port}/callback`, dispose: () => close(server) };
}

function toTokens(answer: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers): Tokens {
  return {
    idToken: answer.id_token ?? '',
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? '',
    claims: answer.claims() ?? {},
  };
}

export function createRelyingParty(provider: OpenIdProvider): RelyingParty {
  const agent = new Agent(provider.caPem === null ? {} : { connect: { ca: provider.caPem } });
  const fetchFromProvider: client.CustomFetch = async (url, options) => {
    const response = await fetch(url, {
      method: options.method,
      headers: options.headers,
      dispatcher: agent,
      redirect: 'manual',
      ...(options.body === undefined || options.body === null ? {} : { body: String(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return new Response(await response.text(), {
      status: response.status,
      headers: [...response.headers],
    });
  };

  const discover = () =>
    client.discovery(new URL(provider.issuer), provider.clientId, undefined, client.None(), {
      [client.customFetch]: fetchFromProvider,
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
  let known: client.Configuration | null = null;
  const configuration = async () => {
    known ??= await discover();
    return known;
  };
  const startDeviceLogin = async () => client.initiateDeviceAuthorization(await configuration(), { scope });
  const finishDeviceLogin: RelyingParty['finishDeviceLogin'] = async (started) => {
    // Tests answer before they poll: no need for whole seconds.
    const eager = { ...started, interval: 0.01 };
    return toTokens(await client.pollDeviceAuthorizationGrant(await configuration(), eager));
  };
  return {
    discover,
    startDeviceLogin,
    finishDeviceLogin,
    logIn: async (as = {}) => {
      const started = await startDeviceLogin();
      await provider.person.approveDevice(started.user_code, as);
      return finishDeviceLogin(started);
    },
    logInWithCode: async (as = {}, parameters = {}) => {
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const callback = await startCallback();
      try {
        const address = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: callback.address,
          scope,
          state,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          prompt: 'consent', // else offline_access is not granted (OpenID Connect Core, 11)
          ...parameters,
        });
        const last = await provider.person.logInAt(address.href, as);
        return toTokens(
          await client.authorizationCodeGrant(await configuration(), new URL(last.url), {
            expectedState: state,
            pkceCodeVerifier: verifier,
          }),
        );
      } finally {
        await callback.dispose();
      }
    },
    refresh: async (refreshToken) =>
      toTokens(await client.refreshTokenGrant(await configuration(), refreshToken)),
    dispose: () => agent.destroy(),
  };
}

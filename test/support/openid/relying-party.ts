import * as client from 'openid-client';
import { Agent, fetch } from 'undici';
import type { OpenIdProvider } from '../openid-provider.ts';

const scope = 'openid offline_access profile email groups';

/** A plain OAuth client of the provider: for tests that want tokens without Lanyard. */
export interface RelyingParty {
  discover(): Promise<client.Configuration>;
  startDeviceLogin(): Promise<client.DeviceAuthorizationResponse>;
  /** Polls until it is approved, denied or over. */
  finishDeviceLogin(started: client.DeviceAuthorizationResponse): Promise<Tokens>;
  /** A whole device login. */
  logIn(as?: { login?: string }): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  dispose(): Promise<void>;
}

export interface Tokens {
  idToken: string;
  accessToken: string;
  refreshToken: string;
  claims: Readonly<Record<string, unknown>>;
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
    refresh: async (refreshToken) =>
      toTokens(await client.refreshTokenGrant(await configuration(), refreshToken)),
    dispose: () => agent.destroy(),
  };
}

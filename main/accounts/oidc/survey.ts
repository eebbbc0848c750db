import type { ServerMetadata } from 'openid-client';
import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import { registeredAddress } from '../../domain/login/redirect-address.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';
import { displayText } from './display-text.ts';
import { observeClient } from './examine.ts';
import { keyToLookAt } from './provider/problem-table.ts';
import type { Provider } from './provider/provider.ts';
import { exchangeGrant } from './renewal/exchange.ts';

type Offers = Pick<
  ServerMetadata,
  | 'authorization_endpoint'
  | 'response_types_supported'
  | 'device_authorization_endpoint'
  | 'code_challenge_methods_supported'
  | 'grant_types_supported'
  | 'scopes_supported'
  | 'revocation_endpoint'
  | 'end_session_endpoint'
>;

/**
 * What the user wants to know when they set up an OIDC account: whether the provider is the issuer, what it offers of
 * what the account needs, and what it must know. One request for its discovery document, and one about a public
 * client, without a secret, at the issuer's own origin: the account is not approved yet.
 */
export async function surveyOidc(
  of: {
    name: string;
    config: OidcAccountConfig;
    provider: Pick<Provider, 'examine' | 'host'>;
    isPublic(): boolean;
  },
  signal: AbortSignal,
): Promise<Observation[]> {
  const { host } = of.provider;
  const look = await of.provider.examine(signal, { isPublic: of.isPublic(), isApproved: false });
  const discovery = observe('account.discovery');
  const found: Observation[] = [];
  if (look.refusal) {
    const { message, hint = null } = look.refusal;
    found.push(discovery.problem(message, hint, keyToLookAt(look.refusal)));
  } else {
    found.push(discovery.ok(`${host} answers, and is the issuer`));
  }
  const setSecret = `lanyard secret set ${of.name}/clientSecret`;
  found.push(...observeClient(host, of.config.clientId, look.client, setSecret));
  if (look.proxy !== null) {
    found.push(observe('account.proxy').note(`${host} is reached through the proxy ${look.proxy}`));
  }
  if (look.clock !== null) {
    const hint = 'set this machine’s clock; tokens end at the wrong moment else';
    found.push(observe('account.clock').warning(look.clock, hint));
  }
  return look.metadata ? [...found, ...observeOffers(of.config, readOffers(look.metadata), host)] : found;
}

/** The values of a provider's discovery document have unchecked types: one of the wrong type counts as absent. */
function readOffers(said: Readonly<Record<string, unknown>>): Offers {
  const text = (key: keyof Offers) => (typeof said[key] === 'string' ? { [key]: said[key] } : {});
  const list = (key: keyof Offers) => {
    const value = said[key];
    return Array.isArray(value) ? { [key]: value.filter((each) => typeof each === 'string') } : {};
  };
  return {
    ...text('authorization_endpoint'),
    ...text('device_authorization_endpoint'),
    ...text('revocation_endpoint'),
    ...text('end_session_endpoint'),
    ...list('response_types_supported'),
    ...list('code_challenge_methods_supported'),
    ...list('grant_types_supported'),
    ...list('scopes_supported'),
  };
}

/** The provider's offers beside what the account wants of it. */
export function observeOffers(config: OidcAccountConfig, offers: Offers, host: string): Observation[] {
  if (config.flow === 'serviceAccountToken') {
    return [observeExchange(offers, host)];
  }
  return config.flow === 'clientCredentials'
    ? [...observeClientCredentials(offers, host), observeToken(config)]
    : [
        ...observeBrowser(config, offers, host),
        ...observeDevice(config, offers, host),
        ...observeScopes(config, offers, host),
        observeRefresh(config, offers, host),
        observeToken(config),
        observeLogout(offers, host),
      ];
}

function observeClientCredentials({ grant_types_supported: grants }: Offers, host: string): Observation[] {
  const found = observe('account.clientCredentials');
  return grants !== undefined && !grants.includes('client_credentials')
    ? [found.warning(`${host} doesn’t list the client credentials grant`, 'ask the provider’s operator')]
    : [found.ok('no login is needed: the client authenticates with its secret or key')];
}

function observeExchange({ grant_types_supported: grants }: Offers, host: string): Observation {
  const found = observe('account.exchange');
  return grants !== undefined && !grants.includes(exchangeGrant)
    ? found.warning(`${host} doesn’t list the token exchange grant`, 'ask the provider’s operator')
    : found.ok('no login is needed: the service account token of a request is exchanged');
}

function observeBrowser(config: OidcAccountConfig, offers: Offers, host: string): Observation[] {
  const found = observe('account.browser');
  if (config.flow === 'device') {
    return [];
  }
  const types = offers.response_types_supported ?? ['code'];
  if (offers.authorization_endpoint === undefined || !types.includes('code')) {
    const message = `${host} offers no login in a browser (authorization code)`;
    return [
      config.flow === 'browser'
        ? found.problem(message, 'choose a device code', 'flow')
        : found.note(message),
    ];
  }
  const address = observe('account.redirect').note(
    `register this redirect URI with your provider: ${registeredAddress(config)}`,
    'for this client; if it has no port, the provider must allow any port on 127.0.0.1',
  );
  const methods = offers.code_challenge_methods_supported;
  return [
    methods?.includes('S256')
      ? found.ok('login in a browser, protected by PKCE')
      : found.note(
          'login in a browser; the provider doesn’t say that it checks PKCE (Lanyard sends it anyway)',
        ),
    address,
  ];
}

function observeDevice(config: OidcAccountConfig, offers: Offers, host: string): Observation[] {
  const found = observe('account.device');
  if (offers.device_authorization_endpoint !== undefined) {
    return [found.ok('login with a code on another device')];
  }
  const message = `${host} offers no login with a device code`;
  if (config.flow === 'device') {
    return [found.problem(message, 'choose the browser', 'flow')];
  }
  return [found.note(`${message}: without a display, login isn’t possible`)];
}

function observeScopes(config: OidcAccountConfig, offers: Offers, host: string): Observation[] {
  const known = offers.scopes_supported;
  const found = observe('account.scopes');
  const missing = known === undefined ? [] : config.scopes.filter((scope) => !known.includes(scope));
  const noOpenId = config.scopes.includes('openid')
    ? []
    : [
        found.problem(
          'without the scope openid the provider doesn’t say who logged in',
          'add openid to the scopes',
          'scopes',
        ),
      ];
  return missing.length === 0
    ? noOpenId
    : [
        ...noOpenId,
        found.warning(
          `${host} doesn’t list ${missing.map((scope) => displayText(scope)).join(', ')} among its scopes`,
          'some providers leave scopes out of their list; a login shows whether it is refused',
          'scopes',
        ),
      ];
}

function observeRefresh(config: OidcAccountConfig, offers: Offers, host: string): Observation {
  const found = observe('account.refresh');
  const { grant_types_supported: grants } = offers;
  if (grants !== undefined && !grants.includes('refresh_token')) {
    return found.warning(
      `${host} doesn’t list refresh tokens: you have to log in each time the token expires`,
    );
  }
  return config.scopes.includes('offline_access') || new URL(config.issuer).host === 'accounts.google.com'
    ? found.ok('renewed automatically after the first login')
    : found.warning(
        'no refresh token is asked for: you may have to log in each time the token expires',
        'add offline_access to the scopes (some providers give one without)',
        'scopes',
      );
}

function observeToken({ token, flow }: OidcAccountConfig): Observation {
  const isAccess = token === 'access' || flow === 'clientCredentials';
  return observe('account.token').note(
    isAccess ? 'clusters get the access token' : 'clusters get the ID token, as Kubernetes expects',
  );
}

function observeLogout(offers: Offers, host: string): Observation {
  const found = observe('account.logout');
  return offers.revocation_endpoint === undefined
    ? found.note(`${host} revokes no tokens: after a logout they expire there`)
    : found.ok('a logout revokes the tokens');
}

import type { ServerMetadata } from 'openid-client';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { LoginWish } from '../../../ports/account.ts';

export interface FlowQuestion {
  name: string;
  config: Pick<OidcAccountConfig, 'flow'>;
  wish: LoginWish;
  /** A browser could be opened on a display of this machine. */
  hasDisplay: boolean;
  metadata: Pick<
    ServerMetadata,
    'authorization_endpoint' | 'response_types_supported' | 'device_authorization_endpoint'
  >;
  /** The provider's, for messages. */
  host: string;
}

export type ChosenFlow =
  | { ok: true; flow: 'device' }
  /** `open`: the requester will see a page that opens here. */
  | { ok: true; flow: 'browser'; open: boolean }
  | Refusal;

/** How the user logs in: as they wish, else as the account says, else in a browser where they would see it. */
export function chooseFlow({ name, config, wish, hasDisplay, metadata, host }: FlowQuestion): ChosenFlow {
  const hasBrowser =
    metadata.authorization_endpoint !== undefined &&
    (metadata.response_types_supported ?? ['code']).includes('code');
  const hasDevice = metadata.device_authorization_endpoint !== undefined;
  const open = hasDisplay && wish.atThisMachine;
  const asked = wish.flow ?? (config.flow === 'browser' || config.flow === 'device' ? config.flow : null);

  if (asked === 'device') {
    return hasDevice
      ? { ok: true, flow: 'device' }
      : refuse(
          'provider',
          'oidc.device.missingEndpoint',
          `${host} offers no login by device code (RFC 8628)`,
          hasBrowser ? `lanyard login ${name} --browser` : undefined,
        );
  }
  if (asked === 'browser' || asked === 'paste') {
    return hasBrowser
      ? { ok: true, flow: 'browser', open: open && asked === 'browser' }
      : refuse(
          'provider',
          'oidc.authorization.missingEndpoint',
          `${host} offers no login by authorization code`,
          hasDevice ? `lanyard login ${name} --device` : undefined,
        );
  }
  if (hasBrowser && (open || !hasDevice)) {
    return open || wish.canBring
      ? { ok: true, flow: 'browser', open }
      : refuse(
          'loginNeeded',
          'oidc.login.noDisplay',
          `${host} offers no login by device code, and there is no display here for a browser`,
          `lanyard login ${name} --paste, at a terminal: it shows an address to open in a browser on any machine`,
        );
  }
  return hasDevice
    ? { ok: true, flow: 'device' }
    : refuse(
        'provider',
        'oidc.login.noFlow',
        `${host} offers neither a login by authorization code nor one by device code`,
        `check the issuer of ${name}`,
      );
}

import type { Secret } from '../../base/secret.ts';
import { jwtSubject } from '../credential/jwt-life.ts';
import { registeredAddress } from '../login/redirect-address.ts';
import { visibleText } from '../text/visible-text.ts';
import { type AccountSources, left, type MadeAccount } from './made-account.ts';
import { isGoogle, oidcEntry } from './oidc-entry.ts';

/** The replacement for a provider that client-go once had built in. */
const successors: Readonly<Record<string, string>> = {
  gcp: 'kubectl knows it no more since 1.26: install gke-gcloud-auth-plugin, and run gcloud container clusters get-credentials again',
  azure: 'kubectl knows it no more since 1.26: Azure’s kubelogin replaces it (kubelogin convert-kubeconfig)',
  openstack: 'kubectl knows it no more: an exec plugin, client-keystone-auth, replaces it',
};

/** A legacy `auth-provider`. Its config's keys are those of client-go's plugin/pkg/client/auth/oidc. */
export function authProviderAccount(
  name: string,
  config: Readonly<Record<string, Secret>>,
  sources: AccountSources,
): MadeAccount {
  if (name !== 'oidc') {
    return left(
      Object.hasOwn(successors, name)
        ? `auth-provider ${name}: ${successors[name]}`
        : `auth-provider ${visibleText(name, 80)} is not one that Lanyard knows`,
    );
  }
  const said = (key: string) => (Object.hasOwn(config, key) ? config[key]?.reveal() || null : null);
  const issuer = said('idp-issuer-url');
  const data = said('idp-certificate-authority-data');
  const file = said('idp-certificate-authority');
  const extra = (said('extra-scopes') ?? '').split(',').map((scope) => scope.trim());
  const offline = isGoogle(issuer) ? [] : ['offline_access'];
  const scopes = [...new Set(['openid', ...offline, ...extra.filter((scope) => scope !== '')])];
  const subject = jwtSubject(said('id-token') ?? '');
  const hasTokens = said('refresh-token') !== null || said('id-token') !== null;
  return oidcEntry(
    {
      issuer,
      clientId: said('client-id'),
      clientSecret: said('client-secret'),
      // As in client-go: data before the file.
      authority: { data: data === null ? [] : [data], files: data === null && file !== null ? [file] : [] },
      more: {
        scopes,
        extraParams: isGoogle(issuer) ? { access_type: 'offline', prompt: 'consent' } : undefined,
      },
      apart: subject === null ? {} : { 'the user of its id token': subject },
      notes: [
        ...(hasTokens
          ? [
              'its cached tokens are not taken: with two owners of one refresh token, each would have the other’s revoked',
            ]
          : []),
        `the way back of its login has to be registered at the provider: ${registeredAddress({ issuer: issuer ?? '', redirectPorts: [] })} with any port; or set redirectUri to one that is`,
      ],
    },
    sources,
  );
}

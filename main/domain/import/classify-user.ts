import type { Secret } from '../../base/secret.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import { plainAddress } from '../text/plain-address.ts';
import { visibleText } from '../text/visible-text.ts';
import { type Authentication, chooseAuthentication } from './authentication.ts';
import { identifyExec } from './exec-plugin.ts';
import type { KubeUserKind } from './import-plan.ts';
import type { KubeUser } from './kubeconfig.ts';
import { parseKubeloginFlags } from './kubelogin-flags.ts';

/** The kind of a kubeconfig's user, by the rules of client-go; `description` is for display, without secrets. */
export interface ClassifiedUser {
  kind: KubeUserKind;
  description: string;
}

/** The kind of `user`, with a description. */
export function describeUser(user: KubeUser): ClassifiedUser {
  return describe(chooseAuthentication(user).authentication);
}

/** The kind alone. */
export function classifyUser(user: KubeUser): KubeUserKind {
  return describeUser(user).kind;
}

function describe(authentication: Authentication): ClassifiedUser {
  switch (authentication.by) {
    case 'token':
      return { kind: 'staticToken', description: 'static token' };
    case 'tokenFile':
      return { kind: 'tokenFile', description: `token file ${visibleText(authentication.file.path)}` };
    case 'certificate': {
      const paths = [authentication.certificate.path, authentication.key.path].filter(
        (path) => path !== null,
      );
      const where =
        paths.length === 0 ? '' : ` in ${[...new Set(paths)].map((path) => visibleText(path)).join(' and ')}`;
      return { kind: 'clientCertificate', description: `client certificate${where}` };
    }
    case 'certificateAndMore':
      return { kind: 'clientCertificate', description: `client certificate and ${authentication.more}` };
    case 'exec':
      return describeExec(authentication.exec);
    case 'authProvider': {
      const { name, config } = authentication;
      if (name !== 'oidc') {
        return { kind: 'authProvider', description: `auth-provider ${visibleText(name, 80)}` };
      }
      const said = (key: string) => (Object.hasOwn(config, key) ? (config[key]?.reveal() ?? null) : null);
      return {
        kind: 'authProviderOidc',
        description: `auth-provider oidc${provider(said('idp-issuer-url'), said('client-id'))}`,
      };
    }
    case 'basic':
      return { kind: 'basicAuth', description: 'user name and password' };
    case 'nothing':
      return { kind: 'anonymous', description: 'nothing that authenticates' };
    case 'placeholder':
      return {
        kind: 'placeholder',
        description: `placeholder in place of ${authentication.keys.map((key) => visibleText(key, 80)).join(' and ')}`,
      };
    case 'invalid':
      return { kind: 'invalid', description: `refused by kubectl: it ${authentication.fault}` };
  }
}

function describeExec(exec: { command: string; args: readonly Secret[] }): ClassifiedUser {
  const plugin = identifyExec(exec);
  if (plugin.what === 'lanyard') {
    return { kind: 'lanyard', description: 'Lanyard’s helper' };
  }
  if (plugin.what === 'other') {
    return { kind: 'execPlugin', description: `exec plugin ${plugin.name}` };
  }
  const parsed = parseKubeloginFlags(plugin.flags);
  const at = parsed.ok
    ? provider(parsed.flags.text('oidc-issuer-url'), parsed.flags.text('oidc-client-id'))
    : '';
  return { kind: 'kubelogin', description: `kubelogin${at}` };
}

function provider(issuer: string | null, clientId: string | null): string {
  const at =
    issuer !== null && parseUrl(issuer) !== null ? ` at ${visibleText(plainAddress(issuer), 300)}` : '';
  return `${at}${clientId === null ? '' : ` (${visibleText(clientId, 200)})`}`;
}

import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';
import type { KubeExec, KubeUser, NamedFile } from './kubeconfig.ts';
import { placeholdersOf } from './placeholder.ts';

type Certificate = NonNullable<KubeUser['clientCertificate']>;
type Key = NonNullable<KubeUser['clientKey']>;

/** What client-go sends a server for a user. */
export type Authentication =
  | { by: 'token'; token: Secret }
  | { by: 'tokenFile'; file: NamedFile<Secret> }
  | { by: 'certificate'; certificate: Certificate; key: Key }
  /** Both a certificate and something in the Authorization header. */
  | { by: 'certificateAndMore'; more: string }
  | { by: 'exec'; exec: KubeExec }
  | { by: 'authProvider'; name: string; config: Readonly<Record<string, Secret>> }
  | { by: 'basic' }
  | { by: 'nothing' }
  /** A tool left the secrets of these keys out. */
  | { by: 'placeholder'; keys: readonly string[] }
  /** kubectl rejects the user; `fault` continues "the user". */
  | { by: 'invalid'; fault: string };

export interface ChosenAuthentication {
  authentication: Authentication;
  /** Sentences on further credentials of the user that are ignored. */
  notes: readonly string[];
}

/**
 * Which of a user's credentials apply, as client-go chooses: validateAuthInfo (tools/clientcmd) for what it rejects,
 * Authenticator.UpdateTransportConfig (exec) and HTTPWrappersForConfig (transport) for precedence.
 */
export function chooseAuthentication(user: KubeUser): ChosenAuthentication {
  const keys = placeholdersOf(user);
  if (keys.length > 0) {
    return { authentication: { by: 'placeholder', keys }, notes: [] };
  }
  const fault = faultOf(user);
  if (fault !== null) {
    return { authentication: { by: 'invalid', fault }, notes: [] };
  }
  const header = headerOf(user);
  const { clientCertificate: certificate, clientKey: key, exec, authProvider } = user;
  const notes: string[] = [];
  if (key && !certificate) {
    notes.push('its key has no certificate, so no tool uses it');
  }
  if (certificate && key) {
    if (header?.by === 'token' || header?.by === 'tokenFile' || authProvider) {
      const more = header ? 'a token' : 'an auth-provider';
      return { authentication: { by: 'certificateAndMore', more }, notes };
    }
    if (header?.by === 'basic') {
      notes.push('its user name and password are dropped: no server takes them any more');
    }
    return { authentication: { by: 'certificate', certificate, key }, notes: [...notes, ...execNote(exec)] };
  }
  if (header) {
    if (authProvider) {
      notes.push(
        `its auth-provider is not used: ${header.by === 'basic' ? 'the password' : 'the token'} counts`,
      );
    }
    if (header.by === 'token' && user.tokenFile) {
      notes.push(`its token file ${user.tokenFile.path} can’t be read, so the token beside it counts`);
    }
    if (header.by === 'tokenFile' && isSaid(user.token)) {
      notes.push('the token beside its token file is not used: the file counts');
    }
    return { authentication: header, notes: [...notes, ...execNote(exec)] };
  }
  if (exec) {
    return { authentication: { by: 'exec', exec }, notes };
  }
  return {
    authentication: authProvider ? { by: 'authProvider', ...authProvider } : { by: 'nothing' },
    notes,
  };
}

/** Why kubectl rejects the user; null: it doesn't. */
function faultOf(user: KubeUser): string | null {
  const { exec } = user;
  if (exec && user.authProvider) {
    return 'has an exec plugin beside an auth-provider';
  }
  if (exec && exec.command === '') {
    return 'has an exec plugin without a command';
  }
  if (exec && !exec.apiVersion) {
    return 'has an exec plugin without an apiVersion';
  }
  const versionFault = exec && faultOfExec(exec);
  if (versionFault) {
    return versionFault;
  }
  const [name, password] = [isSaid(user.username), isSaid(user.password)];
  if ((isSaid(user.token) && (name || password)) || (user.tokenFile && name)) {
    return 'has a token beside a user name and password';
  }
  return user.clientCertificate && !user.clientKey ? 'has a client certificate without its key' : null;
}

/**
 * Versions that this kind of client has ever known; includes those before an interactive mode was required (KEP-541).
 */
const execVersions: Readonly<Record<string, 'saysMode' | 'mayNot'>> = {
  'client.authentication.k8s.io/v1': 'saysMode',
  'client.authentication.k8s.io/v1beta1': 'mayNot',
  'client.authentication.k8s.io/v1alpha1': 'mayNot',
};

/** By validateAuthInfo, SetDefaults_ExecConfig and newAuthenticator (plugin/pkg/client/auth/exec): also where it would not run. */
function faultOfExec({ apiVersion, interactiveMode, env }: KubeExec): string | null {
  const known = Object.hasOwn(execVersions, apiVersion ?? '') ? execVersions[apiVersion ?? ''] : undefined;
  if (env.some(({ name }) => name === '')) {
    return 'has an exec plugin with a variable without a name';
  }
  if (interactiveMode === null && known !== 'mayNot') {
    return 'has an exec plugin without an interactiveMode';
  }
  if (interactiveMode !== null && !/^(Never|IfAvailable|Always)$/.test(interactiveMode)) {
    return `has an exec plugin with an interactiveMode that there isn’t: ${visibleText(interactiveMode, 80)}`;
  }
  return known === undefined
    ? `has an exec plugin of an apiVersion that no client knows: ${visibleText(apiVersion ?? '', 80)}`
    : null;
}

/** The kind of Authorization header that the file leads to; null: none. */
function headerOf(user: KubeUser): Extract<Authentication, { by: 'token' | 'tokenFile' | 'basic' }> | null {
  // The file is read repeatedly, and applies while it can be read; the token is the fallback.
  if (user.tokenFile && (user.tokenFile.ok || !isSaid(user.token))) {
    return { by: 'tokenFile', file: user.tokenFile };
  }
  if (user.token && !user.token.isEmpty) {
    return { by: 'token', token: user.token };
  }
  // A password without a user name is not sent; it applies only where there is nothing else.
  const alone = !user.exec && !user.authProvider && !user.clientCertificate;
  return isSaid(user.username) || (isSaid(user.password) && alone) ? { by: 'basic' } : null;
}

function execNote(exec: KubeExec | null): string[] {
  return exec ? ['its exec plugin is not run by any tool: what stands beside it counts'] : [];
}

function isSaid(value: Secret | string | null): boolean {
  return value !== null && (typeof value === 'string' ? value !== '' : !value.isEmpty);
}

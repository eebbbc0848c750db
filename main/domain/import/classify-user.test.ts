import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { classifyUser, describeUser } from './classify-user.ts';
import type { KubeUser } from './kubeconfig.ts';
import { authProvider, kubeExec, kubeUser } from './testing/kube.ts';
import { userAccount } from './user-account.ts';

const token = new Secret('canary-token');
const password = new Secret('canary-password');
const tokenFile: KubeUser['tokenFile'] = { path: '/run/token', ok: true, content: new Secret('canary-file') };
const goneFile: KubeUser['tokenFile'] = { path: '/run/token', ok: false, fault: '/run/token does not exist' };
const clientCertificate: KubeUser['clientCertificate'] = { path: null, ok: true, pem: 'x' };
const clientKey: KubeUser['clientKey'] = { path: null, ok: true, pem: new Secret('canary-key') };
const exec = kubeExec('aws', ['eks', 'get-token']);
const oidc = authProvider('oidc', { 'idp-issuer-url': 'https://id.example.com', 'client-id': 'kubernetes' });

// client-go: tools/clientcmd (validateAuthInfo, getUserIdentificationPartialConfig), transport (HTTPWrappersForConfig),
// plugin/pkg/client/auth/exec (UpdateTransportConfig).
describe('what a user is, by what client-go takes of it', () => {
  const expectKind = (fields: Partial<KubeUser>, kind: string, description: string) => {
    const user = kubeUser('me', fields);
    expect(describeUser(user)).toEqual({ kind, description });
    expect(classifyUser(user)).toBe(kind);
  };
  const pair = { clientCertificate, clientKey };
  const inFiles: Partial<KubeUser> = {
    clientCertificate: { path: '/c.crt', ok: true, pem: 'x' },
    clientKey: { ...clientKey, path: '/c.key' },
  };
  const fileWords = 'token file /run/token';
  const pluginWords = 'exec plugin aws (EKS)';
  const nothing = 'nothing that authenticates';
  const withoutMode = (version: string) => ({
    exec: { ...exec, apiVersion: `client.authentication.k8s.io/${version}`, interactiveMode: null },
  });
  test.each<[string, Partial<KubeUser>, string, string]>([
    ['a token', { token }, 'staticToken', 'static token'],
    ['a token file', { tokenFile }, 'tokenFile', fileWords],
    ['a readable token file beside a token', { token, tokenFile }, 'tokenFile', fileWords],
    [
      'an unreadable token file beside a token',
      { token, tokenFile: goneFile },
      'staticToken',
      'static token',
    ],
    ['an unreadable token file', { tokenFile: goneFile }, 'tokenFile', fileWords],
    ['a certificate', pair, 'clientCertificate', 'client certificate'],
    ['a certificate in files', inFiles, 'clientCertificate', 'client certificate in /c.crt and /c.key'],
    [
      'a certificate and a token: both are sent',
      { token, ...pair },
      'clientCertificate',
      'client certificate and a token',
    ],
    [
      'a certificate and an auth-provider: both are sent',
      { authProvider: oidc, ...pair },
      'clientCertificate',
      'client certificate and an auth-provider',
    ],
    ['a key alone', { clientKey }, 'anonymous', nothing],
    ['a user name and password', { username: 'u', password }, 'basicAuth', 'user name and password'],
    ['a plugin', { exec }, 'execPlugin', pluginWords],
    ['a plugin of v1beta1 without a mode', withoutMode('v1beta1'), 'execPlugin', pluginWords],
    ['a plugin of v1alpha1, which Lanyard still takes', withoutMode('v1alpha1'), 'execPlugin', pluginWords],
    ['nothing', {}, 'anonymous', nothing],
  ])('%s', (_, fields, kind, description) => {
    expectKind(fields, kind, description);
  });

  test.each<[string, Partial<KubeUser>, string, string]>([
    ['a token', { token }, 'staticToken', 'static token'],
    ['a token file', { tokenFile }, 'tokenFile', fileWords],
    ['a certificate', pair, 'clientCertificate', 'client certificate'],
    ['a user name', { username: 'u', password }, 'basicAuth', 'user name and password'],
    ['a password without a name', { password }, 'execPlugin', pluginWords],
    ['a key without a certificate', { clientKey }, 'execPlugin', pluginWords],
    ['an empty token', { token: new Secret('') }, 'execPlugin', pluginWords],
  ])('KEP-541/static-beside-exec: %s beside a plugin', (_, fields, kind, description) => {
    expectKind({ ...fields, exec }, kind, description);
  });

  const oidcWords = 'auth-provider oidc at https://id.example.com (kubernetes)';
  test.each<[string, Partial<KubeUser>, string, string]>([
    ['the legacy oidc provider', { authProvider: oidc }, 'authProviderOidc', oidcWords],
    ['the legacy gcp provider', { authProvider: authProvider('gcp') }, 'authProvider', 'auth-provider gcp'],
    ['a token beside the legacy provider', { token, authProvider: oidc }, 'staticToken', 'static token'],
  ])('KEP-541/legacy-auth-provider: %s', (_, fields, kind, description) => {
    expectKind(fields, kind, description);
  });

  const unknownVersion = 'client.authentication.k8s.io/v2\u001b';
  // The token: it is refused even where the plugin would not run.
  test.each<[string, Partial<KubeUser>]>([
    ['an exec plugin beside an auth-provider', { exec, authProvider: oidc }],
    ['a token beside a user name and password', { token, username: 'u', password }],
    ['a token beside a user name and password', { tokenFile, username: 'u' }],
    ['a client certificate without its key', { clientCertificate }],
    ['an exec plugin without an apiVersion', { token, exec: { ...exec, apiVersion: null } }],
    ['an exec plugin without an interactiveMode', { token, exec: { ...exec, interactiveMode: null } }],
    [
      'an exec plugin of an apiVersion that no client knows: client.authentication.k8s.io/v2\\u{1b}',
      { token, exec: { ...exec, apiVersion: unknownVersion } },
    ],
    [
      'an exec plugin with an interactiveMode that there isn’t: never',
      { exec: { ...exec, interactiveMode: 'never' } },
    ],
    [
      'an exec plugin with a variable without a name',
      { exec: { ...exec, env: [{ name: '', value: token }] } },
    ],
    ['an exec plugin without a command', { exec: { ...exec, command: '' } }],
  ])('refused by kubectl: it has %s', (fault, fields) => {
    expectKind(fields, 'invalid', `refused by kubectl: it has ${fault}`);
  });

  const issuer = '--oidc-issuer-url=https://id.example.com/realms/a';
  const atIssuer = 'kubelogin at https://id.example.com/realms/a';
  const azure = 'exec plugin kubelogin of Azure (AKS)';
  test.each<[string, string[], string, string]>([
    ['/opt/lanyard/bin/lanyard', ['kube-credential', '--account', 'a'], 'lanyard', 'Lanyard’s helper'],
    ['C:\\Lanyard\\bin\\lanyard.exe', ['kube-credential'], 'lanyard', 'Lanyard’s helper'],
    ['lanyard', ['status'], 'execPlugin', 'exec plugin lanyard'],
    ['kubectl', ['oidc-login', 'get-token', issuer], 'kubelogin', atIssuer],
    [
      '/usr/local/bin/kubelogin',
      ['get-token', '--oidc-client-id', 'k', issuer],
      'kubelogin',
      `${atIssuer} (k)`,
    ],
    ['kubectl-oidc_login', ['get-token', issuer], 'kubelogin', atIssuer],
    ['kubelogin.exe', ['get-token', issuer], 'kubelogin', atIssuer],
    ['kubelogin', ['get-token', '--server-id', 's', '--login', 'azurecli'], 'execPlugin', azure],
    ['kubelogin', ['get-token', '-l', 'devicecode'], 'execPlugin', azure],
    ['kubectl', ['oidc-login', 'setup'], 'execPlugin', 'exec plugin kubectl'],
    ['gke-gcloud-auth-plugin', [], 'execPlugin', 'exec plugin gke-gcloud-auth-plugin (GKE)'],
    ['/home/me/bin/tsh', ['kube', 'credentials'], 'execPlugin', 'exec plugin tsh (Teleport)'],
    ['./own\u001b[31m.sh', ['--token', 'canary'], 'execPlugin', 'exec plugin own\\u{1b}[31m.sh'],
    ['constructor', [], 'execPlugin', 'exec plugin constructor'],
  ])('the plugin %s %j', (command, args, kind, description) => {
    expect(describeUser(kubeUser('me', { exec: kubeExec(command, args) }))).toEqual({ kind, description });
  });
});

test('KEP-541/static-beside-exec: what doesn’t count is said', () => {
  const places = { authorityFiles: new Map(), homeDirectory: '/h', searchPath: null, programOf: () => null };
  const options = { ...places, now: 0, inPlace: false };
  const notes = (fields: Partial<KubeUser>) => {
    const made = userAccount(kubeUser('me', fields), options);
    return made.ok ? made.notes : made.left;
  };
  expect(notes({ token, exec })).toEqual([
    'its exec plugin is not run by any tool: what stands beside it counts',
  ]);
  expect(notes({ token, tokenFile })).toContain(
    'the token beside its token file is not used: the file counts',
  );
  expect(notes({ token, tokenFile: goneFile })).toEqual([
    'its token file /run/token can’t be read, so the token beside it counts',
  ]);
  expect(notes({ token, authProvider: oidc })).toEqual(['its auth-provider is not used: the token counts']);
  expect(notes({ token, clientKey })).toEqual(['its key has no certificate, so no tool uses it']);
});

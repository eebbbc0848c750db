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
  test.each<[string, Partial<KubeUser>, string, string]>([
    ['a token', { token }, 'staticToken', 'static token'],
    ['a token file', { tokenFile }, 'tokenFile', 'token file /run/token'],
    ['a readable token file beside a token', { token, tokenFile }, 'tokenFile', 'token file /run/token'],
    [
      'an unreadable token file beside a token',
      { token, tokenFile: goneFile },
      'staticToken',
      'static token',
    ],
    ['an unreadable token file', { tokenFile: goneFile }, 'tokenFile', 'token file /run/token'],
    ['a certificate', { clientCertificate, clientKey }, 'clientCertificate', 'client certificate'],
    [
      'a certificate in files',
      {
        clientCertificate: { path: '/c.crt', ok: true, pem: 'x' },
        clientKey: { ...clientKey, path: '/c.key' },
      },
      'clientCertificate',
      'client certificate in /c.crt and /c.key',
    ],
    [
      'a certificate beside a token: both are sent',
      { token, clientCertificate, clientKey },
      'clientCertificate',
      'client certificate and a token',
    ],
    [
      'a certificate beside an auth-provider: both are sent',
      { authProvider: oidc, clientCertificate, clientKey },
      'clientCertificate',
      'client certificate and an auth-provider',
    ],
    ['a key alone', { clientKey }, 'anonymous', 'nothing that authenticates'],
    ['a user name and password', { username: 'u', password }, 'basicAuth', 'user name and password'],
    ['a plugin', { exec }, 'execPlugin', 'exec plugin aws (EKS)'],
    ['KEP-541/static-beside-exec: a token beside a plugin', { token, exec }, 'staticToken', 'static token'],
    [
      'KEP-541/static-beside-exec: a token file beside a plugin',
      { tokenFile, exec },
      'tokenFile',
      'token file /run/token',
    ],
    [
      'KEP-541/static-beside-exec: a certificate beside a plugin',
      { clientCertificate, clientKey, exec },
      'clientCertificate',
      'client certificate',
    ],
    [
      'KEP-541/static-beside-exec: a user name beside a plugin',
      { username: 'u', password, exec },
      'basicAuth',
      'user name and password',
    ],
    [
      'KEP-541/static-beside-exec: a password without a name beside a plugin',
      { password, exec },
      'execPlugin',
      'exec plugin aws (EKS)',
    ],
    [
      'KEP-541/static-beside-exec: a key without a certificate beside a plugin',
      { clientKey, exec },
      'execPlugin',
      'exec plugin aws (EKS)',
    ],
    [
      'KEP-541/static-beside-exec: an empty token beside a plugin',
      { token: new Secret(''), exec },
      'execPlugin',
      'exec plugin aws (EKS)',
    ],
    [
      'KEP-541/legacy-auth-provider: the legacy oidc provider',
      { authProvider: oidc },
      'authProviderOidc',
      'auth-provider oidc at https://id.example.com (kubernetes)',
    ],
    [
      'KEP-541/legacy-auth-provider: the legacy gcp provider',
      { authProvider: authProvider('gcp') },
      'authProvider',
      'auth-provider gcp',
    ],
    [
      'KEP-541/legacy-auth-provider: a token beside the legacy provider',
      { token, authProvider: oidc },
      'staticToken',
      'static token',
    ],
    ['nothing', {}, 'anonymous', 'nothing that authenticates'],
    [
      'a provider beside a plugin',
      { exec, authProvider: oidc },
      'invalid',
      'refused by kubectl: it has an exec plugin beside an auth-provider',
    ],
    [
      'a token beside a password',
      { token, username: 'u', password },
      'invalid',
      'refused by kubectl: it has a token beside a user name and password',
    ],
    [
      'a token file beside a user name',
      { tokenFile, username: 'u' },
      'invalid',
      'refused by kubectl: it has a token beside a user name and password',
    ],
    [
      'a certificate without its key',
      { clientCertificate },
      'invalid',
      'refused by kubectl: it has a client certificate without its key',
    ],
    [
      'a plugin without a version, even where it would not run',
      { token, exec: { ...exec, apiVersion: null } },
      'invalid',
      'refused by kubectl: it has an exec plugin without an apiVersion',
    ],
    [
      'a plugin of v1 without a mode, even where it would not run',
      { token, exec: { ...exec, interactiveMode: null } },
      'invalid',
      'refused by kubectl: it has an exec plugin without an interactiveMode',
    ],
    [
      'a plugin of v1beta1 without a mode',
      { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: null } },
      'execPlugin',
      'exec plugin aws (EKS)',
    ],
    [
      'a plugin of v1alpha1, which Lanyard still takes',
      { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1', interactiveMode: null } },
      'execPlugin',
      'exec plugin aws (EKS)',
    ],
    [
      'a plugin of an unknown version, even where it would not run',
      { token, exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v2\u001b' } },
      'invalid',
      'refused by kubectl: it has an exec plugin of an apiVersion that no client knows: client.authentication.k8s.io/v2\\u{1b}',
    ],
    [
      'a plugin of an unknown mode',
      { exec: { ...exec, interactiveMode: 'never' } },
      'invalid',
      'refused by kubectl: it has an exec plugin with an interactiveMode that there isn’t: never',
    ],
    [
      'a plugin with a variable without a name',
      { exec: { ...exec, env: [{ name: '', value: token }] } },
      'invalid',
      'refused by kubectl: it has an exec plugin with a variable without a name',
    ],
    [
      'a plugin without a command',
      { exec: { ...exec, command: '' } },
      'invalid',
      'refused by kubectl: it has an exec plugin without a command',
    ],
  ])('%s', (_, fields, kind, description) => {
    const user = kubeUser('me', fields);
    expect(describeUser(user)).toEqual({ kind, description });
    expect(classifyUser(user)).toBe(kind);
  });

  const issuer = '--oidc-issuer-url=https://id.example.com/realms/a';
  test.each<[string, string[], string, string]>([
    ['/opt/lanyard/bin/lanyard', ['kube-credential', '--account', 'a'], 'lanyard', 'Lanyard’s helper'],
    ['C:\\Lanyard\\bin\\lanyard.exe', ['kube-credential'], 'lanyard', 'Lanyard’s helper'],
    ['lanyard', ['status'], 'execPlugin', 'exec plugin lanyard'],
    [
      'kubectl',
      ['oidc-login', 'get-token', issuer],
      'kubelogin',
      'kubelogin at https://id.example.com/realms/a',
    ],
    [
      '/usr/local/bin/kubelogin',
      ['get-token', '--oidc-client-id', 'k', issuer],
      'kubelogin',
      'kubelogin at https://id.example.com/realms/a (k)',
    ],
    [
      'kubectl-oidc_login',
      ['get-token', issuer],
      'kubelogin',
      'kubelogin at https://id.example.com/realms/a',
    ],
    ['kubelogin.exe', ['get-token', issuer], 'kubelogin', 'kubelogin at https://id.example.com/realms/a'],
    [
      'kubelogin',
      ['get-token', '--server-id', 's', '--login', 'azurecli'],
      'execPlugin',
      'exec plugin kubelogin of Azure (AKS)',
    ],
    ['kubelogin', ['get-token', '-l', 'devicecode'], 'execPlugin', 'exec plugin kubelogin of Azure (AKS)'],
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

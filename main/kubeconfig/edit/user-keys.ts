/**
 * All keys of a kubeconfig's user that authenticate it (k8s.io/client-go/tools/clientcmd/api/v1, AuthInfo). Beside
 * them there are those that impersonate (`as…`), and extensions.
 */
export const authenticationKeys: ReadonlySet<string> = new Set([
  'token',
  'tokenFile',
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'username',
  'password',
  'auth-provider',
  'exec',
]);

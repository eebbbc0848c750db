import { isMapping } from './is-mapping.ts';
import { signsOnly } from './sign-fit.ts';

/** Why an account of such a kind doesn’t suit an entry, as the end of a message; `error`: it never works. */
export interface Unfit {
  severity: 'error' | 'warning';
  text: string;
}

/** Who takes an account’s credential: a cluster, one behind the request proxy, a header of its chain, a registry. */
export type Taker = 'cluster' | 'proxiedCluster' | 'header' | 'registry';

/**
 * What a cluster, a header of its chain or a registry can’t get from its account. `account`: as it is written, of whatever shape; `name`: as
 * messages show it. Null: it suits, or what is wrong with it is found elsewhere.
 */
export function accountFault(what: Taker, name: string, account: unknown): Unfit | null {
  return isMapping(account) ? faults[what](name, account) : null;
}

const faults: Record<Taker, (name: string, account: Record<string, unknown>) => Unfit | null> = {
  cluster: clusterFault,
  proxiedCluster: proxiedFault,
  header: headerFault,
  registry: registryFault,
};

/** Behind the request proxy a user name and password is basic authentication (RFC 7617). */
function proxiedFault(name: string, account: Record<string, unknown>): Unfit | null {
  const plugin = Object.hasOwn(account, 'execPlugin') ? account['execPlugin'] : null;
  if (isMapping(plugin) && plugin['share'] === false) {
    const text = `the request proxy has one credential for all its clients; the answer of ${name} is for one terminal alone (share: false)`;
    return { severity: 'error', text };
  }
  // Whether a step of the chain signs with it, only the cluster knows (sign-fit.ts).
  return Object.hasOwn(account, 'registry') || signsOnly(account) ? null : clusterFault(name, account);
}

function headerFault(name: string, account: Record<string, unknown>): Unfit | null {
  if (Object.hasOwn(account, 'secretReader') || Object.hasOwn(account, 'kubeconfigSecretReader')) {
    return { severity: 'error', text: `${name} reads credentials of clusters, and a header is none` };
  }
  return Object.hasOwn(account, 'clientCertificate')
    ? { severity: 'error', text: `a header takes a token or a password; ${name} has a certificate` }
    : signsOnly(account)
      ? { severity: 'error', text: `${name} signs requests, and has nothing that a header can carry` }
      : proxiedFault(name, account);
}

/** Why arguments and variables that a cluster adds to a plugin reach none with this account; null: they do. */
export function additionFault(name: string, account: unknown): string | null {
  return !isMapping(account) || Object.hasOwn(account, 'execPlugin')
    ? null
    : `only an exec plugin gets arguments and variables for one cluster; ${name} is none`;
}

function clusterFault(name: string, account: Record<string, unknown>): Unfit | null {
  const wants = `a cluster takes a token or a certificate; ${name}`;
  if (signsOnly(account)) {
    const text = `${wants} signs requests, which the request proxy does: give the cluster a proxy with a step that signs`;
    return { severity: 'error', text };
  }
  if (Object.hasOwn(account, 'registry')) {
    return { severity: 'error', text: `${wants} has the password of a registry` };
  }
  if (Object.hasOwn(account, 'credentialHelper')) {
    return { severity: 'error', text: `${wants} is a credential helper of docker’s` };
  }
  const oidc = Object.hasOwn(account, 'oidc') ? account['oidc'] : null;
  if (isMapping(oidc) && oidc['flow'] === 'serviceAccountToken') {
    const text = `${name} exchanges the service account token that a kubelet passes on, and a cluster’s clients pass on none`;
    return { severity: 'error', text };
  }
  return Object.hasOwn(account, 'credentialProvider')
    ? { severity: 'error', text: `${wants} is a provider of passwords for images` }
    : null;
}

function registryFault(name: string, account: Record<string, unknown>): Unfit | null {
  if (Object.hasOwn(account, 'clientCertificate')) {
    const text = `a registry takes a password or a token; ${name} has a certificate`;
    return { severity: 'error', text };
  }
  if (Object.hasOwn(account, 'secretReader') || Object.hasOwn(account, 'kubeconfigSecretReader')) {
    return { severity: 'error', text: `${name} reads credentials of clusters, and a registry is none` };
  }
  if (Object.hasOwn(account, 'awsEks')) {
    const text = `${name} has tokens for an EKS cluster, and a registry is none`;
    return { severity: 'error', text };
  }
  if (signsOnly(account)) {
    const text = `a registry takes a password or a token; ${name} signs requests of clusters`;
    return { severity: 'error', text };
  }
  const plugin = Object.hasOwn(account, 'execPlugin') ? account['execPlugin'] : null;
  if (!isMapping(plugin)) {
    return null;
  }
  if (plugin['provideClusterInfo'] === true) {
    const text = `the plugin of ${name} is told for which cluster it runs (provideClusterInfo), and a registry is none`;
    return { severity: 'error', text };
  }
  if (plugin['interactiveMode'] === 'Always') {
    const text = `the plugin of ${name} runs only at a terminal (interactiveMode: Always), and docker and a kubelet have none; what works is: lanyard image get IMAGE`;
    return { severity: 'warning', text };
  }
  return null;
}

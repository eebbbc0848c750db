import { isMapping } from './is-mapping.ts';
import { signsOnly } from './sign-fit.ts';

/** Why an account of such a kind doesn’t suit an entry, as the end of a message; `error`: it never works. */
export interface Unfit {
  severity: 'error' | 'warning';
  text: string;
}

/**
 * Who takes an account’s credential: a cluster, one behind the request proxy, a header of its chain, the clusters of an
 * inventory’s provider, a registry.
 */
export type Taker = 'cluster' | 'proxiedCluster' | 'header' | 'provider' | 'registry';

/**
 * What a taker can’t get from its account. `account`: as it is written, of whatever shape; `name`: as
 * messages show it. Null: it suits, or what is wrong with it is found elsewhere.
 */
export function accountFault(what: Taker, name: string, account: unknown): Unfit | null {
  return isMapping(account) ? faults[what](name, account) : null;
}

const faults: Record<Taker, (name: string, account: Record<string, unknown>) => Unfit | null> = {
  cluster: clusterFault,
  proxiedCluster: proxiedFault,
  header: headerFault,
  provider: providerFault,
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
  const suits = Object.hasOwn(account, 'registry') || isHeld(account) || signsOnly(account);
  return suits ? null : clusterFault(name, account);
}

function headerFault(name: string, account: Record<string, unknown>): Unfit | null {
  if (Object.hasOwn(account, 'secretReader') || Object.hasOwn(account, 'kubeconfigSecretReader')) {
    return { severity: 'error', text: `${name} reads credentials of clusters, and a header is none` };
  }
  return hasCertificate(account)
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

/** Its key stays on a token: no client gets it. */
function isHeld(account: Record<string, unknown>): boolean {
  return Object.hasOwn(account, 'pkcs11');
}

function hasCertificate(account: Record<string, unknown>): boolean {
  return Object.hasOwn(account, 'clientCertificate') || isHeld(account);
}

function clusterFault(name: string, account: Record<string, unknown>): Unfit | null {
  const wants = `a cluster takes a token or a certificate; ${name}`;
  if (signsOnly(account)) {
    const text = `${wants} signs requests, which the request proxy does: give the cluster a proxy with a step that signs`;
    return { severity: 'error', text };
  }
  if (isHeld(account)) {
    const text = `the key of ${name} stays on its token, so only Lanyard’s request proxy can connect with it: give the cluster proxy: {}`;
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

/** Clusters of an inventory don’t go through the request proxy. */
function providerFault(name: string, account: Record<string, unknown>): Unfit | null {
  return isHeld(account)
    ? {
        severity: 'error',
        text: `the key of ${name} stays on its token, and clusters of an inventory don’t go through the request proxy, which alone can connect with it`,
      }
    : clusterFault(name, account);
}

function registryFault(name: string, account: Record<string, unknown>): Unfit | null {
  if (hasCertificate(account)) {
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

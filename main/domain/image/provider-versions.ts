const group = 'credentialprovider.kubelet.k8s.io';

/** The versions of request and response; a response's is its request's. */
export const providerVersions = [`${group}/v1`, `${group}/v1alpha1`, `${group}/v1beta1`] as const;

export type ProviderVersion = (typeof providerVersions)[number];

/** The one whose requests have a service account's token. */
export const tokenVersion: ProviderVersion = `${group}/v1`;

export function isProviderVersion(text: string): text is ProviderVersion {
  return (providerVersions as readonly string[]).includes(text);
}

/** As apimachinery writes it again: a slash before nothing goes. Null: it is none. */
export function groupVersion(apiVersion: string): string | null {
  return apiVersion.split('/').length > 2 ? null : apiVersion.replace(/^\//, '');
}

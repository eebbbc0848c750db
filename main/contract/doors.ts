/**
 * The doors that issue credentials, by the name in history.db: `kube` for kubectl, helm and others that read a
 * kubeconfig (KEP-541), `cli` for `lanyard exec-credential`, `image` for a kubelet (KEP-2133), `docker` for docker, podman and others with docker’s
 * credential helper protocol, `controller` for controllers with
 * the community library of ClusterProfiles (KEP-5339). Add a new door here.
 */
export const doorNames = ['kube', 'cli', 'docker', 'image', 'controller', 'proxy'] as const;

export type DoorName = (typeof doorNames)[number];

/** How a request came in, for users. */
export const sourceNames: Readonly<Record<DoorName, string>> = {
  kube: 'kubectl',
  cli: 'command line',
  docker: 'credential helper',
  image: 'kubelet',
  controller: 'controller',
  proxy: 'request proxy',
};

/** A door’s decisions. `noCredential`: a provider plugin answered, and has none for the image. Nothing was denied. */
export const callOutcomes = ['handedOut', 'noCredential', 'refused'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/**
 * What became of a call, for users: a credential; an answer without one; an intended denial (by the user, a policy, the
 * lock, or because a login is needed); or a failure of Lanyard or a provider.
 */
export const callClasses = ['handedOut', 'noCredential', 'declined', 'failed'] as const;
export type CallClass = (typeof callClasses)[number];

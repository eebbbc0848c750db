/**
 * The doors that issue credentials, by the name in history.db: `kube` for kubectl, helm and others that read a
 * kubeconfig (KEP-541), `cli` for `lanyard exec-credential`, `image` for a kubelet (KEP-2133), `docker` for docker, podman and others with docker’s
 * credential helper protocol. Add a new door here.
 */
export const doorNames = ['kube', 'cli', 'docker', 'image'] as const;

export type DoorName = (typeof doorNames)[number];

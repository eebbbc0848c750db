import { join } from 'node:path';

/** A folder where distributions keep a CredentialProviderConfig, and where its plugins are then. */
export interface KnownPlace {
  folder: string;
  binFolders: readonly string[];
}

/**
 * The usual places on a node that is this machine: kubeadm and the Kubernetes documentation, AKS, EKS, GKE, OpenShift, k3s
 * and RKE2, MicroK8s; and the folders that minikube copies into its node. The nodes of kind and of Rancher Desktop have
 * their own file systems.
 */
export function knownPlaces(home: string): KnownPlace[] {
  const minikube = home === '' ? [] : [join(home, '.minikube/files')];
  return [
    ...['', ...minikube].flatMap((root) => [
      {
        folder: `${root}/etc/kubernetes`,
        binFolders: [`${root}/etc/kubernetes/image-credential-provider`, ...kubeletFolders(root)],
      },
      {
        folder: `${root}/etc/kubernetes/image-credential-provider`,
        binFolders: [`${root}/etc/kubernetes/image-credential-provider`, ...kubeletFolders(root)],
      },
      { folder: `${root}/var/lib/kubelet`, binFolders: kubeletFolders(root) },
    ]),
    {
      folder: '/etc/kubernetes/credential-providers',
      binFolders: ['/usr/libexec/kubelet-image-credential-provider-plugins'],
    },
    { folder: '/etc/eks/image-credential-provider', binFolders: ['/etc/eks/image-credential-provider'] },
    { folder: '/etc/srv/kubernetes', binFolders: ['/home/kubernetes/bin'] },
    {
      folder: '/var/lib/rancher/credentialprovider',
      binFolders: ['/var/lib/rancher/credentialprovider/bin'],
    },
    { folder: '/var/snap/microk8s/current/args', binFolders: ['/var/snap/microk8s/current/bin'] },
  ];
}

function kubeletFolders(root: string): string[] {
  return [`${root}/var/lib/kubelet/credential-provider`, `${root}/usr/local/bin/image-credential-provider`];
}

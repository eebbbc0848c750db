import { visibleText } from '../text/visible-text.ts';
import type { KubeExec } from './kubeconfig.ts';

/** The kind of an exec plugin, as far as it matters to Lanyard. */
export type ExecPlugin =
  /** Lanyard's own helper. */
  | { what: 'lanyard' }
  /** https://github.com/int128/kubelogin; `flags` are those of its get-token. */
  | { what: 'kubelogin'; flags: readonly string[] }
  /** `name`: for display. Its arguments may contain secrets, so they are never part of it. */
  | { what: 'other'; name: string };

/** Plugins by the command's name, with the name to display. */
const known: Readonly<Record<string, string>> = {
  aws: 'aws (EKS)',
  'aws-iam-authenticator': 'aws-iam-authenticator (EKS)',
  'gke-gcloud-auth-plugin': 'gke-gcloud-auth-plugin (GKE)',
  gcloud: 'gcloud (GKE)',
  az: 'az (AKS)',
  doctl: 'doctl (DigitalOcean)',
  oci: 'oci (Oracle)',
  tsh: 'tsh (Teleport)',
  ibmcloud: 'ibmcloud (IBM Cloud)',
  pinniped: 'pinniped',
};

/** Tells plugins apart by the command's base name and its first arguments. */
export function identifyExec(exec: Pick<KubeExec, 'command' | 'args'>): ExecPlugin {
  const name = baseName(exec.command);
  const args = exec.args.map((arg) => arg.reveal());
  if (name === 'lanyard' && args[0] === 'kube-credential') {
    return { what: 'lanyard' };
  }
  if (name === 'kubectl' && args[0] === 'oidc-login' && args[1] === 'get-token') {
    return { what: 'kubelogin', flags: args.slice(2) };
  }
  if ((name === 'kubectl-oidc_login' || name === 'kubelogin') && args[0] === 'get-token') {
    const flags = args.slice(1);
    // Azure's program has the same name and command, and none of these flags.
    if (name !== 'kubelogin' || flags.some((flag) => flag.startsWith('--oidc-'))) {
      return { what: 'kubelogin', flags };
    }
    return { what: 'other', name: 'kubelogin of Azure (AKS)' };
  }
  return { what: 'other', name: Object.hasOwn(known, name) ? (known[name] ?? name) : visibleText(name, 80) };
}

function baseName(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(exe|cmd|bat)$/i, '');
}

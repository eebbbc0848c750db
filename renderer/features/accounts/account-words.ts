import { type Health, healthOf } from '../../../main/contract/ui/health.ts';
import type { AccountView } from '../../../main/contract/ui/state.ts';

export type Kind = AccountView['kind'];

/** The name and description of each kind, for users. */
export const kindWords: Readonly<Record<Kind, { name: string; text: string }>> = {
  oidc: { name: 'OIDC login', text: 'Log in at a provider, in a browser or with a code.' },
  staticToken: { name: 'Token', text: 'A static bearer token, in the vault or in a file.' },
  clientCertificate: {
    name: 'Client certificate',
    text: 'A certificate with its key, in the vault or in files.',
  },
  registry: {
    name: 'Registry login',
    text: 'A user name with a password or access token for images, in the vault.',
  },
  credentialProvider: {
    name: 'Provider plugin',
    text: 'A kubelet’s image credential provider, such as the one for ECR.',
  },
  credentialHelper: {
    name: 'Credential helper',
    text: 'Another credential helper of docker’s, such as pass or ecr-login.',
  },
  secretReader: {
    name: 'Secret reader',
    text: 'Tokens in Secrets of a hub, one for each cluster.',
  },
  kubeconfigSecretReader: {
    name: 'Kubeconfig reader',
    text: 'Kubeconfigs in Secrets of a hub, one for each cluster.',
  },
  aws: {
    name: 'AWS keys',
    text: 'An access key in the vault, a profile of the AWS tools, or a role for a token in a file.',
  },
  awsProcess: {
    name: 'AWS keys by a program',
    text: 'SSO and roles: aws configure export-credentials, or another credential_process.',
  },
  awsEks: { name: 'EKS token', text: 'Tokens for an EKS cluster, made of another account’s AWS keys.' },
  requestSigner: {
    name: 'Request signer',
    text: 'Your own program, which signs the requests of proxied clusters.',
  },
  pkcs11: {
    name: 'Key on a token',
    text: 'A smart card, a YubiKey or a TPM. Its key signs there and never leaves it.',
  },
  execPlugin: { name: 'Exec plugin', text: 'An exec plugin such as aws or gke-gcloud-auth-plugin.' },
};

/** The name of each state, for users. */
const stateWords: Readonly<Record<AccountView['state'], string>> = {
  ready: 'Ready',
  failing: 'Failing',
  loginNeeded: 'Login needed',
  secretMissing: 'Secret missing',
  expired: 'Expired',
  interrupted: 'Log in again',
  locked: 'Locked',
  invalid: 'Can’t be used',
  held: 'Pending approval',
};

/** The state in a word or two, which go with the mark beside them. */
export function stateText(
  { state, tokenIsOut, byHand }: Pick<AccountView, 'state' | 'tokenIsOut' | 'byHand'>,
  how: Health,
): string {
  if (tokenIsOut) {
    return 'Token taken out';
  }
  if (state === 'ready' && (how === 'soon' || how === 'bad')) {
    return byHand ? (how === 'soon' ? 'Expiring soon' : 'Expired') : 'Renewal failed';
  }
  return stateWords[state];
}

/** The health of its clusters and registries (`healthOf`), and whether its token waits for the user. */
export function accountHealth(view: AccountView, now: number): Health {
  return view.waitsAtToken ? 'need' : healthOf(view, now);
}

/** What the user can do about the state, other than a login. */
export function meaning(view: Pick<AccountView, 'kind' | 'state' | 'tokenIsOut'>): string | null {
  if (view.tokenIsOut) {
    return 'Put it in again: nothing else is needed.';
  }
  switch (view.state) {
    case 'held':
      return 'Nothing is issued for it until you approve it.';
    case 'interrupted':
      return 'A renewal was interrupted and the provider no longer accepts the old token. Log in again.';
    case 'secretMissing':
      return 'It has no secret yet. Type it in Lanyard’s secret window or on a terminal, never in this page.';
    case 'locked':
      return 'Unlock Lanyard to see this account’s details.';
    case 'loginNeeded':
      return view.kind === 'pkcs11'
        ? 'Its PIN isn’t known. Requests are denied until you log in.'
        : 'No one is logged in, or the login can’t be renewed automatically.';
    case 'expired':
      if (view.kind === 'pkcs11') {
        return 'Put the renewed certificate on the token, then log out and log in again.';
      }
      return view.kind === 'clientCertificate'
        ? 'Its certificate has expired. Set a new certificate with its key.'
        : 'Its token has expired. Set a new one.';
    default:
      return null;
  }
}

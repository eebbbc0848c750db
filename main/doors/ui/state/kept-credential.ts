import type { AccountStatus, ClusterStatus } from '../../../access/status.ts';
import { runsProgram } from '../../../contract/program-names.ts';
import { readsSecrets } from '../../../contract/secret-readers.ts';
import type { ClusterView } from '../../../contract/ui/state.ts';

/** The credential that an account has in the vault or a file, before the first request since the broker’s start. */
export function keptByAccount(
  { expiresAt }: Pick<ClusterStatus, 'expiresAt'>,
  audience: string | null,
  account: AccountStatus | null,
): ClusterView['credential'] {
  if (
    account?.state !== 'ready' ||
    audience !== null ||
    runsProgram(account.kind) ||
    readsSecrets(account.kind)
  ) {
    return null;
  }
  // An OIDC token without an expiry means that there is none: renewed tokens have one.
  return expiresAt === null && account.kind === 'oidc'
    ? null
    : {
        kind: kinds[account.kind] ?? 'token',
        issuedAt: account.issuedAt ?? null,
        expiresAt,
        renewsAt: null,
        trouble: null,
        generation: 0,
      };
}

const kinds: Readonly<Record<string, 'certificate' | 'password' | 'awsKeys'>> = {
  clientCertificate: 'certificate',
  pkcs11: 'certificate',
  registry: 'password',
  aws: 'awsKeys',
  awsProcess: 'awsKeys',
};

/** Without a refresh token, a due renewal gets nothing. */
export function asRenewed(credential: ClusterView['credential'], byHand: boolean): ClusterView['credential'] {
  return credential && (byHand ? { ...credential, renewsAt: null } : credential);
}

/** Whether only the user can replace the credential. */
export function isByHand({ byHand, kind }: Pick<AccountStatus, 'byHand' | 'kind'>): boolean {
  return byHand ?? (kind === 'staticToken' || kind === 'clientCertificate');
}

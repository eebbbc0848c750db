import { groupOf } from '../../contract/config/config.ts';
import { parseCertificates } from '../../domain/credential/certificate-set.ts';
import type { ImportPlan } from '../../domain/import/import-plan.ts';
import type { MergedKubeconfig, NamedFile } from '../../domain/import/kubeconfig.ts';
import type { EntryName, LoadedEntries } from '../../domain/loaded-config.ts';

/** A CA that stays in its file, as it was when the user was shown its fingerprint. */
export interface SeenAuthority extends EntryName {
  /** In the form of `parseCertificates`. */
  pem: string;
}

/** Those of all that is new. What is copied into config.yaml can't change, and isn't among them. */
export function seenAuthorities(
  plan: ImportPlan,
  source: { merged: MergedKubeconfig; authorityFiles: ReadonlyMap<string, NamedFile<string>> },
): SeenAuthority[] {
  const { merged, authorityFiles } = source;
  const seen: SeenAuthority[] = [];
  const add = (what: SeenAuthority['what'], name: string, text: string) => {
    const found = parseCertificates(text);
    if (found.ok) {
      seen.push({ what, name, pem: found.pem });
    }
  };
  for (const { cluster, becomes } of plan.clusters) {
    const authority = merged.clusters.get(cluster)?.certificateAuthority;
    if ('cluster' in becomes && !becomes.exists && authority?.ok && authority.path !== null) {
      add('cluster', becomes.cluster, authority.pem);
    }
  }
  for (const { becomes } of plan.users) {
    if ('account' in becomes && !becomes.exists && 'oidc' in becomes.value) {
      const { certificateAuthority: path = '' } = becomes.value.oidc as { certificateAuthority?: string };
      const file = authorityFiles.get(path);
      if (file?.ok) {
        add('account', becomes.account, file.content);
      }
    }
  }
  return seen;
}

/** Names of those whose file has other certificates by now. */
export function changedAuthorities(seen: readonly SeenAuthority[], config: LoadedEntries): string[] {
  return seen
    .filter(({ what, name, pem }) => config[groupOf(what)].get(name)?.certificateAuthorityPem !== pem)
    .map(({ name }) => name);
}

import type { KubeCluster, KubeContext, KubeUser } from '../../domain/import/kubeconfig.ts';
import type { Material } from './material.ts';

/** A cluster whose files are not yet read. */
export type ParsedCluster = Omit<KubeCluster, 'certificateAuthority'> & {
  certificateAuthority: Material | null;
};

/** A user whose files are not yet read. */
export type ParsedUser = Omit<KubeUser, 'tokenFile' | 'clientCertificate' | 'clientKey'> & {
  tokenFile: string | null;
  clientCertificate: Material | null;
  clientKey: Material | null;
};

/** One file's entries, in its order. */
export interface ParsedKubeconfig {
  currentContext: string | null;
  clusters: ReadonlyMap<string, ParsedCluster>;
  contexts: ReadonlyMap<string, KubeContext>;
  users: ReadonlyMap<string, ParsedUser>;
}

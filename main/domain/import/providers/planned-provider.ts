import type { Secret } from '../../../base/secret.ts';
import type { CredentialProviderConfig } from '../../../contract/config/accounts/image-plugins.ts';
import type { Program } from '../../program/program.ts';

/** The plugin of a provider in the folder that --image-credential-provider-bin-dir names. */
export type FolderPlugin =
  /** `path`: the folder and the name. */
  | { ok: true; path: string; program: Program }
  /** Why it isn’t used, in the kubelet’s words where it has some. */
  | { ok: false; fault: string };

/** The account and the registry that a provider becomes. */
export interface ImportedProvider {
  account: string;
  /** The same account is in config.yaml already. */
  accountExists: boolean;
  /** Its entry for config.yaml, without absent keys. */
  accountValue: { credentialProvider: Partial<CredentialProviderConfig> };
  registry: string;
  registryExists: boolean;
  registryValue: { matchImages: readonly string[]; account: string };
  /** For the vault, by part: env.NAME. */
  secrets: Readonly<Record<string, Secret>>;
  /** The vault has other values for them, or none. */
  secretsChange: boolean;
  program: Program;
}

/** What becomes of one provider of a CredentialProviderConfig. */
export interface PlannedProvider {
  provider: string;
  matchImages: readonly string[];
  /** `left`: why it is not imported. */
  becomes: ImportedProvider | { left: string };
  /** Sentences that the user should read. */
  notes: readonly string[];
}

export interface ProviderPlan {
  providers: readonly PlannedProvider[];
  /** Sentences about the plan as such. */
  notes: readonly string[];
}

/** Those of a plan that are imported. */
export function importedOf({ providers }: Pick<ProviderPlan, 'providers'>): ImportedProvider[] {
  return providers.flatMap(({ becomes }) => ('left' in becomes ? [] : [becomes]));
}

import type { Secret } from '../base/secret.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';

/** One value of a Secret. All names are ones that Kubernetes takes. */
export interface SecretValue {
  namespace: string;
  name: string;
  /** Of its data. */
  key: string;
}

/** Secrets of hubs: clusters of config.yaml, each asked with its own account’s credential, without asking the user. */
export interface HubSecrets {
  /** The hub of an account; or why it can’t be asked now: unknown, pending approval, locked, asks the user, a loop. */
  hub(account: string, cluster: string): { ok: true; cluster: LoadedCluster } | Refusal;
  /**
   * One value of a Secret, as text. All else of the Secret is dropped unread. Throws nothing; what the hub says is in no
   * message.
   */
  read(
    account: string,
    cluster: string,
    value: SecretValue,
    signal: AbortSignal,
  ): Promise<{ ok: true; text: Secret } | Refusal>;
}

/** The names that the user wants for new entries, by the kubeconfig's names. */
export interface ChosenNames {
  /** By user. */
  accounts: ReadonlyMap<string, string>;
  /** By context. Of contexts that share a cluster, the one whose name it would get. */
  clusters: ReadonlyMap<string, string>;
}

export const noChosenNames: ChosenNames = { accounts: new Map(), clusters: new Map() };

/** The namespaces that the user set in contexts that come and go, while they are away. By context. */
export interface AwayNamespaces {
  current(): ReadonlyMap<string, string>;
  /** Those that are away now; of others nothing is kept. */
  keep(namespaces: ReadonlyMap<string, string>): Promise<void>;
}

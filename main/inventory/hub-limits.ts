/** What a hub may send, and how long it may take (rule: bounded-input). */
export const hubLimits = {
  /** Profiles of a page, as client-go asks for. */
  pageItems: 500,
  /**
   * A page of 500 profiles has about 1.5 MB. One that is larger is asked for again with fewer profiles. Empty lists and
   * objects take some twenty times their text in memory.
   */
  pageBytes: 8 * 1024 * 1024,
  /** Lists and objects of a page, some hundred for each profile. Many that are empty would keep the parser busy for long. */
  pageNodes: 100_000,
  pageMilliseconds: 60_000,
  /** A list in one page, where the hub forgets what it has begun: some ten thousand profiles. */
  wholeListBytes: 32 * 1024 * 1024,
  wholeListNodes: 400_000,
  /** Of one list. */
  listBytes: 512 * 1024 * 1024,
  listItems: 100_000,
  listPages: 5_000,
  listMilliseconds: 600_000,
  /** An event of the watch: etcd takes objects of 1.5 MiB, which JSON's escapes enlarge. */
  lineBytes: 4 * 1024 * 1024,
  /** An answer that is no success: Kubernetes says why in a Status. */
  statusBytes: 64 * 1024,
  /** Text of a `continue` token. */
  tokenCharacters: 16 * 1024,
  /**
   * How long a watch is asked to last, in seconds; by chance in between, so that not all come again at once. Short
   * enough that a connection that died unnoticed is seen within minutes.
   */
  watchSeconds: { least: 180, most: 240 },
  /** How long after its end a watch may be silent before it is ended here. */
  watchGraceMilliseconds: 30_000,
} as const;

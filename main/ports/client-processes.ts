/** What the system knows of processes that may use the request proxy. */
export interface ClientProcesses {
  /** Identifies the system's boot: pids and start times are counted anew with each. Empty: the system doesn't tell. */
  bootId(): string;
  /** `isOwn`: it runs as the broker's user alone. `isInit`: it is the first one of its pid namespace. Null: it isn't shown. */
  facts(pid: number): { isOwn: boolean; isInit: boolean } | null;
}

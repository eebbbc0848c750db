/** Why an inventory is not in step with where its profiles come from. Stable: shown in `--json` and metrics. */
export type SourceFaultCode =
  /** No credential for the hub: Lanyard is locked, a login is needed, … */
  | 'noCredential'
  /** 401 */
  | 'unauthorized'
  /** 403 */
  | 'forbidden'
  /** 404 in both versions: the hub has no ClusterProfiles (no CRD). */
  | 'notServed'
  /** 410, or an ERROR event that says so: what was changed since is known to the hub no more. */
  | 'expired'
  /** 429 */
  | 'throttled'
  /** Any other status; a redirect, which is never followed. */
  | 'status'
  /** No connection, or one that broke. */
  | 'unreachable'
  /** Nothing in the time that an answer may take, or on a watch beyond its own end. */
  | 'silent'
  /** No list, no event, no JSON. */
  | 'badAnswer'
  /** A line of the watch, or a page with one profile, that is larger than it may be. */
  | 'tooLarge'
  /** A list without an end. */
  | 'endless'
  /** A resource version before one that was seen on the same watch. */
  | 'outOfOrder'
  /** A list without more than half of the known profiles: it is believed when a later one says the same. */
  | 'emptied'
  /** More profiles than an inventory may have: the rest is left out. */
  | 'overQuota'
  /** A file or folder that can't be read. */
  | 'file'
  /** A mistake of Lanyard's; the log says more. */
  | 'internal';

/** What the user reads of it. */
export interface SourceTrouble {
  code: SourceFaultCode;
  /** One sentence, lower case, without a full stop; free of control and direction characters. */
  text: string;
}

/** How a reflector goes on after a fault: by a new list, or by a watch from where the last one was. */
export type GoingOn = 'list' | 'watch';

/** Ends a list or a watch. Its message is `text`. */
export class SourceFault extends Error implements SourceTrouble {
  readonly code: SourceFaultCode;
  readonly goingOn: GoingOn;
  /** The hub says when to come again (Retry-After). */
  readonly retryAfterSeconds: number | null;

  /** `cause`: of an `internal` one, for the log. Others have none: it may quote an answer. */
  constructor(
    code: SourceFaultCode,
    text: string,
    more: { goingOn?: GoingOn; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(text, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'SourceFault';
    this.code = code;
    this.goingOn = more.goingOn ?? 'watch';
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  get text(): string {
    return this.message;
  }
}

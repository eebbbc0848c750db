import type { CallOutcome, DoorName } from '../contract/doors.ts';
import type { TargetName } from '../domain/target/target.ts';
import type { Caller } from './caller.ts';

/** Why a new credential was asked for. */
export type RenewalReason =
  /** A caller came, and the cached one had expired, or there was none. */
  | 'needed'
  /** A caller came within the margin before its expiry (rule: issued-while-good). */
  | 'due'
  /** Ahead of need, for a grant in use. */
  | 'ahead'
  /** The cluster answered 401 (rule: inferred-401). */
  | 'rejected';

/** One decision of a door. */
export interface CallEvent {
  kind: 'call';
  door: DoorName;
  caller: Caller;
  /** Null: it belongs to no account, as what `docker login` stored. */
  account: string | null;
  /** What the credential was asked for; null: nothing by that name is known. */
  target: TargetName | null;
  audience: string | null;
  outcome: CallOutcome;
  /** A refusal's code, or how the answer was obtained: `held`, `renewed`, `loggedIn`. */
  reason: string;
  /**
   * Counts the renewals of this grant since the broker's start; null for a refusal, for a stored entry, and for what a
   * plugin answered for one client (KEP-2718).
   */
  generation: number | null;
  /** From the request's arrival to the decision, including the user's time at a question. */
  microseconds: number;
}

/** What is recorded. Never a secret, a command line or a query string; names and texts come stripped. */
export type HistoryEvent =
  | CallEvent
  | {
      kind: 'login';
      account: string;
      /** Null: it ended before anything was shown. */
      flow: 'browser' | 'device' | 'clientCredentials' | 'pin' | null;
      outcome: 'done' | 'refused' | 'cancelled';
      /** The refusal's code. */
      code: string | null;
      issuer: string | null;
      subject: string | null;
      /** The identity, for display. */
      displayName: string | null;
    }
  | { kind: 'logout'; account: string; hadSession: boolean; revocation: Revocation }
  /** A credential that this broker sees for the first time. */
  | {
      kind: 'generation';
      account: string;
      audience: string | null;
      generation: number;
      /** How it was obtained; `found`: in the vault or a file. */
      why: RenewalReason | 'loggedIn' | 'found';
      credential: 'token' | 'certificate' | 'password' | 'awsKeys';
      /** Milliseconds since 1970. */
      issuedAt: number | null;
      expiresAt: number | null;
      /** Age of the credential that it replaces, in milliseconds; null for the first. */
      previousAge: number | null;
      /** How long that one was valid, from issue to expiry, in milliseconds; null: for ever, or there was none. */
      previousLife: number | null;
      /**
       * Age of the certificate that it replaces, from that one's NotBefore, in milliseconds, as client-go measures it
       * (rest_client_exec_plugin_certificate_rotation_age); null: it replaces none, or that one stays.
       */
      replacedCertificateAge: number | null;
      /** The target that it was made for, where that shapes it (provideClusterInfo, additionalArgs); null: it is for any. */
      target: TargetName | null;
    }
  | {
      kind: 'renewal';
      account: string;
      audience: string | null;
      why: RenewalReason;
      /** `unchanged`: the same credential as before, such as from a file without changes. */
      outcome: 'renewed' | 'unchanged' | 'failed';
      code: string | null;
      milliseconds: number;
    }
  /**
   * A plugin was run: an exec plugin (KEP-541's client side), or a provider plugin (KEP-2133's). Or a program that signs
   * requests gave its first answer, or failed: it is kept running.
   */
  | {
      kind: 'pluginRun';
      plugin: 'execPlugin' | 'credentialProvider' | 'awsProcess' | 'requestSigner';
      account: string;
      /** The target that it was told, or that the first caller asked for; null: it was renewed ahead of need. */
      target: TargetName | null;
      /** In the broker, or at a caller's terminal (or in its process). */
      where: 'broker' | 'caller';
      /** As client-go counts it (rest_client_exec_plugin_call_total), of provider plugins, too. */
      callStatus: 'no_error' | 'plugin_execution_error' | 'plugin_not_found_error' | 'client_internal_error';
      /** Its exit code; 0 only with no_error; 1 where it was not found or the client failed, as in client-go. */
      exitCode: number;
      /**
       * The refusal's code; null: it gave a credential. Also with `no_error`: it exited with 0, and its output was
       * unusable.
       */
      code: string | null;
      milliseconds: number;
    }
  /** A 401 was inferred, or seen by a probe (rule: inferred-401). */
  | {
      kind: 'rejection';
      account: string;
      target: TargetName;
      audience: string | null;
      generation: number;
      /** What the cluster answered when it was probed. */
      verdict: 'accepted' | 'rejected' | 'unknown';
      /**
       * `backedOff`: the cluster rejects fresh credentials, and isn't probed for a while. `shown`, `cleared`: no
       * client came back; from now on it counts as rejecting, or no longer. `unknown` then means that its clients are
       * silent. `forgotten`: the account's credentials are others, and what was seen of them says nothing.
       */
      action: 'kept' | 'renewed' | 'notRenewed' | 'backedOff' | 'shown' | 'cleared' | 'forgotten';
    }
  | {
      kind: 'approval';
      caller: Caller;
      account: string;
      target: TargetName;
      /**
       * The cluster's policy; `unknownServer` for the question about an unknown server (rule: known-server);
       * `execCredential`: whether it may be printed.
       */
      policy: string;
      outcome: 'approved' | 'denied' | 'nobody';
      /** Where the user answered; null: no one did, or it was recorded before this was kept. */
      where: 'terminal' | 'page' | 'window' | null;
    }
  /**
   * An inventory’s source has a fault for a while, or is in sync again; or some of its profiles in use are pending
   * approval, or gone: once for many.
   */
  | {
      kind: 'inventory';
      inventory: string;
      what: 'failing' | 'recovered' | 'pending' | 'gone';
      /** What is wrong with the source, in a stable word; null: it is about no fault. */
      code: string | null;
      /** How many profiles; 0: it is about the source. */
      profiles: number;
      /** The context of the profile; null: there are several, or none. */
      context: string | null;
    }
  | { kind: 'lock'; what: 'locked' | 'unlocked'; why: 'command' | 'idle' | 'screen' | 'start' }
  /** The user changed or approved something: `account.add`, `binding.confirm`, `passphrase.set`, … */
  | { kind: 'change'; what: string; name: string | null }
  /** A request has ended that went through the request proxy: a watch or an exec, too. */
  | RequestEvent
  /** So many more requests than are recorded one by one (main/proxy/request-record.ts), in a minute at most. */
  | { kind: 'moreRequests'; target: TargetName; requests: number; bytesUp: number; bytesDown: number };

export interface RequestEvent {
  kind: 'request';
  /** The cluster. */
  target: TargetName;
  /** The process that its way in was made for, and the name of its program’s file; null: unknown. */
  pid: number;
  program: string | null;
  method: string;
  /** Below the cluster’s own path, without a query. */
  path: string;
  /** Of HTTP; 0: there was no answer. */
  status: number;
  /** `proxy`: the cluster was not asked, or gave no answer. Null: no one answered. */
  answeredBy: 'cluster' | 'proxy' | null;
  /** From its arrival to the end of its answer. */
  milliseconds: number;
  /** Of bodies and upgraded connections, towards the cluster and from it. */
  bytesUp: number;
  bytesDown: number;
}

/** What happened to the tokens at the provider (RFC 7009). `notOffered`: it has no revocation endpoint. */
export type Revocation = 'revoked' | 'notOffered' | 'failed' | 'nothing';

/** Where events go. */
export interface Recorder {
  /**
   * A `call` is on record when this returns, else it throws and nothing is issued (rule: everything-recorded). A
   * failure to write anything else is logged, and doesn't throw.
   */
  record(event: HistoryEvent): void;
}

/** Takes many events at a time. */
export interface BatchRecorder {
  /**
   * All in one write, each with the time when it happened, in milliseconds since 1970. A failure is logged, and doesn’t
   * throw. Not for a `call`, which has to be on record before it goes on.
   */
  recordAll(events: readonly { at: number; event: Exclude<HistoryEvent, CallEvent> }[]): void;
}

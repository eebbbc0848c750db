import type { DoorName } from '../contract/doors.ts';
import type { TargetName } from '../domain/target/target.ts';
import type { Caller } from './caller.ts';

/** Why a credential was asked for anew. */
export type RenewalReason =
  /** A caller came and the one held had ended, or there was none. */
  | 'needed'
  /** A caller came within the margin before its end (rule: issued-while-good). */
  | 'due'
  /** Ahead of need, for a grant in use. */
  | 'ahead'
  /** The cluster said 401 (rule: inferred-401). */
  | 'rejected';

/** One decision of a door. */
export interface CallEvent {
  kind: 'call';
  door: DoorName;
  caller: Caller;
  account: string;
  /** What the credential was asked for; null: nothing of that name is known. */
  target: TargetName | null;
  audience: string | null;
  outcome: 'handedOut' | 'refused';
  /** A refusal's code, or how the credential was come by: `held`, `renewed`, `loggedIn`. */
  reason: string;
  /** Counts the renewals of this grant since the broker started; null for a refusal. */
  generation: number | null;
  /** From the request's arrival to the decision; a person's time at a question counts with it. */
  microseconds: number;
}

/** What is remembered. Never a secret, a command line or a query string; names and texts come stripped. */
export type HistoryEvent =
  | CallEvent
  | {
      kind: 'login';
      account: string;
      /** Null: it ended before anything was shown. */
      flow: 'browser' | 'device' | 'clientCredentials' | null;
      outcome: 'done' | 'refused' | 'cancelled';
      /** The refusal's code. */
      code: string | null;
      issuer: string | null;
      subject: string | null;
      /** As whom, for people. */
      displayName: string | null;
    }
  | { kind: 'logout'; account: string; hadSession: boolean; revocation: Revocation }
  /** A credential that this broker sees for the first time. */
  | {
      kind: 'generation';
      account: string;
      audience: string | null;
      generation: number;
      /** How it was come by; `found`: it was in the vault or a file. */
      why: RenewalReason | 'loggedIn' | 'found';
      credential: 'token' | 'certificate' | 'password';
      /** Milliseconds since 1970. */
      issuedAt: number | null;
      expiresAt: number | null;
      /** Age of the one that it replaces, in milliseconds; null for the first. */
      previousAge: number | null;
      /** How long that one would have lived from its issue to its end, in milliseconds; null: for ever, or the first. */
      previousLife: number | null;
      /**
       * Age of the certificate whose place it takes, from that one's NotBefore, in milliseconds, as client-go measures it
       * (rest_client_exec_plugin_certificate_rotation_age); null: it takes the place of none, or that one stays.
       */
      replacedCertificateAge: number | null;
      /** The target that it was made for, where that shapes it (provideClusterInfo); null: it serves any. */
      target: TargetName | null;
    }
  | {
      kind: 'renewal';
      account: string;
      audience: string | null;
      why: RenewalReason;
      /** `unchanged`: the same credential as before, as with a file that nobody has written. */
      outcome: 'renewed' | 'unchanged' | 'failed';
      code: string | null;
      milliseconds: number;
    }
  /** A wrapped plugin was run (KEP-541's client side). */
  | {
      kind: 'pluginRun';
      account: string;
      /** The target that it was told, or that the first caller asked for; null: it was renewed ahead of need. */
      target: TargetName | null;
      /** In the broker, or at a caller's terminal (or in its process). */
      where: 'broker' | 'caller';
      /** As client-go counts it (rest_client_exec_plugin_call_total). */
      callStatus: 'no_error' | 'plugin_execution_error' | 'plugin_not_found_error' | 'client_internal_error';
      /** Its exit code; 0 only with no_error; 1 where it was not found or the client failed, as client-go says. */
      exitCode: number;
      /** The refusal's code; null: it gave a credential. With `no_error` too: it ended well, and its answer was no use. */
      code: string | null;
      milliseconds: number;
    }
  /** A 401 was inferred, or seen by a check (rule: inferred-401). */
  | {
      kind: 'rejection';
      account: string;
      target: TargetName;
      audience: string | null;
      generation: number;
      /** What the cluster itself said when it was asked. */
      verdict: 'accepted' | 'rejected' | 'unknown';
      /**
       * `backedOff`: the cluster rejects fresh credentials, and is left alone for a while. `shown`, `cleared`: no client
       * came back; from now on it counts as rejecting, or no longer. `unknown` is then the silence of its clients.
       */
      action: 'kept' | 'renewed' | 'notRenewed' | 'backedOff' | 'shown' | 'cleared';
    }
  | {
      kind: 'approval';
      caller: Caller;
      account: string;
      target: TargetName;
      /**
       * The cluster's policy; `unknownServer` for the question about one (rule: known-server); `execCredential`: may it
       * be printed.
       */
      policy: string;
      outcome: 'approved' | 'denied' | 'nobody';
      /** Where a person said so; null: nobody did, or it was recorded before that was kept. */
      where: 'terminal' | 'page' | 'window' | null;
    }
  | { kind: 'lock'; what: 'locked' | 'unlocked'; why: 'command' | 'idle' | 'screen' | 'start' }
  /** A person changed or confirmed something: `account.add`, `binding.confirm`, `passphrase.set`, … */
  | { kind: 'change'; what: string; name: string | null };

export type Revocation = 'revoked' | 'notOffered' | 'failed' | 'nothing';

/** Where events go. */
export interface Recorder {
  /**
   * A `call` is on record when this returns, else it throws and nothing is handed out (rule: everything-recorded).
   * Anything else that can't be written is said in the log and doesn't throw.
   */
  record(event: HistoryEvent): void;
}

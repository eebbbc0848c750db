import type { Refusal } from '../contract/refusal.ts';
import { nameOf, type TargetName } from '../domain/target/target.ts';
import type { Grant } from '../grants/grant.ts';
import type { Grants } from '../grants/grants.ts';
import { terminalPrompter } from '../grants/login-prompter.ts';
import { ownAsking } from '../grants/own-request.ts';
import { wantedMilliseconds } from '../grants/wanted-logins.ts';
import type { ServiceAccount } from '../ports/account.ts';
import type { DoorContext } from '../ports/door.ts';
import type { CallEvent, Recorder } from '../ports/history.ts';
import { type Found, type RecheckDeps, recheck } from './recheck.ts';

/**
 * How long a helper is told to wait, in seconds: for a renewal; for a user who logs in; for a plugin, whose runs have
 * their own limits and may go from one caller to the next: there it guards against a broker that hangs.
 */
const waits = {
  renewal: 60,
  login: 900,
  wanted: wantedMilliseconds / 1000 + 60,
  pending: wantedMilliseconds / 1000 + 60,
  plugin: 3600,
} as const;

export interface IssueDeps extends RecheckDeps {
  grants: Pick<Grants, 'obtain'>;
}

/** A request that may be answered: its target is known, and approved where that is needed. */
export interface Permitted extends Found {
  /** The client's process and its words, for the inferred 401 (rule: inferred-401). Null: unknown. */
  client: string | null;
  /** It asks again before the end that it was told only where it was told 401. */
  onlyAfter401: boolean;
  /** As in `CredentialRequest`. */
  image?: string;
  /** As in `CredentialRequest`. */
  server?: string;
  /** As in `CredentialRequest`. */
  serviceAccount?: ServiceAccount | undefined;
  /** As in `CredentialRequest`. */
  lockFile?: string | undefined;
  /** The client passed its terminal on: a login may be begun, and be shown there. */
  interactive: boolean;
  /** The credential is for all clients of the request proxy: nothing of this one shapes it. */
  isShared?: boolean;
  /** False: no user is asked for a login, and none is waited for that has not begun. */
  isAttended?: boolean;
  context: DoorContext;
  /** What the client gets, complete; or why it can't have it in that form. `isEmpty`: it has no credential. */
  format(grant: Grant): { ok: true; text: string; isEmpty?: boolean } | Refusal;
  record: CallRecord;
}

/**
 * A credential that is good now, on record before it leaves
 * (rule: issued-while-good, everything-recorded, locked-issues-nothing); or why
 * there is none.
 */
export async function issue(
  wanted: Permitted,
  deps: IssueDeps,
): Promise<{ ok: true; text: string } | Refusal> {
  const { account, target, client, context, record, isAttended = true } = wanted;
  const { caller, terminal, signal } = context;
  // Only a client that passed its terminal on, in a session that has one, gets to see a device code (rule: no-storms).
  const isSeen = wanted.interactive && terminal.canPrompt;
  // The caller may be asked for its variables.
  let waited = account.shapedBy !== undefined;
  const shaping = wanted.isShared
    ? ownAsking(target)
    : { target, caller, client, ancestors: context.ancestors, terminal };
  let isTold = false;
  const granted = await deps.grants.obtain(account, {
    target,
    asking: {
      ...shaping,
      image: wanted.image,
      server: wanted.server,
      serviceAccount: wanted.serviceAccount,
      lockFile: wanted.lockFile,
    },
    attendant: {
      client: shaping.client,
      target,
      runner: terminal.runner,
      interactive: wanted.interactive && terminal.canLend,
      print: (text) => terminal.print(text),
      signal,
    },
    recipient:
      client === null || wanted.isShared ? null : { client, target, onlyAfter401: wanted.onlyAfter401 },
    prompter: isSeen ? terminalPrompter(account.name, terminal) : null,
    requester: client,
    wish: { flow: null, atThisMachine: isAttended && caller.origin === 'local' },
    // A user who came over SSH doesn't sit at this display.
    ...(isAttended && caller.origin !== 'ssh' && { wantedBy: () => context.lineage() }),
    onWait: (reason) => {
      waited = true;
      if (!isTold && (reason === 'wanted' || reason === 'pending')) {
        isTold = true;
        const what = reason === 'wanted' ? 'log in at the desktop' : 'finish the login that is under way';
        terminal.print(
          `lanyard: ${account.name} needs a login: ${what}, this waits for ${wantedMilliseconds / 60_000} minutes\n`,
        );
      }
      terminal.extend(waits[reason]);
    },
    signal,
  });
  if (!granted.ok) {
    return granted;
  }
  // The lock in any case: even a cached credential may have been read from a file.
  const changed = waited ? recheck(wanted, deps) : deps.gate();
  if (changed) {
    return changed;
  }
  const { grant, how } = granted;
  const formatted = wanted.format(grant);
  if (!formatted.ok) {
    return formatted;
  }
  record({
    target: nameOf(target),
    audience: target.audience,
    outcome: formatted.isEmpty ? 'noCredential' : 'handedOut',
    reason: how,
    generation: grant.generation || null,
  });
  return formatted;
}

/** What is on record of a call beside who asked, for which account, and how long it took. */
export type Decision = Pick<CallEvent, 'target' | 'audience' | 'outcome' | 'reason' | 'generation'>;

export type CallRecord = (decision: Decision) => void;

/** Puts the decisions about a call on record; its time counts from its arrival. */
export function recordingCall(
  call: Pick<CallEvent, 'door' | 'caller' | 'account'>,
  recorder: Recorder,
  arrived = process.hrtime.bigint(),
): CallRecord {
  return (decision) =>
    recorder.record({
      kind: 'call',
      ...call,
      microseconds: Number((process.hrtime.bigint() - arrived) / 1000n),
      ...decision,
    });
}

/** A refused call, for the record. */
export function refusedAs({ code }: Refusal, target: TargetName | null): Decision {
  return { target, audience: null, outcome: 'refused', reason: code, generation: null };
}

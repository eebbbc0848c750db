import type { Target } from '../domain/target/target.ts';
import type { Caller } from '../ports/caller.ts';
import type { GrantRequest } from './request.ts';

/** Lanyard itself as the one that asks: no terminal, no user. */
const ownCaller: Caller = {
  uid: process.getuid?.() ?? -1,
  pid: process.pid,
  startTime: '',
  executable: null,
  executableId: null,
  session: null,
  pidNamespace: null,
  origin: 'local',
  hasTerminal: false,
  sure: false,
};

/** What a plugin gives without an expiry is kept for its client’s life (KEP-541): for the broker’s. */
export const ownClient = 'lanyard';

/** What shapes a credential that is for no caller: the approved configuration alone (rule: cleared-environment). */
export function ownAsking(target: Target) {
  return {
    target,
    caller: ownCaller,
    client: ownClient,
    ancestors: () => [],
    terminal: { environment: async () => ({}) },
  };
}

/**
 * A request of Lanyard’s own. Never asks the user: begins no login, opens no page, and runs a plugin only in the broker,
 * with the variables of its account alone.
 */
export function ownRequest(target: Target, signal: AbortSignal): GrantRequest {
  return {
    target,
    recipient: null,
    asking: ownAsking(target),
    attendant: {
      client: ownClient,
      target,
      runner: null,
      interactive: false,
      print: () => undefined,
      signal,
    },
    prompter: null,
    wish: { flow: null, atThisMachine: false },
    onWait: () => undefined,
    signal,
  };
}

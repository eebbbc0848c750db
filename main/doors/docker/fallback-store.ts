import type { Secret } from '../../base/secret.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { hubServer } from '../../domain/image/helper-answer.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import type { Target } from '../../domain/target/target.ts';
import type { Account } from '../../ports/account.ts';
import type { DoorContext } from '../../ports/door.ts';
import type { Recorder } from '../../ports/history.ts';
import { type CallRecord, type IssueDeps, issue, recordingCall, refusedAs } from '../issue.ts';
import { storedKind } from './stored-kind.ts';

/** The server of a request, as the client wrote it, and parsed. */
export interface AskedServer {
  serverUrl: string;
  server: RegistryServer;
}

/** Another credential helper of docker’s, for servers that have neither a registry nor a stored entry. */
export interface FallbackStore {
  /**
   * Its credential in the form that the client reads; or why there is none now. It is on record when this resolves.
   * Null: there is no such helper, it has none, which is not recorded, or Lanyard is locked, so that pulls of public
   * images go on.
   */
  get(
    asked: AskedServer,
    context: DoorContext,
    format: (userName: string, secret: Secret) => string,
  ): Promise<{ ok: true; text: string } | Refusal | null>;
  /**
   * The helper that has a credential for this server, by its name; null: none has. A refusal while Lanyard is locked:
   * the helper isn’t asked then. Issues nothing, and records no call.
   */
  holder(asked: AskedServer, context: DoorContext): Promise<{ ok: true; helper: string } | Refusal | null>;
}

export interface FallbackStoreDeps extends IssueDeps {
  recorder: Recorder;
}

/** The account with `fallback` in config.yaml. It is approved as any account, and its helper runs as for a registry. */
export function createFallbackStore(deps: FallbackStoreDeps): FallbackStore {
  const { directory } = deps;

  const ask = async (
    name: string,
    asked: AskedServer,
    context: DoorContext,
    record: CallRecord,
    format: (userName: string, secret: Secret) => string,
  ): Promise<{ ok: true; text: string } | Refusal | null> => {
    const account = directory.account(name);
    if (!account.ok) {
      return account;
    }
    const target = fallbackTarget(asked.server, name);
    let isFound = false;
    const issued = await issue(
      {
        account: account.account,
        target,
        again: () => ({ ok: true, target }),
        client: null,
        onlyAfter401: false,
        interactive: false,
        server: asked.server.key === 'docker.io' ? hubServer : asked.serverUrl,
        context,
        format: ({ credential: { password } }) => {
          isFound = password !== null && password !== undefined;
          return { ok: true, text: password ? format(password.userName, password.password) : '' };
        },
        record: (decision) => isFound && record(decision),
      },
      deps,
    );
    return issued.ok && !isFound ? null : issued;
  };

  return {
    async get(asked, context, format) {
      const fallback = deps.gate() === null ? directory.fallbackHelper() : null;
      if (fallback === null) {
        return null;
      }
      const { account } = fallback;
      const record = recordingCall({ door: 'docker', caller: context.caller, account }, deps.recorder);
      const found = await ask(account, asked, context, record, format);
      if (found && !found.ok) {
        record(refusedAs(found, { kind: storedKind, name: asked.server.key }));
      }
      return found;
    },
    async holder(asked, context) {
      const fallback = directory.fallbackHelper();
      if (fallback === null) {
        return null;
      }
      const locked = deps.gate();
      if (locked) {
        return locked;
      }
      const found = await ask(
        fallback.account,
        asked,
        context,
        () => undefined,
        () => '',
      );
      return found?.ok ? { ok: true, helper: fallback.helper } : found;
    },
  };
}

function fallbackTarget({ key }: RegistryServer, account: Account['name']): Target {
  return {
    kind: storedKind,
    name: key,
    account,
    audience: null,
    shape: JSON.stringify([account, key]),
    // As a stored entry: any program of the user could ask that helper itself.
    approval: 'never',
    address: key,
    cluster: null,
  };
}

import { hash } from 'node:crypto';
import { kubeRequest } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type ExecRequest, isFromClientGo, parseExecInfo } from '../../domain/server/exec-credential.ts';

/** Reads the words after the command. */
export type ArgumentReader<Named> = (args: readonly string[]) => ({ ok: true } & Named) | Refusal;

/** What a client asks for: what its command line names, and KUBERNETES_EXEC_INFO. */
export type ExecQuestion<Named> = Named & { request: ExecRequest };

/** A request that can be read. */
export interface ExecCall<Named> {
  ok: true;
  question: ExecQuestion<Named>;
  /** A digest of all that the client said: one that asks again says the same. */
  words: string;
  isFromClientGo: boolean;
}

export type ReadCall<Named> = ExecCall<Named> | { ok: false; refusal: Refusal; named: Named | null };

/**
 * Reads requests. A client says the same words each time, and those are the same object here (platform/socket/hello-memory.ts):
 * what was read of it is remembered with it, for reading a large CA takes longer than all else about a call.
 */
export function createRequestReader<Named extends object>(
  readArguments: ArgumentReader<Named>,
): (request: unknown) => ReadCall<Named> {
  const known = new WeakMap<object, ReadCall<Named>>();
  return (request) => {
    if (typeof request !== 'object' || request === null) {
      return readRequest(request, readArguments);
    }
    const before = known.get(request);
    if (before) {
      return before;
    }
    const read = readRequest(request, readArguments);
    known.set(request, read);
    return read;
  };
}

function readRequest<Named extends object>(
  request: unknown,
  readArguments: ArgumentReader<Named>,
): ReadCall<Named> {
  const parsed = kubeRequest.safeParse(request);
  if (!parsed.success) {
    const refusal = refuse('internal', 'kube.request', 'the helper’s request can’t be read');
    return { ok: false, refusal, named: null };
  }
  const { args, execInfo } = parsed.data;
  const named = readArguments(args);
  if (!named.ok) {
    return { ok: false, refusal: named, named: null };
  }
  const bytes = execInfo === null ? null : Buffer.from(execInfo, 'base64');
  const info = parseExecInfo(bytes);
  return info.ok
    ? {
        ok: true,
        question: { ...named, request: info.request },
        words: hash('sha256', JSON.stringify([args, execInfo]), 'base64'),
        isFromClientGo: bytes !== null && isFromClientGo(bytes),
      }
    : { ok: false, refusal: info, named };
}

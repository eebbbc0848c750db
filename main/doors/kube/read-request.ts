import { hash } from 'node:crypto';
import { kubeRequest } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { isFromClientGo, parseExecInfo } from '../../domain/server/exec-credential.ts';
import { parseKubeArguments } from './arguments.ts';
import type { KubeQuestion } from './find-cluster.ts';

/** A request that can be read. */
export interface KubeCall extends KubeQuestion {
  ok: true;
  /** A digest of all that the client said: one that asks again says the same. */
  words: string;
  isFromClientGo: boolean;
}

export type ReadCall =
  | KubeCall
  | { ok: false; refusal: Refusal; named: Omit<KubeQuestion, 'request'> | null };

/**
 * Reads requests. A client says the same words each time, and those are the same object here (platform/socket/hello-memory.ts):
 * what was read of it is remembered with it, for reading a large CA takes longer than all else about a call.
 */
export function createRequestReader(): (request: unknown) => ReadCall {
  const known = new WeakMap<object, ReadCall>();
  return (request) => {
    if (typeof request !== 'object' || request === null) {
      return readRequest(request);
    }
    const before = known.get(request);
    if (before) {
      return before;
    }
    const read = readRequest(request);
    known.set(request, read);
    return read;
  };
}

function readRequest(request: unknown): ReadCall {
  const parsed = kubeRequest.safeParse(request);
  if (!parsed.success) {
    const refusal = refuse('internal', 'kube.request', 'the helper’s request can’t be read');
    return { ok: false, refusal, named: null };
  }
  const { args, execInfo } = parsed.data;
  const named = parseKubeArguments(args);
  if (!named.ok) {
    return { ok: false, refusal: named, named: null };
  }
  const bytes = execInfo === null ? null : Buffer.from(execInfo, 'base64');
  const info = parseExecInfo(bytes);
  return info.ok
    ? {
        ...named,
        request: info.request,
        words: hash('sha256', JSON.stringify([args, execInfo]), 'base64'),
        isFromClientGo: bytes !== null && isFromClientGo(bytes),
      }
    : { ok: false, refusal: info, named };
}

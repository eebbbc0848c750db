import { hash } from 'node:crypto';
import { exitCodes } from '../../contract/exit-codes.ts';
import { type KubeRequest, kubeRequest } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import {
  type ExecRequest,
  formatExecCredential,
  isFromClientGo,
  parseExecInfo,
} from '../../domain/exec-credential.ts';
import type { Grant } from '../../grants/grant.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Recorder } from '../../ports/history.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../door.ts';
import { type CallRecord, type HandOutDeps, handOut, recordingCall, refusedAs } from '../hand-out.ts';
import { parseKubeArguments } from './arguments.ts';
import { type AskPersonDeps, findApproved } from './ask-person.ts';
import { findCluster, type KubeQuestion } from './find-cluster.ts';

export interface KubeDoorDeps extends AskPersonDeps, HandOutDeps {
  recorder: Recorder;
  clock: Clock;
}

/** The kube door: KEP-541 as its provider. One request, one ExecCredential or one refusal. */
export function createKubeDoor(deps: KubeDoorDeps): Door {
  return async (request, context) => {
    const parsed = kubeRequest.safeParse(request);
    if (!parsed.success) {
      return refusalAnswer(refuse('internal', 'kube.request', 'the helper’s request can’t be read'));
    }
    const args = parseKubeArguments(parsed.data.args);
    if (!args.ok) {
      return refusalAnswer(args);
    }
    const { caller } = context;
    const record = recordingCall({ door: 'kube', caller, account: args.account }, deps.recorder);
    const bytes = parsed.data.execInfo === null ? null : Buffer.from(parsed.data.execInfo, 'base64');
    const info = parseExecInfo(bytes);
    const answered = info.ok
      ? await answer({ ...args, request: info.request }, { said: parsed.data, record }, context, deps)
      : info;
    if ('ok' in answered) {
      record(refusedAs(answered, args.cluster));
      return refusalAnswer(answered);
    }
    return answered;
  };
}

interface Call {
  said: KubeRequest;
  record: CallRecord;
}

async function answer(
  question: KubeQuestion,
  { said, record }: Call,
  context: DoorContext,
  deps: KubeDoorDeps,
): Promise<DoorAnswer | Refusal> {
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const account = deps.directory.account(question.account);
  if (!account.ok) {
    return account;
  }
  const asked = { question, account: account.account };
  const found = await findApproved(asked, context, deps);
  if (!found.ok) {
    return found;
  }
  const { request } = question;
  const handed = await handOut(
    {
      account: account.account,
      cluster: found.cluster,
      again: () => findCluster(question, deps),
      client: clientOf(context.caller, said),
      onlyAfter401: said.execInfo !== null && isFromClientGo(Buffer.from(said.execInfo, 'base64')),
      interactive: request.interactive,
      context,
      format: (grant) => ({ ok: true, text: reply(request, grant, deps.clock) }),
      record,
    },
    deps,
  );
  return handed.ok ? { code: exitCodes.good, stdout: handed.text } : handed;
}

/** Who gets the answer, for the inferred 401 (rule 5): a process and what it said. Null where nobody can tell. */
function clientOf(caller: Caller, said: KubeRequest): string | null {
  if (!caller.sure) {
    return null;
  }
  const words = hash('sha256', JSON.stringify([said.args, said.execInfo]), 'base64');
  return `${caller.pid} ${caller.startTime} ${caller.executableId} ${words}`;
}

function reply(request: ExecRequest, grant: Grant, clock: Clock): string {
  const { token, certificate } = grant.credential;
  return formatExecCredential(request.apiVersion, {
    token: token?.reveal() ?? null,
    clientCertificateData: certificate?.chainPem ?? null,
    clientKeyData: certificate?.keyPem.reveal() ?? null,
    expiresAt: grant.expirationForClient(clock),
  });
}

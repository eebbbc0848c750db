import { exitCodes } from '../../contract/exit-codes.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { clusterName, type TargetName } from '../../domain/target/target.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';
import type { Recorder } from '../../ports/history.ts';
import { execCredentialText } from '../exec-credential-text.ts';
import { type CallRecord, type IssueDeps, issue, recordingCall, refusedAs } from '../issue.ts';
import { type FindApprovedDeps, findApproved } from './find-approved.ts';
import { findCluster } from './find-cluster.ts';
import { createRequestReader, type KubeCall } from './read-request.ts';
import { ToldCauses } from './told-causes.ts';

export interface KubeDoorDeps extends FindApprovedDeps, IssueDeps {
  recorder: Recorder;
  clock: Clock;
}

/** The kube door: KEP-541 as its provider. One request, one ExecCredential or one refusal. */
export function createKubeDoor(deps: KubeDoorDeps): Door {
  const read = createRequestReader();
  const said = new ToldCauses();
  return async (request, context) => {
    const call = read(request);
    const recording = (account: string) =>
      recordingCall({ door: 'kube', caller: context.caller, account }, deps.recorder);
    if (!call.ok) {
      if (call.named) {
        recording(call.named.account)(refusedAs(call.refusal, named(call.named.cluster)));
      }
      return refusalAnswer(call.refusal);
    }
    const record = recording(call.account);
    const answered = await answer(call, record, context, deps);
    if ('ok' in answered) {
      record(refusedAs(answered, named(call.cluster)));
      const { code, stderr = '' } = refusalAnswer(answered);
      // Of other programs, such as a shell, each call may be for another question of the user's.
      const isSaid = !call.isFromClientGo || said.isNews(context.caller, call.account, answered.code);
      return { code, stderr: isSaid ? stderr : '' };
    }
    said.served(context.caller, call.account);
    return answered;
  };
}

async function answer(
  question: KubeCall,
  record: CallRecord,
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
  const handed = await issue(
    {
      account: account.account,
      target: found.target,
      again: () => findCluster(question, deps),
      client: clientOf(context.caller, question),
      onlyAfter401: question.isFromClientGo,
      interactive: request.interactive,
      context,
      format: (grant) => execCredentialText(request.apiVersion, grant, account.account.name, deps.clock),
      record,
    },
    deps,
  );
  return handed.ok ? { code: exitCodes.good, stdout: handed.text } : handed;
}

/** Who gets the answer, for the inferred 401 (rule: inferred-401): a process and its words. Null: unknown. */
function clientOf(caller: Caller, { words }: KubeCall): string | null {
  if (!caller.sure) {
    return null;
  }
  return `${caller.pid} ${caller.startTime} ${caller.executableId} ${words}`;
}

/** The cluster that the client named, known or not. */
function named(cluster: string | null): TargetName | null {
  return cluster === null ? null : clusterName(cluster);
}
